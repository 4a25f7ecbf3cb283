"""The top page is the same for everyone: one Redis read in TOP_CACHE_SECONDS serves all, as rendered bytes."""

import hashlib
import threading
import time
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from boards import reads, store
from boards.api.answers import TopAnswer
from boards.board_ids import Board
from scoring.api.answers import encode

MAX_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page. The ETag covers what is on it, not when it was read."""

    body: bytes
    etag: str
    expires_at: float


_pages: dict[tuple[str, int, int], Page] = {}
_reading = threading.Lock()


def top_page(board: Board, n: int, offset: int, now: datetime) -> Page:
    """A page of the board, at most TOP_CACHE_SECONDS old. BoardsUnavailable if it must be read and can't be."""
    key = (board.id, n, offset)
    page = _pages.get(key)
    if page is None or page.expires_at <= time.monotonic():
        with _reading:
            page = _pages.get(key)
            if page is None or page.expires_at <= time.monotonic():
                if len(_pages) >= MAX_PAGES:
                    _pages.clear()
                page = _pages[key] = _read(board, n, offset, now)
    return page


def forget_top_pages() -> None:
    _pages.clear()


def _read(board: Board, n: int, offset: int, now: datetime) -> Page:
    read = reads.top(board, n, offset)
    (reply,) = store.run([read.call])
    top = read.parse(reply)
    digest = hashlib.blake2b(encode(top), digest_size=12).hexdigest()
    body = encode(TopAnswer(board.id, now, top.players, top.entries))
    return Page(body, f'"{digest}"', time.monotonic() + settings.TOP_CACHE_SECONDS)
