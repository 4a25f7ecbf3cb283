"""The one package that talks to Redis. Everything else hands it calls of scripts and gets raw replies.

Here for threads, which wait; `boards.store.stream` is for an event loop.
"""

import hashlib
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import hiredis
import redis
from django.conf import settings
from redis import exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from boards.circuit import Circuit
from scoring.errors import LeaderboardError

log = logging.getLogger(__name__)

Argument = bytes | str | int

LUA = Path(__file__).resolve().parent.parent / "lua"


class BoardsUnavailable(LeaderboardError):
    """Redis can't be reached, or does not answer in time."""

    status, code = 503, "boards_unavailable"


class Call(NamedTuple):
    """One run of a Lua script: its name, the keys it may touch, its arguments."""

    script: str
    keys: Sequence[str]
    arguments: Sequence[Argument]


def run(calls: Sequence[Call]) -> list[Any]:
    """Run the scripts, each atomic for itself, in 1 round trip. Replies in the order of the calls.

    BoardsUnavailable if Redis is away, or there but unable to serve. A script's own error is raised as
    redis.ResponseError. Either way some of the calls may have been carried out: only repeatable scripts are written here.
    """
    with _served() as client:
        return _run(client, calls)


def scan(pattern: str, cursor: int, count: int) -> tuple[int, list[str]]:
    """Some of the keys that match, and the cursor to go on with; 0 begins and ends. Keys may come more than once.

    BoardsUnavailable. 1 round trip, O(count).
    """
    with _served() as client:
        next_cursor, keys = client.scan(cursor, match=pattern, count=count)
        return int(next_cursor), [str(key, "utf-8") for key in keys if isinstance(key, bytes)]


def ping() -> None:
    """Raise BoardsUnavailable unless Redis answers."""
    with _served() as client:
        client.ping()


PAUSE_SECONDS = 1.0
"""How often a Redis that is away is tried."""

UNABLE = (
    exceptions.OutOfMemoryError,
    exceptions.ReadOnlyError,
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
)
"""Redis is there, but full, the old primary of a failover, or not yet ready: nothing that the caller did."""

UNABLE_CODES = re.compile(r"\b(OOM|READONLY|MISCONF|CLUSTERDOWN|MASTERDOWN|LOADING|TRYAGAIN)\b")
"""The same in the text: the client has no class for each, and Redis 6 wraps what a command in a script met."""


@contextmanager
def _served() -> Iterator[redis.Redis]:
    """The client, unless Redis is known to be away; its errors translated."""
    client, circuit = _server()
    if not circuit.may_try():
        raise unavailable()
    try:
        yield client
    except (redis.ConnectionError, redis.TimeoutError) as error:
        circuit.failed()
        log.warning("Redis is away: %s", error)
        raise unavailable() from error
    except redis.ResponseError as error:
        circuit.worked()
        if not is_unable(error):
            raise
        log.warning("Redis can't serve: %s", error)
        raise unavailable() from error
    circuit.worked()


def unavailable() -> BoardsUnavailable:
    """The error to raise when Redis is away."""
    return BoardsUnavailable("the boards can't be read or written at the moment", retry_after_seconds=1)


def is_unable(error: redis.RedisError) -> bool:
    """Whether an error that Redis answered is about Redis itself, and not about what was asked."""
    return isinstance(error, UNABLE) or UNABLE_CODES.search(str(error)) is not None


def circuit() -> Circuit:
    """The breaker of the boards' server, one a process: whoever finds Redis away spares all others the wait."""
    return _server().circuit


def _run(client: redis.Redis, calls: Sequence[Call]) -> list[Any]:
    replies = _send(client, calls)
    missing = [place for place, reply in enumerate(replies) if isinstance(reply, exceptions.NoScriptError)]
    if missing:
        # Redis was restarted, or has never seen this script.
        for name in {calls[place].script for place in missing}:
            client.script_load(script_of(name).text)
        for place, reply in zip(missing, _send(client, [calls[place] for place in missing]), strict=True):
            replies[place] = reply
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def _send(client: redis.Redis, calls: Sequence[Call]) -> list[Any]:
    pipeline = client.pipeline(transaction=False)
    for script, keys, arguments in calls:
        pipeline.evalsha(script_of(script).sha, len(keys), *keys, *arguments)
    return pipeline.execute(raise_on_error=False)


class Script(NamedTuple):
    text: str
    sha: str


@cache
def script_of(name: str) -> Script:
    """The Lua script of this name, and the hash that Redis knows it by."""
    text = (LUA / f"{name}.lua").read_text(encoding="utf-8")
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


class _Server(NamedTuple):
    client: redis.Redis
    circuit: Circuit


class _Packer:
    """Commands as bytes. The client's own looks at each argument for kinds that we never send: a third of its time."""

    def pack(self, *command: Argument) -> list[bytes]:
        name, *arguments = command
        # The client names some commands by two words.
        words = name.split() if isinstance(name, str | bytes) else [name]
        return [hiredis.pack_command((*words, *arguments))]


@cache
def _server() -> _Server:
    """One pool a process; redis-py opens new connections after a fork. No retries: the callers have better ones."""
    timeout_seconds = settings.REDIS_TIMEOUT_SECONDS
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=timeout_seconds,
        socket_connect_timeout=timeout_seconds,
        retry=Retry(NoBackoff(), 0),
        command_packer=_Packer(),
    )
    return _Server(client, Circuit(PAUSE_SECONDS))


def forget_server() -> None:
    """Connect anew, to wherever the settings say by now."""
    _server.cache_clear()
