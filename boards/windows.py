"""Custom windows in Redis: the list of those that are there or asked for, and the use that keeps one there.

A window is listed before it is built. Whoever applies scores reads the list, then the rows: so what happens after a window was
listed is written to it, and what happened before is in the rows that its builder reads.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from django.conf import settings

from boards import store
from boards.board_ids import Board, find_board
from boards.keys import WINDOWS, board_keys, built_key
from boards.store import Call
from scoring.errors import LeaderboardError, LeaderboardNotFound
from scoring.rules import forget_rules

FOLLOWED = timedelta(seconds=60)
"""How long scores follow a window that has gone. Clocks may differ by as much."""

LISTED = 2 * FOLLOWED
"""How long it stays on the list. Whoever still followed it has ended his task before it can be listed anew."""


class BoardBuilding(LeaderboardError):
    """A custom window that is not there yet. It is being built, and the question may be asked again."""

    status, code = 503, "board_building"


class TooManyWindows(LeaderboardError):
    """There are as many custom windows as there may be, and this is not one of them."""

    status, code = 503, "too_many_windows"


def use_call(board: Board, now: datetime) -> Call:
    """Have the window live on, or be built; 1 round trip, O(1). What it replies: `is_built`."""
    keys = board_keys(board.id)
    kept_ms, followed_ms, listed_ms = (_ms(span) for span in (_kept(), FOLLOWED, LISTED))
    return Call(
        "use_window",
        (built_key(board.id), keys.live, keys.details, WINDOWS),
        (board.id, _at_ms(now), kept_ms, followed_ms, listed_ms, settings.WINDOWS_AT_ONCE),
    )


def is_built(reply: Any) -> bool:
    """Whether the window can be read. TooManyWindows if it is not going to be built."""
    if reply < 0:
        raise TooManyWindows(
            f"there are {settings.WINDOWS_AT_ONCE} custom windows already; those that nobody reads any more go",
            retry_after_seconds=ceil(_kept().total_seconds()),
        )
    return bool(reply)


def keep_listed(board: Board, now: datetime) -> None:
    """Have scores follow the window while it is being built, for longer than its lease can hold. Repeatable. 1 round trip."""
    leaves_at = now + max(_kept(), FOLLOWED) + LISTED
    store.run([Call("keep_window", (WINDOWS,), (board.id, _at_ms(leaves_at)))])


def give_up(boards: Sequence[Board]) -> None:
    """Have these windows built anew when somebody asks for them, and what is being built begun again. Repeatable. 1 round trip."""
    keys = [(built_key(board.id), board_keys(board.id).lease) for board in boards]
    store.run([Call("drop", (key,), ()) for both in keys for key in both])


def read_built(boards: Sequence[Board]) -> list[bool]:
    """Whether each of these windows can be read, without using it. 1 round trip."""
    return [bool(reply) for reply in store.run([Call("is_there", (built_key(board.id),), ()) for board in boards])]


def list_living(now: datetime) -> list[Board]:
    """The windows that are there, being built or waiting for it. 1 round trip."""
    return list(_listed(now, now + LISTED))


def list_followed(now: datetime) -> list[Board]:
    """The windows that scores follow: these, and those that have gone a moment ago. 1 round trip."""
    return list(_listed(now, now + LISTED - FOLLOWED))


def count_living(now: datetime) -> int:
    """How many there are, of those that there may be at once. 1 round trip."""
    return len(_list(now + LISTED))


def _listed(now: datetime, leaving_after: datetime) -> Iterator[Board]:
    for board_id in _list(leaving_after):
        try:
            yield _find(board_id, now)
        except LeaderboardError:
            # Its leaderboard is gone, or no longer has such boards.
            continue


def _list(leaving_after: datetime) -> list[str]:
    (board_ids,) = store.run([Call("list_windows", (WINDOWS,), (_at_ms(leaving_after),))])
    return [board_id.decode() for board_id in board_ids]


def _find(board_id: str, now: datetime) -> Board:
    # Whoever listed it may have a clock for which its first day has begun.
    now += FOLLOWED
    try:
        return find_board(board_id, now)
    except LeaderboardNotFound:
        # A leaderboard of the last second: the process that was asked knew it before this one does.
        forget_rules()
        return find_board(board_id, now)


def _kept() -> timedelta:
    return timedelta(seconds=settings.WINDOW_KEPT_SECONDS)


def _at_ms(instant: datetime) -> int:
    return int(instant.timestamp() * 1000)


def _ms(span: timedelta) -> int:
    return int(span.total_seconds() * 1000)
