"""Restore: from a snapshot and the events after it, totals become what a recount would make of them."""

import json
import random
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st

from rebuilds.recounting import load_periods, recount
from rebuilds.restoring import NoSnapshot, RestorePoint, find_restore_point
from rebuilds.snapshot_pruning import prune_snapshots
from rebuilds.snapshots import take_snapshot
from scoring.models import CorrectedTotal, Correction, Leaderboard, ScoreEvent, StandingsSnapshot, Total
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score, total
from tests.ledger_truth import stored_totals
from tests.moderation import acts
from tests.moderation.books import Books
from tests.moderation.test_histories import histories, take
from tests.rules.game import EVENING, RANGES
from tests.rules.histories import batches

pytestmark = pytest.mark.django_db(transaction=True)


def snapshot_of(slug: str) -> StandingsSnapshot:
    snapshot = take_snapshot(Leaderboard.objects.get(slug=slug), lambda: EVENING)
    assert snapshot is not None
    return snapshot


def restore(point: RestorePoint) -> int:
    """How many totals changed."""
    fixer = point.fixer(acts.decide(), lambda: EVENING)
    return sum(fixer.fix(portion) for portion in point.compare())


def miscounts(slug: str, labels: tuple[str, ...] = ()) -> list[Any]:
    rules = get_rules(slug)
    return [found for portion in recount(rules, load_periods(rules, labels)) for found in portion.miscounts]


def compared(point: RestorePoint) -> list[Any]:
    return [found for portion in point.compare() for found in portion.miscounts]


