"""Which events move a total, its acceptance number and its epoch."""

import pytest

from tests.factories import LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db


def numbers(*scores: object) -> list[int]:
    return [stored.accept_no for stored in accept_all(*scores)]  # type: ignore[arg-type]


def test_a_zero_point_answer_keeps_the_place_among_ties() -> None:
    LeaderboardFactory.create()
    (first,) = numbers(score("ann", 10))

    numbers(score("ann", 0))

    assert total("ann") == (10, first, 0)


def test_a_zero_point_answer_in_the_same_batch_keeps_it_too() -> None:
    LeaderboardFactory.create()

    _, moved, _ = numbers(score("ann", 0), score("ann", 10), score("ann", 0))

    assert total("ann") == (10, moved, 0)


def test_zero_as_the_only_score_is_a_total() -> None:
    LeaderboardFactory.create()

    first, _ = numbers(score("ann", 0), score("ann", 0))
    numbers(score("ann", 0))

    assert total("ann") == (0, first, 0)


def test_the_first_points_after_zeros_bring_their_own_number() -> None:
    LeaderboardFactory.create()
    numbers(score("ann", 0))

    (moved,) = numbers(score("ann", 10))

    assert total("ann") == (10, moved, 0)


def test_points_move_the_number_to_the_newest_that_moved_them() -> None:
    LeaderboardFactory.create()

    _, second = numbers(score("ann", 10), score("ann", 5))
    assert total("ann") == (15, second, 0)
    (third,) = numbers(score("ann", 1))
    assert total("ann") == (16, third, 0)


@pytest.mark.parametrize("in_one_batch", [True, False])
def test_ten_up_and_ten_down_begins_a_new_epoch(in_one_batch: bool) -> None:
    LeaderboardFactory.create(min_points=-100)
    up, down = score("ann", 10), score("ann", -10)

    numbers_given = numbers(up, down) if in_one_batch else numbers(up) + numbers(down)
    assert total("ann") == (0, numbers_given[-1], 1)

    numbers(score("ann", 0))
    assert total("ann") == (0, numbers_given[-1], 1)


@pytest.mark.parametrize("points", [[-1], [5, -1], [-1, 100]])
def test_whatever_may_have_lowered_a_total_begins_a_new_epoch(points: list[int]) -> None:
    LeaderboardFactory.create(min_points=-100)
    numbers(score("ann", 50))

    numbers(*(score("ann", one) for one in points))

    assert total("ann")[2] == 1


def test_raises_never_begin_an_epoch() -> None:
    LeaderboardFactory.create()

    for points in (10, 0, 5):
        numbers(score("ann", points))

    assert total("ann")[2] == 0


def test_of_the_best_the_winning_event_is_kept_whole() -> None:
    LeaderboardFactory.create(operator="best")

    _, best, _ = numbers(score("ann", 10), score("ann", 30), score("ann", 20))

    assert total("ann") == (30, best, 0)


def test_of_equal_bests_the_first_counts() -> None:
    LeaderboardFactory.create(operator="best")

    first, _ = numbers(score("ann", 30), score("ann", 30))
    numbers(score("ann", 30), score("ann", 10))

    assert total("ann") == (30, first, 0)


def test_a_better_attempt_replaces_the_best() -> None:
    LeaderboardFactory.create(operator="best", min_points=-100)
    numbers(score("ann", -20))

    (better,) = numbers(score("ann", -10))

    assert total("ann") == (-10, better, 0)


def test_a_worse_attempt_is_in_the_ledger_but_moves_nothing() -> None:
    LeaderboardFactory.create(operator="best")
    (best,) = numbers(score("ann", 30))

    (worse,) = accept_all(score("ann", 10, "worse"))

    assert worse.totals == {"all": 30}
    assert total("ann") == (30, best, 0)
