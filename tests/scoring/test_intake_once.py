"""Once only: a repeat changes nothing, the same match with other points is a conflict and changes nothing either."""

import pytest

from scoring.acceptance import Stored
from scoring.models import OutboxEvent, Player, ScoreEvent, Total
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score, total

pytestmark = pytest.mark.django_db


def everything() -> list[list[tuple[object, ...]]]:
    """All rows that intake may write."""
    rows = (Player.objects, ScoreEvent.objects, Total.objects, OutboxEvent.objects)
    return [sorted(objects.values_list()) for objects in rows]


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(min_points=-100)


def test_a_first_score_is_stored_with_its_totals() -> None:
    (stored,) = accept_all(score("ann", 10, "m1"))

    assert (stored.duplicate, stored.leaderboard, stored.player_id, stored.match_id) == (False, "quiz", "ann", "m1")
    assert stored.totals == {"all": 10}
    assert total("ann") == (10, stored.accept_no, 0)


def test_a_repeated_score_moves_nothing() -> None:
    (first,) = accept_all(score("ann", 10, "m1"))
    accept_all(score("ann", 5, "m2"), score("bob", 10, "m1"))
    before = everything()

    (again,) = accept_all(score("ann", 10, "m1"))

    assert again == Stored(True, "quiz", "ann", "m1", first.accept_no, {"all": 15})
    assert everything() == before


def test_the_same_match_with_other_points_is_a_conflict_and_changes_nothing() -> None:
    accept_all(score("ann", 10, "m1"))
    before = everything()

    assert codes(accept(score("ann", 11, "m1"))) == ["match_conflict"]
    assert everything() == before


def test_the_same_match_of_another_player_or_leaderboard_is_another_score() -> None:
    LeaderboardFactory.create(slug="race")

    stored = accept_all(
        score("ann", 10, "m1"),
        score("bob", 10, "m1"),
        score("ann", 10, "m1", leaderboard="race"),
        score("ann", 10, "m2"),
    )

    assert not any(one.duplicate for one in stored)
    assert len({one.accept_no for one in stored}) == 4


def test_within_one_batch_the_first_counts() -> None:
    outcomes = accept(score("ann", 10, "m1"), score("ann", 10, "m1"), score("ann", 7, "m1"), score("ann", 5, "m2"))

    assert codes(outcomes) == ["accepted", "duplicate", "match_conflict", "accepted"]
    first, again = outcomes[:2]
    assert isinstance(first, Stored)
    assert isinstance(again, Stored)
    assert again.accept_no == first.accept_no
    assert again.totals == first.totals == {"all": 15}
    assert total("ann")[0] == 15


def test_a_batch_sent_again_whole_moves_nothing() -> None:
    scores = [score(player, points) for player in ("ann", "bob") for points in (10, 0, -5)]
    accept_all(*scores)
    before = everything()

    assert codes(accept(*reversed(scores))) == ["duplicate"] * 6
    assert everything() == before


def test_a_repeat_beside_new_scores_moves_only_by_the_new_ones() -> None:
    repeated = score("ann", 10)
    accept_all(repeated)

    outcomes = accept(score("ann", 1), repeated, score("bob", 2))

    assert codes(outcomes) == ["accepted", "duplicate", "accepted"]
    assert (total("ann")[0], total("bob")[0]) == (11, 2)


def test_acceptance_numbers_grow_in_the_order_of_the_batch() -> None:
    stored = accept_all(*(score(player) for player in ("zoe", "ann", "max", "ann", "bob")))

    numbers = [one.accept_no for one in stored]
    assert numbers == sorted(numbers)


def test_an_accepted_batch_leaves_one_event_for_all_its_players_and_periods() -> None:
    OutboxEvent.objects.all().delete()
    accept_all(score("ann"), score("bob"), score("ann"))

    (event,) = OutboxEvent.objects.filter(names_changed=False)
    players = Player.objects.filter(player_id__in=["ann", "bob"])
    assert sorted(event.player_ids) == sorted(player.pk for player in players)
    assert event.queue == "live"
    assert len(event.period_ids or []) == 1


def test_an_empty_batch_is_answered_with_nothing() -> None:
    assert accept() == []
