"""Keys: what must change together lives in one slot of a cluster, by the cluster's own function."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.crc import key_slot

from boards.keys import NAMES, board_id_of, board_keys

PERIOD = r"([a-z0-9:_-]{1,40}|window:\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d)"
board_ids = st.from_regex(rf"[a-z0-9][a-z0-9_-]{{0,31}}:{PERIOD}:[A-Za-z0-9:_-]{{1,97}}", fullmatch=True)
shards = st.integers(0, 1_000)


def slots(keys: Iterable[str]) -> set[int]:
    return {key_slot(key.encode()) for key in keys}


@pytest.mark.parametrize(
    ("key", "slot"),
    [("lb:s42:global", 15501), ("lb:s42:global:new", 14703), ("{lb:s42:global}:new", 15501)],
)
def test_the_slot_numbers_of_the_design(key: str, slot: int) -> None:
    assert key_slot(key.encode()) == slot


def test_the_keys_of_a_board() -> None:
    assert board_keys("s42:global") == (
        "lb:s42:global",
        "{lb:s42:global}:new",
        "{lb:s42:global}:fence",
        "{lb:s42:global}:lease",
        "{lb:s42:global}:details",
        "{lb:s42:global}:new:details",
        "{lb:s42:global}:previous",
        "{lb:s42:global}:new:previous",
    )


@given(board_ids, shards)
def test_all_keys_of_a_board_or_of_one_of_its_shards_share_a_slot(board_id: str, shard: int) -> None:
    keys = board_keys(board_id, shard)

    assert len(slots(keys)) == 1
    assert len({*keys, NAMES}) == len(keys) + 1


@given(board_ids)
def test_shards_of_a_board_spread_over_the_slots(board_id: str) -> None:
    assert len(slots(board_keys(board_id, shard).live for shard in range(1, 10))) == 9
    # By chance some of many meet.
    assert len(slots(board_keys(board_id, shard).live for shard in range(100))) > 80


@given(board_ids, board_ids, shards, shards)
def test_boards_and_shards_share_no_key(one: str, two: str, shard: int, other: int) -> None:
    for this, that in [((one, shard), (two, other)), ((one, shard), (one, other))]:
        assert this == that or not set(board_keys(*this)) & set(board_keys(*that))


@given(board_ids, shards)
def test_each_key_tells_its_board(board_id: str, shard: int) -> None:
    assert {board_id_of(key) for key in board_keys(board_id, shard)} == {board_id}
