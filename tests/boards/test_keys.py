"""Keys: what must change together lives in one slot of a cluster, by the cluster's own function."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.crc import key_slot

from boards.keys import NAMES, board_keys

board_ids = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,31}:[a-z0-9:_-]{1,40}:[A-Za-z0-9:_-]{1,97}", fullmatch=True)


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
    )


@given(board_ids)
def test_all_keys_of_a_board_share_a_slot(board_id: str) -> None:
    keys = board_keys(board_id)

    assert len({key_slot(key.encode()) for key in keys}) == 1
    assert len({*keys, NAMES}) == len(keys) + 1


@given(board_ids, board_ids)
def test_boards_share_no_key(one: str, two: str) -> None:
    assert (one == two) or not set(board_keys(one)) & set(board_keys(two))
