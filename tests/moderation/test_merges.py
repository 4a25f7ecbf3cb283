"""Two accounts of one person become one: events keep their matches, points and times, and totals are folded anew."""

import pytest

from scoring.models import Player, ReviewState, ScoreEvent
from scoring.moderation.merging import Keep
from tests.boards_truth import differences, shown_boards
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score, total
from tests.ledger_truth import stored_totals
from tests.moderation import acts
from tests.moderation.workers import Worker

pytestmark = pytest.mark.django_db


def test_each_operator_folds_the_events_of_both() -> None:
    LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race", operator="best")
    LeaderboardFactory.create(slug="chess", operator="latest")
    accept_all(*(score("ann", points, leaderboard="quiz") for points in (30, 5)))
    best, _ = accept_all(score("ann", 90, leaderboard="race"), score("bob", 80, leaderboard="race"))
    _, newest = accept_all(score("ann", 1_500, leaderboard="chess"), score("bob", 1_400, leaderboard="chess"))
    acts.merge("ann", "bob")
    deliver()

    assert total("bob")[0] == 35
    assert total("bob", leaderboard="race")[:2] == (90, best.accept_no)
    assert total("bob", leaderboard="chess")[:2] == (1_400, newest.accept_no)
    for slug in ("quiz", "race", "chess"):
        assert {player for _, player in stored_totals(slug)} == {"bob"}
        assert differences(slug) == []


@pytest.mark.parametrize(("keep", "points"), [(Keep.FROM, 30), (Keep.INTO, 5)])
def test_of_a_match_that_both_played_one_event_counts_and_the_other_is_void(keep: Keep, points: int) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1", details={"of": "ann"}), score("bob", 5, "m1", details={"of": "bob"}))
    acts.merge("ann", "bob", keep=keep)

    counting = ScoreEvent.objects.get(match_id="m1", voided_at=None)
    assert (counting.player.player_id, counting.points, total("bob")[0]) == ("bob", points, points)
    assert counting.details == {"of": "ann" if keep is Keep.FROM else "bob"}
    assert ScoreEvent.objects.filter(match_id="m1").count() == 2


def test_a_void_event_decides_nothing() -> None:
    """Only one of the two counts: nobody has to be asked."""
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m1"), score("ann", 7, "m2"), score("bob", 9, "m2"))
    acts.void("m1", "bob")
    acts.void("m2", "ann")
    acts.merge("ann", "bob")

    assert total("bob")[0] == 30 + 9


@pytest.mark.parametrize("flagged", ["ann", "bob"])
def test_if_one_was_flagged_so_is_what_they_become(flagged: str) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30), score("bob", 5), score("eve", 1))
    acts.flag(flagged)
    deliver()
    acts.merge("ann", "bob")
    deliver()

    assert Player.objects.get(player_id="bob").review_state == ReviewState.FLAGGED
    assert acts.board() == [(1, "eve", 1)]
    # By either id it is the same person.
    acts.unflag("ann")
    deliver()
    assert acts.board() == [(1, "bob", 35), (2, "eve", 1)]


def test_a_slow_worker_does_not_bring_the_first_account_back() -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", 30, segments={"city": "hyd"}), score("bob", 5, segments={"city": "pune"}))
    slow = Worker("quiz")
    acts.merge("ann", "bob")
    deliver()
    slow.write()

    assert acts.board() == acts.board("quiz:all:city:pune") == [(1, "bob", 35)]
    assert "quiz:all:city:hyd" not in shown_boards("quiz")


def test_what_is_sent_under_either_id_is_one_players() -> None:
    LeaderboardFactory.create(scopes=["city"])
    LeaderboardFactory.create(slug="chess", operator="latest")
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m2", name="Bob", segments={"city": "hyd"}))
    acts.merge("ann", "bob")
    sent = [
        score("ann", 30, "m1"),
        score("bob", 30, "m1"),
        score("ann", 31, "m1"),
        score("ann", 1, "m3", name="Ann", segments={"city": "pune"}),
        score("ann", 2, "m4", leaderboard="chess", name="Ann"),
    ]

    assert codes(accept(*sent)) == ["duplicate", "duplicate", "match_conflict", "accepted", "accepted"]
    deliver()
    assert acts.board("quiz:all:city:hyd") == [(1, "bob", 36)]
    assert [entry.name for entry in acts.entries()] == ["Bob"]
    assert total("bob", leaderboard="chess")[0] == 2


@pytest.mark.parametrize("first", ["ann", "bob"])
def test_of_one_match_under_both_ids_in_one_call_the_first_is_taken(first: str) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 1), score("bob", 1))
    acts.merge("ann", "bob")
    second = "bob" if first == "ann" else "ann"
    batch = [(score(first, 10, f"m{n}"), score(second, 20, f"m{n}")) for n in range(20)]

    outcomes = accept(*(one for pair in batch for one in pair))

    assert codes(outcomes) == ["accepted", "match_conflict"] * 20


def test_accounts_that_became_one_are_all_erased_with_it() -> None:
    LeaderboardFactory.create()
    accept_all(*(score(player, 5) for player in ("ann", "bob", "eve")))
    acts.merge("ann", "bob")
    acts.merge("bob", "eve")
    acts.erase("ann")
    deliver()

    assert not Player.objects.filter(player_id__in=["ann", "bob", "eve"]).exists()
    assert acts.board() == []
    (stored,) = accept_all(score("ann", 3))
    assert stored.totals == {"all": 3}
