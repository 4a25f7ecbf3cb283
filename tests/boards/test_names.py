"""Names on the boards: the newest version wins, whoever comes last."""

import itertools

import pytest
import redis

from boards import reads, store
from boards.keys import NAMES
from boards.store import Call
from tests.boards.bare_boards import BOARD, apply


def write(*names: tuple[str, int, str]) -> None:
    store.run([Call("write_names", [NAMES], [part for name in names for part in name])])


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
