"""The top page is the same for everyone: one read in TOP_CACHE_SECONDS serves all, as rendered bytes."""

import hashlib
import time
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from boards.api.answers import TopAnswer, closed_mark
from boards.board_ids import Board
from boards.dialogue import Dialogue, read
from boards.readers import reader_of
from scoring.api.reply import encode

MAX_PAGES = 1_000
STALE_SECONDS = 1.0
"""How long a page may be shown beyond its age while another request is reading it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page. The ETag covers what is on it, not when it was read."""

    body: bytes
    etag: str
    expires_at: float


_pages: dict[tuple[str, int, int], Page] = {}
_being_read: set[tuple[str, int, int]] = set()


def read_top_page(board: Board, n: int, offset: int, now: datetime) -> Dialogue[Page]:
    """A page of the board, at most TOP_CACHE_SECONDS old. BoardsUnavailable if it must be read and can't be.

    One request reads a stale page; the others meanwhile show the last one.
    """
    key = (board.id, n, offset)
    page = _pages.get(key)
    if page is not None and page.expires_at > time.monotonic():
        return page
    if page is not None and page.expires_at > time.monotonic() - STALE_SECONDS and key in _being_read:
        return page
    _being_read.add(key)
    try:
        page = yield from _read(board, n, offset, now)
    finally:
        _being_read.discard(key)
    if len(_pages) >= MAX_PAGES:
        _pages.clear()
    _pages[key] = page
    return page


def forget_top_pages() -> None:
    _pages.clear()


def _read(board: Board, n: int, offset: int, now: datetime) -> Dialogue[Page]:
    reader = reader_of(board, now)
    top = yield from read(reader.top(n, offset))
    digest = hashlib.blake2b(encode((reader.closed, top)), digest_size=12).hexdigest()
    body = encode(TopAnswer(board.id, now, top.players, top.entries, closed_mark(reader)))
    return Page(body, f'"{digest}"', time.monotonic() + settings.TOP_CACHE_SECONDS)
