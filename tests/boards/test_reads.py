"""Reads agree with each other and with the order that the rows have."""

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards import reads, store
from boards.entries import Entry
from boards.percent import top_percent
from boards.reads import PlayerNotRanked, Ranks, Standing, Top
from tests.boards.bare_boards import BOARD, apply, pack

boards = st.dictionaries(
    st.from_regex(r"[A-Za-z0-9._:@-]{1,6}", fullmatch=True),
    st.tuples(st.integers(-3, 3) | st.sampled_from([-900_718, 900_718]), st.integers(0, 10**10 - 1)),
    min_size=1,
    max_size=12,
).filter(lambda board: len({accept_no for _, accept_no in board.values()}) == len(board))


def read(one: reads.Read[reads.T]) -> reads.T:
    (reply,) = store.run([one.call])
    return one.parse(reply)


def top(n: int = 100, offset: int = 0) -> Top:
    return read(reads.top(BOARD, n, offset))


def standing(player_id: str, around: int = 5) -> Standing:
    return read(reads.standing(BOARD, player_id, around))


def ranks(*player_ids: str) -> Ranks:
    return read(reads.ranks(BOARD, player_ids))


def fill(count: int) -> list[str]:
    """Players on falling points; their ids, best first."""
    player_ids = [f"player-{n}" for n in range(count)]
    apply(raises={player_id: pack(count - n, n) for n, player_id in enumerate(player_ids)})
    return player_ids


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(boards, st.integers(0, 4), st.data())
def test_top_standing_and_ranks_tell_the_same(
    boards_redis: redis.Redis, board: dict[str, tuple[int, int]], around: int, data: st.DataObject
) -> None:
    boards_redis.flushdb()
    apply(raises={player_id: pack(*row) for player_id, row in board.items()})
    best_first = sorted(board, key=lambda player_id: (-board[player_id][0], board[player_id][1]))
    true = [Entry(rank, player_id, None, board[player_id][0]) for rank, player_id in enumerate(best_first, 1)]

    assert top() == Top(len(board), true)
    asked = data.draw(st.permutations(best_first))
    assert ranks(*asked) == Ranks(len(board), [true[best_first.index(player_id)] for player_id in asked])
    for entry in true:
        place = best_first.index(entry.player_id)
        mine = standing(entry.player_id, around)
        assert (mine.own, mine.rank, mine.players) == (entry, entry.rank, len(board))
        assert mine.top_percent == top_percent(place + 1, len(board))
        assert mine.neighbours == (true[max(place - around, 0) : place + around + 1] if around else [])


@pytest.mark.usefixtures("boards_redis")
def test_pages_put_together_are_the_board() -> None:
    player_ids = fill(25)

    pages = [top(n=7, offset=offset) for offset in range(0, 35, 7)]

    assert [entry.player_id for page in pages for entry in page.entries] == player_ids
    assert [entry.rank for page in pages for entry in page.entries] == list(range(1, 26))
    assert {page.players for page in pages} == {25}
    assert pages[-1].entries == []


@pytest.mark.usefixtures("boards_redis")
@pytest.mark.parametrize(
    ("place", "around", "first", "last"), [(0, 3, 0, 3), (1, 3, 0, 4), (5, 3, 2, 8), (9, 3, 6, 9), (4, 50, 0, 9)]
)
def test_neighbours_end_where_the_board_does(place: int, around: int, first: int, last: int) -> None:
    player_ids = fill(10)

    neighbours = standing(player_ids[place], around).neighbours

    assert [entry.player_id for entry in neighbours] == player_ids[first : last + 1]
    assert [entry.rank for entry in neighbours] == list(range(first + 1, last + 2))


@pytest.mark.usefixtures("boards_redis")
def test_a_player_alone_on_a_board() -> None:
    fill(1)

    alone = Entry(1, "player-0", None, 1)
    assert standing("player-0") == Standing(alone, 1, 1, 100.0, [alone])
    assert top() == Top(1, [alone])


@pytest.mark.usefixtures("boards_redis")
def test_who_is_not_on_the_board_has_no_rank() -> None:
    fill(3)

    with pytest.raises(PlayerNotRanked, match="nobody is not on quiz:all:global"):
        standing("nobody")
    assert ranks("nobody", "player-2").entries == [Entry(None, "nobody", None, None), Entry(3, "player-2", None, 1)]


@pytest.mark.usefixtures("boards_redis")
def test_an_empty_board() -> None:
    assert top() == Top(0, [])
    assert ranks("ann") == Ranks(0, [Entry(None, "ann", None, None)])
    with pytest.raises(PlayerNotRanked):
        standing("ann", 0)


@pytest.mark.usefixtures("boards_redis")
def test_ranks_of_nobody_are_an_empty_list() -> None:
    fill(3)

    assert ranks() == Ranks(3, [])


@pytest.mark.usefixtures("boards_redis")
def test_the_largest_reads_fit_one_script() -> None:
    player_ids = fill(1200)

    assert len(top(n=reads.MAX_TOP).entries) == reads.MAX_TOP
    assert [entry.rank for entry in ranks(*player_ids[: reads.MAX_RANKS]).entries] == list(range(1, 1001))
    assert len(standing(player_ids[600], reads.MAX_AROUND).neighbours) == 2 * reads.MAX_AROUND + 1


@pytest.mark.usefixtures("boards_redis")
def test_the_same_player_asked_twice_is_answered_twice() -> None:
    fill(2)

    assert [entry.rank for entry in ranks("player-1", "player-1").entries] == [2, 2]
