"""The one definition of the percentage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.percent import top_percent

boards = st.integers(1, 10**8).flatmap(lambda players: st.tuples(st.integers(1, players), st.just(players)))


@given(boards)
def test_it_is_above_0_and_at_most_100(board: tuple[int, int]) -> None:
    assert 0 < top_percent(*board) <= 100


@given(boards)
def test_it_never_promises_more_than_the_rank_is(board: tuple[int, int]) -> None:
    rank, players = board

    assert 100 * rank <= top_percent(rank, players) * players + 1e-6


@given(st.integers(2, 10**6), st.data())
def test_it_never_falls_as_the_rank_grows(players: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, players - 1))

    assert top_percent(rank, players) <= top_percent(rank + 1, players)


@given(st.integers(1, 10**8))
def test_the_last_is_in_the_top_100(players: int) -> None:
    assert top_percent(players, players) == 100


@pytest.mark.parametrize(
    ("rank", "players", "percent"), [(1, 300_000, 0.01), (1, 1, 100), (1, 3, 33.34), (12, 100, 12)]
)
def test_worked_values(rank: int, players: int, percent: float) -> None:
    assert top_percent(rank, players) == percent


@pytest.mark.parametrize(("rank", "players"), [(0, 5), (6, 5), (1, 0), (-1, 5)])
def test_a_rank_that_can_not_be_is_refused(rank: int, players: int) -> None:
    with pytest.raises(ValueError, match="rank"):
        top_percent(rank, players)
