"""The store: scripts are loaded when missing; Redis away, full or read-only is not the fault of what is written."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from boards import store
from boards.store import BoardsUnavailable, Call
from tests.boards.bare_boards import KEYS, apply

READ_TOP = Call("read_top", (KEYS.live, KEYS.details, "lb-names"), (0, 10, 0))


def test_scripts_that_redis_has_forgotten_are_loaded_again(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 1})
    boards_redis.script_flush()

    apply(raises={"ann": 2})

    assert boards_redis.zscore(KEYS.live, "ann") == 2


def test_replies_stay_in_order_though_some_scripts_were_missing(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 1})
    boards_redis.script_flush()
    apply(raises={"ann": 2})
    write = Call("apply", KEYS, (0, 1, 1, 0, 3, "ann"))

    replies = store.run([write, READ_TOP, write, READ_TOP])

    assert [reply if isinstance(reply, int) else reply[0] for reply in replies] == [0, 1, 0, 1]


@pytest.mark.usefixtures("redis_away")
def test_redis_away_is_an_error_of_the_contract() -> None:
    with pytest.raises(BoardsUnavailable) as caught:
        store.run([READ_TOP])

    assert (caught.value.status, caught.value.code, caught.value.retry_after_seconds) == (503, "boards_unavailable", 1)
    with pytest.raises(BoardsUnavailable):
        store.ping()


def test_redis_there_answers_a_ping() -> None:
    store.ping()


def test_a_mistake_of_ours_is_no_outage(boards_redis: redis.Redis) -> None:
    boards_redis.set(KEYS.live, "not a sorted set")

    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        store.run([READ_TOP])


@pytest.fixture
def full_redis(boards_redis: redis.Redis) -> Iterator[None]:
    """No memory left, and nothing that may be evicted."""
    before: Any = boards_redis.config_get("maxmemory")
    boards_redis.config_set("maxmemory", 1)
    yield
    boards_redis.config_set("maxmemory", before["maxmemory"])


@pytest.fixture
def read_only_redis(boards_redis: redis.Redis) -> Iterator[None]:
    """What a failover makes of the old primary. It finds no new one."""
    boards_redis.replicaof("127.0.0.1", "1")
    yield
    boards_redis.replicaof("NO", "ONE")


@pytest.mark.parametrize("trouble", ["full_redis", "read_only_redis"])
def test_a_redis_that_takes_no_writes_is_away(request: pytest.FixtureRequest, trouble: str) -> None:
    request.getfixturevalue(trouble)

    with pytest.raises(BoardsUnavailable):
        apply(raises={"ann": 1})


def test_commands_that_the_client_names_by_two_words_are_two(boards_redis: redis.Redis) -> None:
    """The packer of commands is ours; `SCRIPT LOAD` is such a one, and bytes go as they are."""
    boards_redis.script_flush()
    store.run([Call("apply", KEYS, (0, 1, 1, 0, b"3", "anj\u00e9"))])

    assert boards_redis.zscore(KEYS.live, "anj\u00e9") == 3
