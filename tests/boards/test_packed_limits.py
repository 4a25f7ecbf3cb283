"""The ends of what can be packed, on a real Redis: order, read-back and bounds are exact in both of its encodings."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import redis

from boards import reads, store
from boards.board_ids import Board
from scoring.packing import EXACT, MAX_DECIMAL, SLOT, WIDE_SPAN, Packing, choose_packing
from scoring.periods import ALL_TIME
from scoring.ranking import Order, Ties
from tests.boards.bare_boards import KEYS, RULES, apply

Row = tuple[int, int]

LAST = SLOT - 1
RANGES = [
    (-MAX_DECIMAL, MAX_DECIMAL),
    (0, WIDE_SPAN),
    (-WIDE_SPAN, 0),
    (-WIDE_SPAN // 2, WIDE_SPAN // 2),
    (EXACT - WIDE_SPAN, EXACT),
]


def board_of(packing: Packing, order: Order) -> Board:
    return Board(replace(RULES, packing=packing, order=order, ties=packing.ties), ALL_TIME, "global")


def rows_at_the_ends(low: int, high: int) -> list[Row]:
    """The ends of the range and their neighbours, each with the ends of the slot and theirs."""
    points = sorted({low, low + 1, (low + high) // 2, (low + high) // 2 + 1, high - 1, high})
    return list(itertools.product(points, (0, 1, SLOT // 2, LAST - 1, LAST)))


@pytest.fixture(params=[128, 0], ids=["listpack", "skiplist"])
def encoding(request: pytest.FixtureRequest, boards_redis: redis.Redis) -> Iterator[set[str]]:
    """Makes Redis keep sorted sets of up to 128 members in its compact form, or none; how it calls the form."""
    option = "zset-max-ziplist-entries"
    before: Any = boards_redis.config_get(option)
    boards_redis.config_set(option, request.param)
    yield {"listpack", "ziplist"} if request.param else {"skiplist"}
    boards_redis.config_set(option, before[option])


@pytest.mark.parametrize("ties", [Ties.FIRST, Ties.LATEST_FIRST])
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("ends", RANGES)
def test_rows_at_the_ends_are_ranked_and_read_exactly(
    boards_redis: redis.Redis, encoding: set[str], ties: Ties, order: Order, ends: tuple[int, int]
) -> None:
    packing = choose_packing(order, ties, *ends)
    board = board_of(packing, order)
    rows = {f"p{n}": row for n, row in enumerate(rows_at_the_ends(*ends))}
    sign = 1 if ties is Ties.FIRST else -1
    best_first = sorted(rows, key=lambda player: (-rows[player][0] * order.direction, sign * rows[player][1]))

    apply(raises={player: packing.pack(*row) for player, row in rows.items()})

    assert boards_redis.object("ENCODING", KEYS.live) in encoding
    read = reads.top(board, 100)
    (reply,) = store.run([read.call])
    assert [(e.rank, e.player_id, e.points) for e in read.parse(reply).entries] == [
        (rank, player, rows[player][0]) for rank, player in enumerate(best_first, 1)
    ]


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("ends", RANGES)
def test_exclusive_bounds_count_exactly_who_is_better(
    boards_redis: redis.Redis, encoding: set[str], order: Order, ends: tuple[int, int]
) -> None:
    """As shards will count. The lowest scores of a wide board are subnormal doubles, and zero."""
    packing = choose_packing(order, Ties.FIRST, *ends)
    scores = {f"p{n}": packing.pack(*row) for n, row in enumerate(rows_at_the_ends(*ends))}
    apply(raises=scores)
    assert boards_redis.object("ENCODING", KEYS.live) in encoding

    best_first = sorted(scores, key=lambda player: -float(scores[player]))
    for place, player in enumerate(best_first):
        shown = boards_redis.zscore(KEYS.live, player)
        assert shown == float(scores[player])
        for bound in (f"({scores[player]}", f"({shown!r}"):
            assert boards_redis.zcount(KEYS.live, bound, "+inf") == place
            assert boards_redis.zcount(KEYS.live, "-inf", bound) == len(scores) - place - 1


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("order", Order)
def test_shared_points_up_to_two_to_the_53_keep_their_neighbours_apart(order: Order) -> None:
    packing = choose_packing(order, Ties.SHARED, -EXACT, EXACT)
    board = board_of(packing, order)
    points = [-EXACT, -EXACT + 1, -1, 0, 1, EXACT - 1, EXACT]
    apply(raises={f"p{n}{twin}": packing.pack(n, 0) for n in points for twin in "ab"})

    read = reads.top(board, 100)
    (reply,) = store.run([read.call])

    best_first = sorted(points, key=lambda n: -n * order.direction)
    assert [(e.rank, e.points) for e in read.parse(reply).entries] == [
        (1 + 2 * place, n) for place, n in enumerate(best_first) for _ in "ab"
    ]


def test_the_lowest_score_of_a_wide_board_is_zero_and_the_next_the_smallest_double() -> None:
    packing = Packing(wide=True)

    assert [float(packing.pack(0, LAST - n)) for n in (0, 1, 2)] == [0.0, 5e-324, 1e-323]
