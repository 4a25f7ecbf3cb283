"""Moderators and game servers at once, each in a thread with a connection of its own."""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from scoring.errors import InvalidRequest, LeaderboardError
from scoring.models import CorrectedTotal, Correction, OutboxEvent, Player, ScoreEvent
from scoring.moderation import voiding
from scoring.moderation.decisions import PlayerNotFound
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player
from scoring.moderation.voiding import MatchNotFound, finish_voids, void_match
from scoring.rules import get_rules
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts
from tests.path.test_lock_order import waits_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = [f"player-{n}" for n in range(12)]
MATCHES = [f"m{n}" for n in range(20)]


def all_at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """What each returns, or the anticipated error that it raises. Anything else is raised here."""
    ready = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        ready.wait(timeout=60)
        try:
            return job()
        except LeaderboardError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def stream(seed: int, slug: str = "quiz", **profile: Sequence[Any]) -> Callable[[], None]:
    """A game server that posts 40 batches of 8 scores."""

    def post() -> None:
        dice = random.Random(seed)
        for _ in range(40):
            more = {name: dice.choice(values) for name, values in profile.items()}
            batch = [
                score(player, dice.choice([-3, 0, 5, 10]), dice.choice(MATCHES), leaderboard=slug, **more)
                for player in dice.sample(PLAYERS, 8)
            ]
            assert set(codes(accept(*batch))) <= {"accepted", "duplicate", "match_conflict"}

    return post


def each(act: Callable[[str], Any], of: Sequence[str]) -> Callable[[], None]:
    """A moderator who does this to one after the other; that there is nothing to do is no error."""

    def decide() -> None:
        for one in of:
            try:
                act(one)
            except (MatchNotFound, PlayerNotFound):
                continue

    return decide


def check(slug: str, operator: str) -> None:
    assert stored_totals(slug) == folded_ledger(slug, operator)
    deliver(NOW + timedelta(hours=1))
    assert not OutboxEvent.objects.waiting().exists()
    assert differences(slug) == []


@pytest.mark.parametrize("operator", ["add", "best"])
def test_voids_and_penalties_beside_a_stream_of_scores_of_the_same_players(operator: str) -> None:
    LeaderboardFactory.create(operator=operator, period_kinds=["day", "all"], min_points=-10)
    penalties = each(lambda player: acts.adjust(player, -1), PLAYERS) if operator == "add" else each(acts.flag, PLAYERS)

    outcomes = all_at_once(
        stream(1),
        stream(2),
        each(acts.void, MATCHES[:10]),
        each(lambda match: acts.void(match, PLAYERS[3]), MATCHES),
        penalties,
    )

    assert outcomes == [None] * 5
    check("quiz", operator)


def test_a_void_in_portions_while_scores_arrive_and_two_go_on_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voiding, "PORTION", 2)
    monkeypatch.setattr(voiding, "PORTIONS_AT_ONCE", 1)
    LeaderboardFactory.create(min_points=-10)
    accept_all(*(score(player, 5, "m0") for player in PLAYERS))
    accept_all(*(score(player, 7, "m1") for player in PLAYERS))
    corrections = [acts.void(match).correction for match in ("m0", "m1")]
    assert {correction.finished_at for correction in corrections} == {None}

    def go_on() -> None:
        while finish_voids(NOW, portions=1):
            pass

    all_at_once(stream(3), stream(4), go_on, go_on)

    for correction in corrections:
        correction.refresh_from_db()
        assert correction.finished_at
        assert not ScoreEvent.objects.filter(match_id=correction.match_id, voided_at=None).exists()
        assert correction.player_count == CorrectedTotal.objects.filter(correction=correction).count() == len(PLAYERS)
    check("quiz", "add")


def test_a_merge_between_two_portions_hides_no_event_from_the_void(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voiding, "PORTION", 1)
    monkeypatch.setattr(voiding, "PORTIONS_AT_ONCE", 1)
    LeaderboardFactory.create()
    accept_all(score("first", 1))
    accept_all(*(score(player, 5, "m0") for player in ("second", "third", "fourth")))
    correction = acts.void("m0").correction
    finish_voids(NOW, portions=1)

    acts.merge("fourth", "first")
    assert finish_voids(NOW, portions=9) == 0

    correction.refresh_from_db()
    assert not ScoreEvent.objects.filter(match_id="m0", voided_at=None).exists()
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert {player for _, player in stored_totals("quiz")} == {"first"}


