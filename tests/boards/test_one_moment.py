"""No answer mixes two moments: each read is one script, whatever is written meanwhile."""

import itertools
import threading
from collections.abc import Iterator

import pytest
import redis

from boards import reads, store
from tests.boards.bare_boards import BOARD, apply, pack

PLAYERS = [f"player-{n}" for n in range(30)]
READS = 300


@pytest.fixture
def busy_board(boards_redis: redis.Redis) -> Iterator[None]:
    """In turn each player is sent to the front and removed: places and the number of players never rest."""
    done = threading.Event()
    apply(raises={player_id: pack(1, n) for n, player_id in enumerate(PLAYERS)})

    def write() -> None:
        for epoch in itertools.count(1):
            for player_id in PLAYERS[1:]:
                apply((player_id, 2 * epoch, None))
                apply((player_id, 2 * epoch + 1, pack(epoch % 900_000, 0)))
                if done.is_set():
                    return

    writer = threading.Thread(target=write)
    writer.start()
    yield
    done.set()
    writer.join()


@pytest.mark.usefixtures("busy_board")
def test_the_neighbours_of_a_standing_fit_its_rank_and_count() -> None:
    for _ in range(READS):
        read = reads.standing(BOARD, "player-0", 50)
        (reply,) = store.run([read.call])
        mine = read.parse(reply)
        assert [entry.rank for entry in mine.neighbours] == list(range(1, mine.players + 1))
        own = mine.neighbours[mine.rank - 1]
        assert (own.player_id, own.points) == ("player-0", mine.own.points)
        assert len({entry.player_id for entry in mine.neighbours}) == mine.players


@pytest.mark.usefixtures("busy_board")
def test_a_page_fits_the_number_of_players() -> None:
    for _ in range(READS):
        read = reads.top(BOARD, 1000)
        (reply,) = store.run([read.call])
        page = read.parse(reply)
        assert len(page.entries) == page.players


@pytest.mark.usefixtures("busy_board")
def test_ranks_are_a_numbering_of_the_players() -> None:
    for _ in range(READS):
        read = reads.ranks(BOARD, PLAYERS)
        (reply,) = store.run([read.call])
        answer = read.parse(reply)
        ranked = [entry.rank for entry in answer.entries if entry.rank is not None]
        assert sorted(ranked) == list(range(1, answer.players + 1))
