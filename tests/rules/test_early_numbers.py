"""A call that took its numbers first but commits last: the totals end at the fold of the ledger, and the boards too."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from boards import reads, store
from boards.board_ids import find_board
from boards.writes import PeriodBoards, ShownPlayer
from scoring.models import Period
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from scoring.totals import load_period
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score, total
from tests.path.test_lock_order import OtherCall
from tests.rules.sql_lists import sql_lists
from tests.rules.test_one_list import read

pytestmark = pytest.mark.django_db(transaction=True)


def overtaken(early: int, late: int) -> tuple[int, int]:
    """Two scores of ann, of which the one with the smaller number commits last; their numbers in this order.

    The late call holds bob's total, for which the early one waits, with its numbers taken.
    """
    LeaderboardFactory.create(slug="race")
    # In this order: totals are locked in the order in which players became known.
    accept_all(score("bob", 1), score("bob", 1, leaderboard="race"))
    accept_all(score("ann", 1, leaderboard="race"))
    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("bob", 5), score("ann", early, details={"call": "early"}))
        with transaction.atomic():
            accept_all(score("bob", 3))
            other.run_until_it_waits()
            (mine,) = accept_all(score("ann", late, details={"call": "late"}))
        assert other.answer is not None
        _, first = other.answer.result(timeout=60)
    assert first.accept_no < mine.accept_no  # type: ignore[union-attr]
    return first.accept_no, mine.accept_no  # type: ignore[union-attr]


def show_as_it_was(points: int, accept_no: int) -> None:
    """A worker that has read ann's row before the last commit writes it to the boards."""
    period = Period.objects.get(leaderboard__slug="quiz")
    boards = PeriodBoards(get_rules("quiz"), load_period(period.pk), NOW)
    boards.show(ShownPlayer("ann", "{}", (), False), points, accept_no, 0, '{"call": "late"}')
    store.run(boards.calls())


def shown() -> tuple[list[tuple[int | None, str]], str]:
    """The list, and the details of ann."""
    entries = read(reads.top(find_board("quiz:all:global", NOW), 100)).entries
    (details,) = [bytes(e.details).decode() for e in entries if e.player_id == "ann"]  # type: ignore[arg-type]
    return [(entry.rank, entry.player_id) for entry in entries], details


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("operator", "points"), [(Operator.BEST, 10), (Operator.ADD, 0)])
@pytest.mark.parametrize("is_shown_first", [True, False])
def test_of_equal_points_the_earlier_number_counts_though_it_comes_late(
    operator: Operator, points: int, order: Order, ties: Ties, is_shown_first: bool
) -> None:
    LeaderboardFactory.create(operator=operator, order=order, ties=ties)
    early, late = overtaken(points, points)
    accept_all(score("eve", points))

    assert total("ann") == (points, early, int(ties is not Ties.FIRST))
    if is_shown_first:
        show_as_it_was(points, late)
        deliver()
    else:
        deliver()
        show_as_it_was(points, late)
    lines = sql_lists("quiz", order, ties)["quiz:all:global"]
    assert shown() == ([(line.rank, line.player_id) for line in lines], '{"call": "early"}')


@pytest.mark.parametrize("order", Order)
def test_a_better_attempt_that_comes_late_counts_and_a_worse_one_does_not(order: Order) -> None:
    LeaderboardFactory.create(operator=Operator.BEST, order=order)
    better, worse = (20, 10) if order is Order.HIGH else (10, 20)

    early, _ = overtaken(better, worse)
    assert total("ann") == (better, early, 0)
    deliver()
    assert shown()[1] == '{"call": "early"}'


@pytest.mark.parametrize("order", Order)
def test_a_worse_attempt_that_comes_late_changes_nothing(order: Order) -> None:
    LeaderboardFactory.create(operator=Operator.BEST, order=order)
    better, worse = (20, 10) if order is Order.HIGH else (10, 20)

    _, late = overtaken(worse, better)
    assert total("ann") == (better, late, 0)
    deliver()
    assert shown()[1] == '{"call": "late"}'


def test_a_sum_has_the_number_and_details_of_the_newest_that_moved_it() -> None:
    LeaderboardFactory.create(operator=Operator.ADD)

    _, late = overtaken(10, 20)

    assert total("ann") == (30, late, 0)
    deliver()
    assert shown()[1] == '{"call": "late"}'
