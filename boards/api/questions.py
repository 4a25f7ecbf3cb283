"""What players ask, from the words of the request to the reply: check, read, format. Knows no door.

Each question is a dialogue of one round trip to Redis and no query, or of none and one query of the archive.
"""

from datetime import datetime

from django.utils.http import parse_etags

from boards import reads
from boards.api.answers import RanksAnswer, StandingAnswer, closed_mark
from boards.api.parameters import Query, decimal, integer, parse_player_id, parse_ranks
from boards.board_ids import Board, find_board
from boards.dialogue import Dialogue, read
from boards.read_counts import read_counts
from boards.readers import reader_of
from boards.top_cache import read_top_page
from scoring.api.reply import Reply, json_reply
from scoring.grants import Grant, require_read


def find_readable(board_id: str, grant: Grant | None, now: datetime) -> Board:
    """The board, if whoever holds the grant may read it; counted as read. Raises as `find_board` and `require_read` do."""
    board = find_board(board_id, now)
    require_read(grant, board.rules)
    if not board.is_closed_at(now):
        read_counts.count(board.id)
    return board


def ask_top(board_id: str, query: Query, if_none_match: str, grant: Grant | None, now: datetime) -> Dialogue[Reply]:
    """The best players of a board, read at most once a second; 304 if `if_none_match` names the page."""
    n = integer(query, "n", default=100, least=1, most=reads.MAX_TOP)
    offset = integer(query, "offset", default=0, least=0, most=10**9)
    board = find_readable(board_id, grant, now)
    page = yield from read_top_page(board, n, offset, now)
    kept_by = "public" if board.rules.is_public else "private"
    headers = (("ETag", page.etag), ("Cache-Control", f"{kept_by}, max-age=1"))
    if if_none_match and _is_known(if_none_match, page.etag):
        return Reply(304, b"", headers)
    return Reply(200, page.body, headers)


def ask_player(board_id: str, player_id: str, query: Query, grant: Grant | None, now: datetime) -> Dialogue[Reply]:
    """One player's rank and points, with the neighbours."""
    around = integer(query, "around", default=5, least=0, most=reads.MAX_AROUND)
    expect = decimal(query, "expect")
    board = find_readable(board_id, grant, now)
    reader = reader_of(board, now)
    standing = yield from read(reader.standing(parse_player_id(player_id), around))
    return json_reply(StandingAnswer.of(board, now, standing, expect, closed_mark(reader)))


def ask_ranks(board_id: str, body: bytes, grant: Grant | None, now: datetime) -> Dialogue[Reply]:
    """The entries of up to 1,000 players, in the order asked for."""
    player_ids = parse_ranks(body)
    board = find_readable(board_id, grant, now)
    reader = reader_of(board, now)
    ranks = yield from read(reader.ranks(player_ids))
    return json_reply(RanksAnswer(board.id, now, ranks.players, ranks.entries, closed_mark(reader)))


def _is_known(if_none_match: str, etag: str) -> bool:
    """Whether If-None-Match names the tag; compared weakly (RFC 9110), since proxies that compress weaken it."""
    known = [tag.removeprefix("W/") for tag in parse_etags(if_none_match)]
    return "*" in known or etag in known
