"""Custom windows asked for, built by hand and read; and what they must show, by brute force from the ledger."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from boards.board_ids import find_board
from boards.dialogue import hold, read
from boards.readers import reader_of
from boards.reads import Top
from boards.windows import BoardBuilding
from rebuilds.windows import ask_builds
from tests.factories import NOW
from tests.rebuilds.working import work

WINDOW = "quiz:window:2026-10-13..2026-10-19:global"
HYD = "quiz:window:2026-10-13..2026-10-19:city:hyd"
DAY = timedelta(days=1)


def top(board_id: str = WINDOW, now: datetime = NOW) -> Top:
    """What readers see of it. BoardBuilding if it is not there."""
    found: Top = hold(read(reader_of(find_board(board_id, now), now).top(1_000, 0)))
    return found


def lines(board_id: str = WINDOW, now: datetime = NOW) -> list[tuple[int | None, str, Any]]:
    """Rank, player and points of each line, best first."""
    return [(entry.rank, entry.player_id, entry.points) for entry in top(board_id, now).entries]


def build(*board_ids: str, now: datetime = NOW) -> None:
    """Ask for the windows, and do what there is to do until they are there."""
    for board_id in board_ids:
        with pytest.raises(BoardBuilding):
            top(board_id, now)
    ask_builds(now)
    work(now)
