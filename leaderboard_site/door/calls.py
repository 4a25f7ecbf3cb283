"""The hot calls: who asks, may he, how often; then the room's own work; then its reply.

In the order of Django REST framework: key, scope, limit, and only then the body.
"""

from datetime import datetime
from functools import partial
from typing import TypeVar

from django.core.exceptions import RequestDataTooBig
from django.utils import timezone

from boards.api.limits import count_request, require_within
from boards.api.questions import ask_player, ask_ranks, ask_top
from boards.board_ids import find_board
from boards.dialogue import Dialogue
from boards.store import BoardsUnavailable
from boards.store.stream import Stream
from leaderboard_site.door.batches import Batches
from leaderboard_site.door.commits import Commits
from leaderboard_site.door.definitions import Definitions
from leaderboard_site.door.messages import BodyLimits, ClientGone, Receive, read_body
from leaderboard_site.door.routes import Hot, HotRequest
from leaderboard_site.problems import reply_to, reply_to_unexpected
from scoring.api.reply import Headers, Reply
from scoring.api.submit import accept_batch, address_score, score_reply
from scoring.errors import LeaderboardError, NotAuthenticated
from scoring.grants import LOOK_AGAIN_SECONDS, Grant, find_grant, require_scope
from scoring.models import ApiKey

T = TypeVar("T")

SUBMITS = frozenset({Hot.SCORE, Hot.BATCH})


class Calls:
    def __init__(
        self, definitions: Definitions, stream: Stream, commits: Commits, batches: Batches, body_limits: BodyLimits
    ) -> None:
        self._definitions = definitions
        self._stream = stream
        self._commits = commits
        self._batches = batches
        self._body_limits = body_limits

    async def answer(self, request: HotRequest, receive: Receive) -> Reply | None:
        """The reply to a hot request, errors included; None if it is about a board that is closed. ClientGone."""
        now = timezone.now()
        limited: Headers = ()
        try:
            if self._definitions.are_aging():
                await self._definitions.renew()
            if request.board and _is_closed(request.board, now):
                return None
            grant = await self._grant_of(request, now)
            limit = await self._hold(count_request(grant))
            if limit is not None:
                limited = limit.headers()
                require_within(limit)
            reply = await self._carry(request, grant, receive, now)
        except ClientGone:
            raise
        except Exception as error:
            reply = reply_to(error) or reply_to_unexpected(error, request.hot.name)
        return reply._replace(headers=reply.headers + limited) if limited else reply

    async def _grant_of(self, request: HotRequest, now: datetime) -> Grant | None:
        header = request.headers.get(b"authorization")
        authorization = None if header is None else header.decode("latin-1")
        try:
            grant = find_grant(authorization, now)
        except NotAuthenticated:
            if not self._definitions.are_older_than(LOOK_AGAIN_SECONDS):
                raise
            # As `find_grant` does where it may wait: the key may have been made a moment ago.
            await self._definitions.renew(LOOK_AGAIN_SECONDS)
            grant = find_grant(authorization, now)
        return require_scope(grant, ApiKey.Scope.SUBMIT) if request.hot in SUBMITS else grant

    async def _carry(self, request: HotRequest, grant: Grant | None, receive: Receive, now: datetime) -> Reply:
        match request.hot:
            case Hot.PLAYER:
                return await self._hold(ask_player(request.board, request.player_id, request.query, grant, now))
            case Hot.TOP:
                if_none_match = request.headers.get(b"if-none-match", b"").decode("latin-1")
                return await self._hold(ask_top(request.board, request.query, if_none_match, grant, now))
            case Hot.RANKS:
                return await self._hold(ask_ranks(request.board, await self._body(request, receive), grant, now))
            case Hot.SCORE:
                return score_reply(await self._commits.accept(address_score(await self._body(request, receive), grant)))
            case Hot.BATCH:
                only_rejected = request.query.get("results") == "rejected"
                accept = partial(
                    accept_batch, await self._body(request, receive), grant, now, only_rejected=only_rejected
                )
                return await self._batches.accept(accept)

    async def _body(self, request: HotRequest, receive: Receive) -> bytes:
        """The request's body. RequestDataTooBig, as Django would raise."""
        body = await read_body(receive, request.headers, self._body_limits)
        if body.length > self._body_limits.most_bytes:
            raise RequestDataTooBig
        return body.content

    async def _hold(self, dialogue: Dialogue[T]) -> T:
        """Go through a dialogue; its calls share a pipeline with those of the others."""
        try:
            call = next(dialogue)
            while True:
                try:
                    reply = await self._stream.run(call)
                except BoardsUnavailable as error:
                    call = dialogue.throw(error)
                else:
                    call = dialogue.send(reply)
        except StopIteration as end:
            result: T = end.value
            return result


def _is_closed(board_id: str, now: datetime) -> bool:
    """Whether the board takes no more events; those are Django's to read."""
    try:
        return find_board(board_id, now).is_closed_at(now)
    except LeaderboardError:
        # The question itself will say so, in its turn.
        return False
