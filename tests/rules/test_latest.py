"""Operator latest: the newest event by when it happened; a new epoch begins only where the total gets worse."""

from datetime import timedelta

import pytest

from scoring.models import OutboxEvent
from scoring.ranking import Operator, Order, Ties
from scoring.submissions import Submission
from tests.factories import NOW, LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db


@pytest.fixture(params=Order)
def order(request: pytest.FixtureRequest) -> Order:
    order = Order(request.param)
    LeaderboardFactory.create(operator=Operator.LATEST, order=order, min_points=-1000)
    return order


def at(minutes: int, points: int) -> Submission:
    """A score of ann that happened so many minutes ago."""
    return score("ann", points, occurred_at=NOW - timedelta(minutes=minutes))


def numbers(*scores: Submission) -> list[int]:
    return [stored.accept_no for stored in accept_all(*scores)]


def test_a_rating_goes_up_and_down(order: Order) -> None:
    for points in (1500, 1480, 1490, -5):
        (number,) = numbers(score("ann", points))
        assert total("ann")[:2] == (points, number)


def test_only_a_step_to_worse_points_begins_an_epoch(order: Order) -> None:
    better, worse = (20, 5) if order is Order.HIGH else (5, 20)
    epochs = []
    for points in (10, better, 10, 10, worse, better, better, worse):
        numbers(score("ann", points))
        epochs.append(total("ann")[2])

    assert epochs == [0, 0, 1, 1, 2, 2, 2, 3]


@pytest.mark.parametrize("in_one_batch", [True, False])
def test_a_fall_that_a_later_rise_hides_begins_an_epoch_too(order: Order, in_one_batch: bool) -> None:
    numbers(score("ann", 10))
    worse, best = (5, 30) if order is Order.HIGH else (30, 5)

    calls = (
        [[score("ann", worse), score("ann", best)]] if in_one_batch else [[score("ann", worse)], [score("ann", best)]]
    )
    for batch in calls:
        numbers(*batch)

    assert (total("ann")[0], total("ann")[2]) == (best, 1)


def test_the_first_batch_of_a_player_may_fall_as_well(order: Order) -> None:
    first, second = (20, 10) if order is Order.HIGH else (10, 20)

    _, last = numbers(score("ann", first), score("ann", second))

    assert total("ann") == (second, last, 1)


def test_the_same_points_keep_the_acceptance_number(order: Order) -> None:
    (first,) = numbers(score("ann", 10))

    numbers(score("ann", 10), score("ann", 10))
    numbers(score("ann", 10))

    assert total("ann") == (10, first, 0)


def test_other_details_for_the_same_points_begin_an_epoch() -> None:
    """The score is the same: nothing else could tell a worker that has read the row before that it comes too late."""
    LeaderboardFactory.create(operator=Operator.LATEST)
    (first,) = numbers(score("ann", 10, details={"car": "red"}))

    for details, epoch in (({"car": "red"}, 0), ({"car": "blue"}, 1), (None, 2), (None, 2)):
        numbers(score("ann", 10, details=details))
        assert total("ann") == (10, first, epoch)


def test_the_number_is_of_the_event_that_last_moved_the_points(order: Order) -> None:
    _, moved, _ = numbers(score("ann", 10), score("ann", 20), score("ann", 20))

    assert total("ann")[:2] == (20, moved)


def test_there_and_back_in_one_batch_moves_the_number(order: Order) -> None:
    numbers(score("ann", 10))

    _, back = numbers(score("ann", 20), score("ann", 10))

    assert total("ann") == (10, back, 1)


@pytest.mark.parametrize("in_one_batch", [True, False])
def test_an_event_that_happened_earlier_changes_nothing(order: Order, in_one_batch: bool) -> None:
    scores = [at(5, 10), at(8, 99), at(8, -99)]

    first, *_ = numbers(*scores) if in_one_batch else [numbers(one)[0] for one in scores]

    assert total("ann") == (10, first, 0)


def test_an_earlier_event_leaves_no_trace_for_the_boards(order: Order) -> None:
    numbers(at(5, 10))
    OutboxEvent.objects.all().delete()

    numbers(at(6, 50))

    assert not OutboxEvent.objects.exists()


def test_of_the_same_moment_the_one_accepted_last_counts(order: Order) -> None:
    numbers(at(5, 10))

    _, last = numbers(at(5, 20), at(5, 30))

    assert total("ann")[:2] == (30, last)


def test_a_late_event_among_newer_ones_is_passed_over(order: Order) -> None:
    numbers(at(9, 10))

    first, _, last = numbers(at(5, 20), at(7, 99), at(3, 40))

    assert total("ann")[:2] == (40, last)
    assert total("ann")[2] == (0 if order is Order.HIGH else 1)
    assert first < last


def test_a_newer_event_of_the_same_points_is_what_later_ones_are_measured_by(order: Order) -> None:
    (first,) = numbers(at(9, 10))
    numbers(at(2, 10))

    numbers(at(5, 50))

    assert total("ann") == (10, first, 0)


def test_each_period_has_its_own_newest_event() -> None:
    LeaderboardFactory.create(
        operator=Operator.LATEST,
        ties=Ties.SHARED,
        period_kinds=["day", "all"],
        day_starts_at_hour=14,
        grace_seconds=3600,
    )
    numbers(at(1, 10))

    (yesterday,) = numbers(at(50, 99))

    assert total("ann", "day:2026-10-18")[:2] == (99, yesterday)
    assert total("ann", "all")[0] == total("ann", "day:2026-10-19")[0] == 10
