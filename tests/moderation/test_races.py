"""Corrections while scores arrive and other moderators decide: no deadlock, nothing lost, nothing done twice."""

import pytest

from scoring.models import CorrectedTotal, ScoreEvent
from scoring.moderation import voiding
from scoring.moderation.voiding import finish_voids
from tests.boards_truth import differences
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts
from tests.moderation.crowds import MATCHES, PLAYERS, all_at_once, check, each, keep_delivering, stream

pytestmark = pytest.mark.django_db(transaction=True)


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
    accept_all(score("p1", 1))
    accept_all(*(score(player, 5, "m0") for player in ("p2", "p3", "p4")))
    correction = acts.void("m0").correction
    finish_voids(NOW, portions=1)

    acts.merge("p4", "p1")
    assert finish_voids(NOW, portions=9) == 0

    correction.refresh_from_db()
    assert not ScoreEvent.objects.filter(match_id="m0", voided_at=None).exists()
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert {player for _, player in stored_totals("quiz")} == {"p1"}


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

    outcomes = all_at_once(
        send, send, each(acts.void, ["m0"]), each(lambda match: acts.void(match, None, "race"), ["m0"])
    )

    assert outcomes == [None] * 4
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_flags_beside_changes_of_city() -> None:
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"], min_points=-10)
    accept_all(*(score(player, 5, segments={"city": "hyd"}) for player in PLAYERS))

    outcomes = all_at_once(
        stream(5, segments=[{"city": "hyd"}, {"city": "pune"}, {"city": None}]),
        stream(6, segments=[{"city": "hyd"}, {"city": "goa"}]),
        each(acts.flag, PLAYERS * 3),
        each(acts.unflag, PLAYERS[::-1] * 3),
        keep_delivering,
    )

    assert outcomes == [None] * 5
    check("quiz", "add")


def test_merges_and_erasures_beside_a_stream_of_scores() -> None:
    LeaderboardFactory.create(scopes=["city"], min_points=-10)
    LeaderboardFactory.create(slug="race", operator="latest", min_points=-10)
    accept_all(*(score(player, 5) for player in PLAYERS))

    outcomes = all_at_once(
        stream(7, segments=[{"city": "hyd"}, None]),
        stream(8, slug="race", name=["A", "B", None]),
        each(lambda player: acts.merge(player, PLAYERS[0], keep="into"), PLAYERS[1:4]),
        each(acts.erase, PLAYERS[5:9]),
        keep_delivering,
    )

    assert outcomes == [None] * 5
    check("quiz", "add")
    assert differences("race") == []
