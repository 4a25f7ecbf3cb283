"""Recount: totals are the fold of the ledger; those that are not are found, and put right as a correction."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st

from rebuilds import recounting
from rebuilds.recounting import load_periods, recount
from scoring.models import CorrectedTotal, Correction, OutboxEvent, ScoreEvent, Total
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from scoring.setup import open_season
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score, total
from tests.ledger_truth import folded_ledger, stored_totals
from tests.rules.game import RANGES, Game
from tests.rules.histories import batches

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[list[dict[str, Any]], str]:
    """The lines that the command prints, and its error, empty if all is well."""
    out, error = StringIO(), ""
    try:
        call_command("recount", *(arguments or ("quiz",)), stdout=out, stderr=StringIO())
    except CommandError as caught:
        error = str(caught)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


@pytest.fixture
def quiz() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"], min_points=-1000)
    accept_all(score("ann", 30), score("ann", 5), score("bob", 20), score("eve", 0))
    deliver()


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("operator", Operator)
def test_whatever_was_played_there_is_nothing_to_find(operator: Operator, order: Order) -> None:
    @settings(max_examples=15)
    @given(st.lists(batches, min_size=1, max_size=6))
    def check(history: list[list[dict[str, Any]]]) -> None:
        game = Game(operator, order, Ties.FIRST, RANGES["decimal"])
        for batch in history:
            game.play(batch)
        rules = get_rules(game.slug)
        assert [portion.miscounts for portion in recount(rules, load_periods(rules, [])) if portion.miscounts] == []

    check()


def test_late_scores_of_yesterday_are_no_difference(quiz: None) -> None:
    accept_all(score("ann", 7, occurred_at=NOW - timedelta(minutes=3)), score("new", 7, occurred_at=NOW))

    assert run() == ([], "")


@pytest.mark.usefixtures("quiz")
def test_totals_that_differ_are_told_with_both_sides() -> None:
    of_all = Total.objects.filter(period__label="all")
    of_all.filter(player__player_id="ann").update(points=F("points") + 100)
    of_all.filter(player__player_id="bob").delete()
    number = total("ann")[1]

    lines, error = run()

    assert error == "2 totals differ from the ledger"
    (ann, bob) = lines
    assert ann == {
        "leaderboard": "quiz",
        "player": ann["player"],
        "player_id": "ann",
        "period": "all",
        "points": 135,
        "accept_no": number,
        "folded_points": 35,
        "folded_accept_no": number,
    }
    assert (bob["player_id"], bob["points"], bob["folded_points"]) == ("bob", None, 20)


@pytest.mark.usefixtures("quiz")
def test_a_total_without_events_and_one_with_voided_ones_differ() -> None:
    ScoreEvent.objects.filter(player__player_id="bob").delete()
    ScoreEvent.objects.filter(player__player_id="ann", points=30).update(voided_at=NOW)

    lines, _ = run("quiz", "--period", "all")

    assert [(line["player_id"], line["points"], line["folded_points"]) for line in lines] == [
        ("ann", 35, 5),
        ("bob", 20, None),
    ]


@pytest.mark.usefixtures("quiz")
def test_details_of_another_event_differ_too() -> None:
    Total.objects.filter(period__label="day:2026-10-19", player__player_id="ann").update(details={"car": "red"})

    assert [(line["player_id"], line["period"]) for line in run()[0]] == [("ann", "day:2026-10-19")]


@pytest.mark.usefixtures("quiz")
def test_fix_makes_them_the_fold_as_one_correction_and_boards_follow() -> None:
    Total.objects.filter(period__label="all").update(points=F("points") + 100)
    Total.objects.filter(period__label="all", player__player_id="eve").delete()

    lines, error = run("quiz", "--fix", "--reason", "a slip of the pen")

    assert (len(lines), error) == (3, "")
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    correction = Correction.objects.get()
    assert (correction.kind, correction.reason, correction.made_by) == (
        "recount",
        "a slip of the pen",
        "manage.py recount",
    )
    assert correction.finished_at is not None
    assert CorrectedTotal.objects.filter(correction=correction).count() == 3
    assert OutboxEvent.objects.waiting().filter(queue="corrections").exists()
    deliver()
    assert not differences()
    assert run() == ([], "")


@pytest.mark.usefixtures("quiz")
def test_where_nothing_differs_no_correction_is_kept() -> None:
    assert run("quiz", "--fix") == ([], "")

    assert not Correction.objects.exists()


@pytest.mark.usefixtures("quiz")
def test_it_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recounting, "PLAYERS_AT_ONCE", 1)
    Total.objects.filter(period__label="all").update(points=F("points") + 100)
    rules = get_rules("quiz")
    periods = load_periods(rules, ["all"])

    first, second, third = recount(rules, periods)
    assert [len(portion.miscounts) for portion in (first, second, third)] == [1, 1, 1]
    assert list(recount(rules, periods, after=first.last)) == [second, third]
    assert len(run("quiz", "--after", str(second.last))[0]) == 1


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("nothing",), "there is no leaderboard 'nothing'"),
        (("quiz", "--period", "s9"), "quiz has no period 's9'"),
        (("quiz", "--fix", "--reason", " "), "reason is missing: it is kept with the correction"),
    ],
)
def test_what_can_not_be_recounted_is_said(arguments: tuple[str, ...], error: str) -> None:
    assert run(*arguments) == ([], error)


def test_what_was_accepted_before_its_season_was_opened_is_not_in_it() -> None:
    LeaderboardFactory.create(period_kinds=["season", "all"])
    accept_all(score("ann", 10))
    open_season("quiz", "s1", NOW - timedelta(days=1))
    accept_all(score("ann", 5))

    rules = get_rules("quiz")

    assert [portion.miscounts for portion in recount(rules, load_periods(rules, []))] == [[]]