def damage(slug: str, dice: random.Random) -> int:
    """Some totals get other points, numbers, times or details, some go; how many."""
    ways: list[dict[str, Any]] = [
        {"points": F("points") + 7},
        {"points": F("points") - 1, "accept_no": F("accept_no") + 1},
        {"accept_no": F("accept_no") - 1},
        {"occurred_at": EVENING},
        {"details": {"by": "nobody"}},
    ]
    totals = list(Total.objects.filter(period__leaderboard__slug=slug).order_by("pk"))
    for one in (hit := dice.sample(totals, k=(len(totals) + 1) // 2)):
        row = Total.objects.filter(pk=one.pk)
        if dice.random() < 0.3:
            row.delete()
        else:
            row.update(**dice.choice(ways))
    return len(hit)


@pytest.mark.parametrize("operator", Operator)
def test_whatever_happened_before_and_after_the_cut_it_restores_what_a_recount_would(operator: Operator) -> None:
    @settings(max_examples=25)
    @given(batches, histories, histories, st.sampled_from(Order), st.integers(0, 2**32))
    def check(first: Any, before: list[Any], after: list[Any], order: Order, seed: int) -> None:
        books = Books(operator, order, Ties.FIRST, RANGES["decimal"])
        for step, _ in [(first, True), *before]:
            take(books, step, [])
        snapshot_of(books.slug)
        for step, _ in after:
            take(books, step, [])
        rules = get_rules(books.slug)
        point = find_restore_point(rules, [])
        assert compared(point) == []
        right = books.totals()

        damage(books.slug, random.Random(seed))
        labels = tuple(period.label for period in point.periods)
        expected = miscounts(books.slug, labels)

        assert compared(point) == expected
        assert restore(point) == len(expected)
        assert miscounts(books.slug, labels) == compared(point) == []
        assert {key: value for key, value in right.items() if key[0] in labels} == {
            key: value for key, value in stored_totals(books.slug).items() if key[0] in labels
        }

    check()


@pytest.fixture
def quiz() -> StandingsSnapshot:
    LeaderboardFactory.create(period_kinds=["day", "all"], min_points=-1000)
    accept_all(score("ann", 30), score("ann", 5), score("bob", 20), score("eve", 0))
    snapshot = snapshot_of("quiz")
    accept_all(score("ann", 10), score("zoe", 1))
    deliver()
    return snapshot


def run(*arguments: str) -> tuple[list[dict[str, Any]], str]:
    """The lines that the command prints, and its error, empty if all is well."""
    out, error = StringIO(), ""
    try:
        call_command("restore_totals", *(arguments or ("quiz",)), stdout=out, stderr=StringIO())
    except CommandError as caught:
        error = str(caught)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


@pytest.mark.usefixtures("quiz")
def test_lost_totals_come_back_as_a_correction_and_boards_follow(boards_redis: Any) -> None:
    Total.objects.all().delete()
    accept_all(score("bob", 2))

    lines, error = run()
    deliver()

    assert error == ""
    assert {(line["player_id"], line["period"]): line["folded_points"] for line in lines} == {
        (player, label): points
        for player, points in {"ann": 45, "bob": 22, "eve": 0, "zoe": 1}.items()
        for label in ("all", "day:2026-10-19")
    }
    correction = Correction.objects.get()
    assert (correction.kind, correction.made_by) == ("recount", "manage.py restore_totals")
    assert "snapshot" in correction.reason
    assert correction.finished_at is not None
    assert CorrectedTotal.objects.count() == 8
    assert acts.board() == [(1, "ann", 45), (2, "bob", 22), (3, "zoe", 1), (4, "eve", 0)]
    assert differences("quiz") == []
    assert run("quiz", "--dry-run") == ([], "")


def test_points_that_add_up_to_nothing_have_still_moved_and_keep_their_number_and_time() -> None:
    LeaderboardFactory.create(min_points=-10)
    accept_all(score("ann", 5), score("ann", -5), score("eve", 0))
    snapshot_of("quiz")
    accept_all(score("ann", 0), score("eve", 0))
    true = list(Total.objects.order_by("player").values("points", "accept_no", "occurred_at"))
    Total.objects.all().delete()

    run()

    assert list(Total.objects.order_by("player").values("points", "accept_no", "occurred_at")) == true
    assert miscounts("quiz") == []


@pytest.mark.parametrize("player_id", ["bob", None])
def test_what_is_voided_while_totals_are_lost_does_not_come_back(player_id: str | None) -> None:
    """The void finds no total that it could change."""
    LeaderboardFactory.create(operator="best")
    accept_all(score("ann", 30, "m1"), score("bob", 20, "m1"), score("bob", 10, "m2"))
    snapshot_of("quiz")
    Total.objects.filter(player__player_id="bob").update(points=10, accept_no=F("accept_no") + 1)
    acts.void("m1", player_id)

    assert CorrectedTotal.objects.filter(player__player_id="bob").count() == 0
    run()

    assert total("bob")[0] == 10
    assert miscounts("quiz") == []


@pytest.mark.usefixtures("quiz")
def test_a_total_that_is_too_high_falls_on_the_boards_too() -> None:
    Total.objects.filter(player__player_id="ann").update(points=F("points") + 100)

    run("quiz", "--reason", "somebody's hand")
    deliver()

    assert total("ann")[::2] == (45, 1)
    assert acts.board()[0] == (1, "ann", 45)
    assert Correction.objects.get().reason == "somebody's hand"


@pytest.mark.usefixtures("quiz")
def test_a_dry_run_changes_nothing() -> None:
    Total.objects.filter(player__player_id="bob").delete()

    lines, _ = run("quiz", "--dry-run", "--period", "all")

    assert [(line["player_id"], line["points"], line["folded_points"]) for line in lines] == [("bob", None, 20)]
    assert not Correction.objects.exists()
    assert Total.objects.filter(player__player_id="bob").count() == 0


def test_it_reads_only_what_came_after_the_cut(quiz: StandingsSnapshot) -> None:
    """A ledger without its beginning is enough; a snapshot of totals that were wrong is not."""
    Total.objects.filter(player__player_id="bob").update(points=21)
    wrong = snapshot_of("quiz")
    run("quiz", "--snapshot", str(quiz.pk))
    assert total("bob")[0] == 20

    # The correction has touched him since: not even the wrong snapshot spoils him.
    assert run("quiz", "--snapshot", str(wrong.pk)) == ([], "")

    ScoreEvent.objects.filter(accept_no__lte=quiz.accept_no, player__player_id="ann").delete()
    Total.objects.filter(player__player_id="ann").delete()
    run("quiz", "--snapshot", str(quiz.pk))
    assert total("ann")[0] == 45


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nothing",), "no leaderboard 'nothing'"),
        (("quiz", "--period", "s1"), "quiz has no period 's1'"),
        (("quiz", "--period", "day:2026-10-19"), "was closed before snapshot"),
        (("quiz", "--snapshot", "0"), "there is no snapshot 0 of quiz"),
        (("quiz", "--reason", " "), "reason is missing"),
    ],
)
def test_what_can_not_be_done_is_said(quiz: StandingsSnapshot, arguments: tuple[str, ...], problem: str) -> None:
    take_snapshot(quiz.leaderboard, lambda: NOW + 2 * (EVENING - NOW) * 100)

    assert problem in run(*arguments)[1]


def test_without_a_snapshot_there_is_nothing_to_restore_from() -> None:
    LeaderboardFactory.create()

    assert run() == ([], "there is no snapshot of quiz")


def test_a_snapshot_that_is_being_pruned_is_not_restored_from(quiz: StandingsSnapshot) -> None:
    point = find_restore_point(get_rules("quiz"), [])
    Total.objects.all().delete()
    portions = list(point.compare())
    snapshot_of("quiz")
    prune_snapshots(NOW, kept=1, seconds=5)

    with pytest.raises(NoSnapshot):
        point.fixer(acts.decide(), lambda: NOW).fix(portions[0])
    with pytest.raises(NoSnapshot):
        compared(point)
    assert not Total.objects.exists()
    assert StandingsSnapshot.objects.count() == 1
