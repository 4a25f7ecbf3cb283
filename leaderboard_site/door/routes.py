"""Which requests are hot: by method and path, and usual in all else. Pure, but for the settings.

Whatever is unusual goes on to Django, which knows what to say to it.
"""

import re
from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.http import QueryDict
from django.http.request import split_domain_port, validate_host

from leaderboard_site.door.messages import Scope

OF_A_BOARD = re.compile(r"/v1/leaderboards/([^/]+)/(?:(top|ranks)|players/([^/]+))")
LONGEST_QUERY = 1_000
SESSION_COOKIE = settings.SESSION_COOKIE_NAME.encode()
JSON_ACCEPTED = frozenset({b"*/*", b"application/*", b"application/json"})


class Hot(Enum):
    SCORE = auto()
    BATCH = auto()
    TOP = auto()
    PLAYER = auto()
    RANKS = auto()


EXACT = {("POST", "/v1/scores"): Hot.SCORE, ("POST", "/v1/scores/batch"): Hot.BATCH}
HOT_READS = {"top": ("GET", Hot.TOP), "ranks": ("POST", Hot.RANKS), "": ("GET", Hot.PLAYER)}


class HotRequest(NamedTuple):
    """A request that the door answers. `board` and `player_id` as the path has them, where it has."""

    hot: Hot
    board: str
    player_id: str
    query: Mapping[str, str]
    headers: Mapping[bytes, bytes]


def find_hot(scope: Scope) -> HotRequest | None:
    """The request, if it is hot and usual: an allowed host, each header once, JSON accepted, a path in UTF-8,
    no session."""
    route = _route(scope["method"], scope["path"])
    if route is None:
        return None
    headers = dict(scope["headers"])
    query = scope["query_string"]
    is_usual = (
        len(headers) == len(scope["headers"])
        and _is_allowed_host(headers.get(b"host", b""))
        and _accepts_json(headers.get(b"accept", b"*/*"))
        and len(query) <= LONGEST_QUERY
        and "\ufffd" not in scope["path"]
        # A session that is not known any more is taken back by Django.
        and SESSION_COOKIE not in headers.get(b"cookie", b"")
    )
    return HotRequest(*route, _parse_query(query), headers) if is_usual else None


def _route(method: str, path: str) -> tuple[Hot, str, str] | None:
    exact = EXACT.get((method, path))
    if exact is not None:
        return exact, "", ""
    found = OF_A_BOARD.fullmatch(path)
    if found is None:
        return None
    board, what, player_id = found.groups("")
    of_method, hot = HOT_READS[what]
    return (hot, board, player_id) if method == of_method else None


@lru_cache(maxsize=1_000)
def _is_allowed_host(host: bytes) -> bool:
    domain, _ = split_domain_port(host.decode("latin-1"))
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


@lru_cache(maxsize=1_000)
def _accepts_json(accept: bytes) -> bool:
    # With parameters (`;q=`, `;indent=`), Django REST framework decides.
    return b";" not in accept and not JSON_ACCEPTED.isdisjoint(part.strip() for part in accept.split(b","))


@lru_cache(maxsize=1_000)
def _parse_query(query: bytes) -> Mapping[str, str]:
    return QueryDict(query).dict()
