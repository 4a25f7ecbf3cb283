"""Names on the boards: the newest version wins, whoever comes last."""

import itertools

import pytest
import redis
from redis.crc import key_slot

from boards import reads, store
from boards.keys import NAMES, NAMES_COPY
from boards.names import begin_names, swap_names, write_names
from tests.boards.bare_boards import BOARD, apply


def write(*names: tuple[str, int, str]) -> None:
    assert not write_names(names)


def shown(player_id: str = "ann") -> str | None:
    apply(raises={player_id: 1})
    read = reads.standing(BOARD, player_id, 0)
    (reply,) = store.run([read.call])
    return read.parse(reply).own.name


@pytest.mark.usefixtures("boards_redis")
@pytest.mark.parametrize("order", list(itertools.permutations([1, 2, 10])))
def test_the_newest_version_wins_in_any_order(order: tuple[int, ...]) -> None:
    for version in order:
        write(("ann", version, f"name {version}"))

    assert shown() == "name 10"


@pytest.mark.usefixtures("boards_redis")
@pytest.mark.parametrize("name", ["Ann: the 2nd", "12:34", ":", "हैदराबाद 🎉", "0"])
def test_a_name_may_hold_anything(name: str) -> None:
    write(("ann", 1, name))
    assert shown() == name

    write(("ann", 2, "next"))
    assert shown() == "next"


@pytest.mark.usefixtures("boards_redis")
def test_who_has_no_name_is_shown_without() -> None:
    write(("bob", 1, "Bob"), ("bob", 2, ""))

    assert shown("ann") is None
    assert shown("bob") is None


def test_names_of_thousands_are_written_in_one_call(boards_redis: redis.Redis) -> None:
    write(*((f"player-{n}", 1, f"Player {n}") for n in range(3000)))

    assert boards_redis.hlen(NAMES) == 3000


def test_a_copy_gets_every_name_meanwhile_and_takes_their_place(boards_redis: redis.Redis) -> None:
    write(("gone", 1, "Gone"), ("ann", 3, "Ann"))
    begin_names("token")

    assert write_names([("bob", 1, "Bob")])
    assert write_names([("ann", 4, "Anne")])
    assert write_names([("ann", 3, "Ann"), ("eve", 1, "Eve")])
    assert swap_names("token")

    assert boards_redis.hgetall(NAMES) == {"ann": "4:Anne", "bob": "1:Bob", "eve": "1:Eve"}
    assert boards_redis.keys("*") == [NAMES]
    assert boards_redis.ttl(NAMES) == -1


def test_a_copy_that_is_begun_twice_keeps_what_it_has(boards_redis: redis.Redis) -> None:
    begin_names("token")
    write_names([("ann", 1, "Ann")])
    begin_names("token")

    assert swap_names("token")
    assert boards_redis.hgetall(NAMES) == {"ann": "1:Ann"}


def test_a_copy_of_somebody_else_is_not_swapped(boards_redis: redis.Redis) -> None:
    write(("ann", 1, "Ann"))
    assert not swap_names("token")
    begin_names("another")

    assert not swap_names("token")
    assert boards_redis.hgetall(NAMES) == {"ann": "1:Ann"}


def test_an_empty_copy_takes_the_place_too(boards_redis: redis.Redis) -> None:
    write(("gone", 1, "Gone"))
    begin_names("token")

    assert swap_names("token")
    assert not boards_redis.exists(NAMES)


def test_names_and_their_copy_are_in_one_cluster_slot() -> None:
    assert key_slot(NAMES.encode()) == key_slot(NAMES_COPY.encode())
