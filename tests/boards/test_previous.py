"""Previous ranks beside a board: of one snapshot or of another, never of half of one."""

from typing import Any

import pytest

from boards import store
from boards.keys import board_keys
from boards.previous import COPY_LIVES_MS, begin_previous, fill_previous, read_shown_snapshots, swap_previous
from boards.store import Call

BOARD, OTHER = "quiz:day:2026-10-19:global", "quiz:day:2026-10-19:city:hyd"
KEYS = board_keys(BOARD)
WEEK_SECONDS = 7 * 86_400

pytestmark = pytest.mark.usefixtures("boards_redis")


def show(snapshot: int, ranks: dict[str, int], kept_seconds: int = 0) -> bool:
    begun = {BOARD}
    return (
        begin_previous(BOARD, snapshot)
        and fill_previous({BOARD: list(ranks.items())}, snapshot, begun)
        and swap_previous(BOARD, snapshot, kept_seconds, has_copy=True)
    )


def shown(boards_redis: Any, board_id: str = BOARD) -> dict[str, int]:
    found = boards_redis.hgetall(board_keys(board_id).previous)
    return {player_id: int(rank) for player_id, rank in found.items() if player_id}


def test_all_ranks_of_a_snapshot_take_the_place_of_those_before(boards_redis: Any) -> None:
    assert show(1, {"ann": 1, "bob": 2})
    assert begin_previous(BOARD, 2)
    fill_previous({BOARD: [("bob", 1)]}, 2, {BOARD})
    assert shown(boards_redis) == {"ann": 1, "bob": 2}

    assert swap_previous(BOARD, 2, 0, has_copy=True)

    assert shown(boards_redis) == {"bob": 1}
    assert read_shown_snapshots([BOARD, OTHER]) == [2, None]
    assert not boards_redis.exists(KEYS.staging_previous)


def test_many_players_go_in_portions(boards_redis: Any) -> None:
    ranks = {f"player-{number}": number for number in range(1, 5_500)}

    assert show(1, ranks)

    assert shown(boards_redis) == ranks


def test_an_older_snapshot_is_refused_wherever_it_comes(boards_redis: Any) -> None:
    assert begin_previous(BOARD, 1)
    assert begin_previous(BOARD, 2)

    assert not fill_previous({BOARD: [("ann", 1)]}, 1, {BOARD})
    assert not swap_previous(BOARD, 1, 0, has_copy=True)
    assert not begin_previous(BOARD, 1)
    assert fill_previous({BOARD: [("ann", 7)]}, 2, {BOARD})
    assert swap_previous(BOARD, 2, 0, has_copy=True)
    assert not begin_previous(BOARD, 1)
    assert not swap_previous(BOARD, 1, 0, has_copy=False)
    assert shown(boards_redis) == {"ann": 7}


def test_what_one_worker_has_shown_the_other_leaves_alone(boards_redis: Any) -> None:
    """Both write the same; who comes second must not show the half that he has written since."""
    assert show(1, {"ann": 1, "bob": 2})

    assert fill_previous({BOARD: [("bob", 2)]}, 1, set())
    assert swap_previous(BOARD, 1, 0, has_copy=True)

    assert shown(boards_redis) == {"ann": 1, "bob": 2}
    assert not boards_redis.exists(KEYS.staging_previous)


def test_a_copy_that_somebody_writes_is_left_to_him_and_taken_over_when_he_is_silent(boards_redis: Any) -> None:
    assert begin_previous(BOARD, 1)
    assert not begin_previous(BOARD, 1)

    boards_redis.pexpire(KEYS.staging_previous, COPY_LIVES_MS - 40_000)

    assert begin_previous(BOARD, 1)


def test_a_lost_copy_is_not_shown_as_a_whole_one(boards_redis: Any) -> None:
    begin_previous(BOARD, 1)
    fill_previous({BOARD: [("ann", 1)]}, 1, {BOARD})
    boards_redis.delete(KEYS.staging_previous)

    assert not fill_previous({BOARD: [("bob", 2)]}, 1, {BOARD})
    assert not swap_previous(BOARD, 1, 0, has_copy=True)
    assert not boards_redis.exists(KEYS.previous)


def test_a_board_that_nobody_of_the_snapshot_is_on_shows_none(boards_redis: Any) -> None:
    show(1, {"ann": 1})

    assert swap_previous(BOARD, 2, 0, has_copy=False)

    assert not boards_redis.exists(KEYS.previous)


def test_they_live_as_long_as_the_board(boards_redis: Any) -> None:
    boards_redis.zadd(KEYS.live, {"ann": 1})
    boards_redis.expire(KEYS.live, 500)

    show(1, {"ann": 1}, WEEK_SECONDS)

    assert boards_redis.ttl(KEYS.previous) == 500


def test_of_a_board_that_is_not_there_they_live_as_its_rule_says(boards_redis: Any) -> None:
    show(1, {"ann": 1}, WEEK_SECONDS)
    assert boards_redis.ttl(KEYS.previous) == WEEK_SECONDS

    show(2, {"ann": 1})
    assert boards_redis.ttl(KEYS.previous) == -1


def test_a_copy_that_nobody_finishes_goes_by_itself(boards_redis: Any) -> None:
    begin_previous(BOARD, 1)
    fill_previous({BOARD: [("ann", 1)], OTHER: [("ann", 1)]}, 1, {BOARD})

    for board_id in (BOARD, OTHER):
        assert 0 < boards_redis.pttl(board_keys(board_id).staging_previous) <= COPY_LIVES_MS


def test_no_trace_of_an_erased_player_is_left(boards_redis: Any) -> None:
    show(1, {"ann": 1, "bob": 2})
    begin_previous(BOARD, 2)
    fill_previous({BOARD: [("ann", 1), ("bob", 2)]}, 2, {BOARD})

    store.run([Call("forget_player", KEYS, ["ann", 5])])

    for key in (KEYS.previous, KEYS.staging_previous):
        assert "ann" not in boards_redis.hgetall(key)
        assert "bob" in boards_redis.hgetall(key)
