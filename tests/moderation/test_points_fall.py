"""Points that were taken stay taken; a match that is void counts as if it had never been played."""

from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest
import time_machine

from scoring.models import Correction, ScoreEvent
from scoring.moderation.refolding import PointsOutOfRange
from tests.api import authorization, post
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score, total
from tests.moderation import acts
from tests.moderation.workers import Worker

pytestmark = pytest.mark.django_db


@time_machine.travel(NOW, tick=False)
def test_a_penalty_survives_a_repeat_of_the_higher_event_before_it() -> None:
    LeaderboardFactory.create()
    headers = authorization("submit", "moderate")
    body = {"leaderboard": "quiz", "player_id": "ann", "match_id": "m1", "points": 130}
    assert post("scores", body, headers).json()["totals"] == {"all": 130}
    slow = Worker("quiz")
    penalty = {"leaderboard": "quiz", "kind": "adjust", "player_id": "ann", "points": -20, "reason": "late"}
    assert post("corrections", penalty, headers).json()["totals"] == {"all": 110}
    deliver()

    again = post("scores", body, headers).json()
    deliver()
    slow.write()

    assert (again["duplicate"], again["totals"]) == (True, {"all": 110})
    assert acts.board() == [(1, "ann", 110)]


def test_a_void_of_the_best_attempt_shows_the_second_best_with_its_own_number_and_details() -> None:
    LeaderboardFactory.create(operator="best")
    second, best, other = accept_all(
        score("ann", 50, "m1", details={"car": "red"}),
        score("ann", 90, "m2", details={"car": "blue"}),
        score("bob", 50, "m3"),
    )
    deliver()
    assert acts.board() == [(1, "ann", 90), (2, "bob", 50)]

    acts.void("m2", "ann")
    deliver()

    assert total("ann")[:2] == (50, second.accept_no)
    assert second.accept_no < best.accept_no < other.accept_no
    # As if the void one had never been: ann was there first.
    assert acts.board() == [(1, "ann", 50), (2, "bob", 50)]
    assert acts.entries()[0].details == msgspec.Raw(b'{"car": "red"}')


def test_ties_fall_as_if_the_void_match_had_never_been() -> None:
    """A sum's number is that of the newest event that moved it; without that one, the one before."""
    LeaderboardFactory.create()
    accept_all(score("ann", 50, "m1"), score("bob", 50, "m2"), score("ann", 10, "m3"))
    acts.void("m3", "ann")
    deliver()

    assert acts.board() == [(1, "ann", 50), (2, "bob", 50)]
    assert differences() == []


def test_the_newest_of_what_remains_is_shown_where_the_latest_counts() -> None:
    LeaderboardFactory.create(operator="latest")
    accept_all(
        score("ann", 1_500, "m1", occurred_at=NOW - timedelta(minutes=3), details={"n": 1}),
        score("ann", 1_520, "m2", occurred_at=NOW - timedelta(minutes=2), details={"n": 2}),
        score("ann", 1_480, "m3", occurred_at=NOW - timedelta(minutes=1)),
    )
    acts.void("m3")
    deliver()
    assert acts.board() == [(1, "ann", 1_520)]
    acts.void("m2")
    deliver()
    assert acts.board() == [(1, "ann", 1_500)]
    assert acts.entries()[0].details == msgspec.Raw(b'{"n": 1}')


def test_details_fall_back_too_where_points_and_number_stay() -> None:
    LeaderboardFactory.create(operator="latest")
    accept_all(score("ann", 1_500, "m1", details={"n": 1}), score("ann", 1_500, "m2", details={"n": 2}))
    deliver()
    before = total("ann")
    acts.void("m2", "ann")
    deliver()

    assert total("ann")[:2] == before[:2]
    assert acts.entries()[0].details == msgspec.Raw(b'{"n": 1}')


def test_a_void_for_all_leaves_who_has_nothing_else_on_no_board() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"])
    accept_all(score("ann", 30, "m1"), score("bob", 20, "m1"), score("bob", 5, "m2"), score("eve", 0, "m1"))
    deliver()

    corrected = acts.void("m1")
    deliver()

    assert corrected.correction.player_count == 3
    assert acts.board() == acts.board("quiz:day:global") == [(1, "bob", 5)]
    assert sorted(acts.changes(corrected), key=str) == sorted([(30, None), (25, 5), (0, None)] * 2, key=str)


def test_a_new_score_after_all_was_void_begins_anew() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"))
    slow = Worker("quiz")
    acts.void("m1")
    accept_all(score("ann", 3, "m2"))
    deliver()
    slow.write()

    assert acts.board() == [(1, "ann", 3)]
    assert codes(accept(score("ann", 30, "m1"), score("ann", 31, "m1"))) == ["duplicate", "match_conflict"]


def test_a_penalty_can_be_taken_back_by_a_void_of_its_own_match() -> None:
    LeaderboardFactory.create()
    (stored,) = accept_all(score("ann", 30))
    penalty = acts.adjust("ann", -20).correction
    deliver()
    acts.void(penalty.match_id)
    deliver()

    assert total("ann")[:2] == (30, stored.accept_no)
    assert acts.board() == [(1, "ann", 30)]


def test_who_would_leave_the_range_is_left_as_he_is_and_named() -> None:
    LeaderboardFactory.create(min_points=-100, min_total=0)
    accept_all(*(score(player, 30, "m1") for player in ("ann", "bob", "eve")), score("bob", 5))
    accept_all(score("bob", -20))

    corrected = acts.void("m1")

    assert "bob would have -15" in corrected.correction.problem
    assert corrected.correction.finished_at
    assert [ScoreEvent.objects.filter(match_id="m1", voided_at=None).count(), total("bob")[0]] == [1, 15]
    assert corrected.correction.player_count == 2
    with pytest.raises(PointsOutOfRange, match="bob would have -15"):
        acts.void("m1", "bob")
    assert Correction.objects.count() == 1


@pytest.mark.parametrize(("ties", "leader"), [("first", "bob"), ("latest_first", "ann"), ("shared", "bob")])
def test_a_penalty_is_the_newest_event_where_points_are_equal(ties: str, leader: str) -> None:
    LeaderboardFactory.create(ties=ties)
    accept_all(score("ann", 30), score("bob", 20))
    acts.adjust("ann", -10)
    deliver()

    lines = acts.board()
    assert lines[0][1] == leader
    assert [rank for rank, _, _ in lines] == ([1, 1] if ties == "shared" else [1, 2])


def test_decimals_and_their_changes_are_told_as_sent() -> None:
    LeaderboardFactory.create(scale=3, min_total=0)
    accept_all(score("ann", 12, "m1"))
    acts.adjust("ann", Decimal("-0.125"))
    deliver()
    assert acts.board() == [(1, "ann", Decimal("11.875"))]


def test_a_low_leaderboards_penalty_is_more() -> None:
    LeaderboardFactory.create(order="low")
    accept_all(score("ann", 30), score("bob", 35))
    acts.adjust("ann", 10)
    deliver()

    assert acts.board() == [(1, "bob", 35), (2, "ann", 40)]