def test_voids_of_two_leaderboards_lock_players_in_one_order() -> None:
    """Also when each player is taken alone, since one of them can't be corrected."""
    LeaderboardFactory.create(min_points=-100, min_total=0)
    LeaderboardFactory.create(slug="race", operator="latest")
    for player in reversed(PLAYERS):
        accept_all(score(player, 5, "m0"), score(player, 5, "m0", leaderboard="race"))
    accept_all(score(PLAYERS[5], 5, "m1"), score(PLAYERS[5], -6, "m2"))

    def send() -> None:
        for n in range(15):
            accept_all(*(score(player, n, leaderboard="race") for player in PLAYERS))

    outcomes = all_at_once(send, send, each(acts.void, ["m0"]), each(lambda match: acts.void(match, None, "race"), ["m0"]))

    assert outcomes == [None] * 4
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


@pytest.mark.parametrize("kind", ["adjust", "void", "flag", "merge", "erase"])
def test_the_same_correction_twice_at_once_is_made_once(kind: str) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m2"))
    decision = acts.decide("case:17")
    correct: dict[str, Callable[[], Any]] = {
        "adjust": lambda: acts.adjust_player(get_rules("quiz"), "ann", -20, decision),
        "void": lambda: void_match(get_rules("quiz"), "m1", decision),
        "flag": lambda: flag_player("ann", decision),
        "merge": lambda: acts.merge_players("ann", "bob", decision),
        "erase": lambda: erase_player("ann", decision),
    }

    answers = all_at_once(*[correct[kind]] * 4)

    assert sorted(answer.is_repeat for answer in answers) == [False, True, True, True]
    assert len({answer.correction.pk for answer in answers}) == Correction.objects.count() == 1
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_flags_beside_changes_of_city() -> None:
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"], min_points=-10)
    accept_all(*(score(player, 5, segments={"city": "hyd"}) for player in PLAYERS))

    outcomes = all_at_once(
        stream(5, segments=[{"city": "hyd"}, {"city": "pune"}, {"city": None}]),
        stream(6, segments=[{"city": "hyd"}, {"city": "goa"}]),
        each(acts.flag, PLAYERS * 3),
        each(acts.unflag, PLAYERS[::-1] * 3),
        lambda: [deliver() for _ in range(20)] and None,
    )

    assert outcomes == [None] * 5
    check("quiz", "add")


def test_a_merge_in_both_directions_at_once_is_one_merge() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30), score("bob", 5))

    answers = all_at_once(lambda: acts.merge("ann", "bob"), lambda: acts.merge("bob", "ann"))

    assert [isinstance(answer, InvalidRequest) for answer in answers].count(True) == 1
    assert Player.objects.exclude(merged_into=None).count() == 1
    assert [points for points, _ in stored_totals("quiz").values()] == [35]
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_merges_and_erasures_beside_a_stream_of_scores() -> None:
    LeaderboardFactory.create(scopes=["city"], min_points=-10)
    LeaderboardFactory.create(slug="race", operator="latest", min_points=-10)
    accept_all(*(score(player, 5) for player in PLAYERS))

    outcomes = all_at_once(
        stream(7, segments=[{"city": "hyd"}, None]),
        stream(8, slug="race", name=["A", "B", None]),
        each(lambda player: acts.merge(player, PLAYERS[0], keep="into"), PLAYERS[1:4]),
        each(acts.erase, PLAYERS[5:9]),
        lambda: [deliver() for _ in range(20)] and None,
    )

    assert outcomes == [None] * 5
    check("quiz", "add")
    assert differences("race") == []


@pytest.mark.parametrize(
    ("meanwhile", "expected"),
    [(lambda: acts.erase("ann"), PlayerNotFound), (lambda: acts.merge("ann", "bob"), None)],
    ids=["erased", "merged"],
)
@pytest.mark.parametrize("act", [acts.flag, acts.unflag])
def test_a_flag_that_waits_for_the_player_finds_what_became_of_him(
    act: Any, meanwhile: Callable[[], Any], expected: type[LeaderboardError] | None
) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30), score("bob", 5))
    if act is acts.unflag:
        acts.flag("ann")
        acts.flag("bob")
    pk = Player.objects.get(player_id="ann").pk

    with ThreadPoolExecutor(1) as threads:

        def flag() -> Any:
            try:
                return act("ann")
            except LeaderboardError as error:
                return error
            finally:
                connection.close()

        with transaction.atomic():
            Player.objects.select_for_update().get(player_id="ann")
            answer = threads.submit(flag)
            while not waits_for_a_lock():
                assert not answer.done()
            meanwhile()
        result = answer.result(timeout=60)

    ann, bob = Player.objects.get(pk=pk), Player.objects.get(player_id="bob")
    if expected is not None:
        assert isinstance(result, expected)
        assert ann.review_state == 2
    else:
        assert ann.merged_into == bob
        assert bob.review_state == (1 if act is acts.flag else 0)
