"""POST /v1/rebuilds and GET, DELETE /v1/rebuilds/{id}: parse, one call, format."""

import uuid
from datetime import datetime

import msgspec
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from msgspec import UNSET
from rest_framework.request import Request

from boards.board_ids import Board, find_board
from rebuilds.api.answers import RebuildAnswer, RebuildBody
from rebuilds.jobs import RebuildNotFound, ask_rebuild, cancel, load_rebuild
from rebuilds.models import BoardJob
from rebuilds.selection import boards_of
from scoring.api.answers import json_response
from scoring.api.authentication import HasScope, grant_of
from scoring.api.base import ApiView
from scoring.api.schema import body_schema
from scoring.errors import FieldError, InvalidRequest, LeaderboardNotAllowed, MalformedJson
from scoring.grants import Grant
from scoring.models import ApiKey
from scoring.rules import get_rules
from scoring.submissions import NOT_STRICT_JSON

_decode = msgspec.json.Decoder(RebuildBody)


class OpsView(ApiView):
    permission_classes = (HasScope(ApiKey.Scope.OPS),)

    def grant(self, request: Request) -> Grant:
        grant = grant_of(request)
        assert grant is not None
        return grant

    def require_leaderboard(self, request: Request, slug: str) -> None:
        if not self.grant(request).may_use(slug):
            raise LeaderboardNotAllowed(f"this API key may not use {slug}")


class RebuildsView(OpsView):
    @extend_schema(
        operation_id="ask_rebuild", request=body_schema(RebuildBody), responses={202: body_schema(RebuildAnswer)}
    )
    def post(self, request: Request) -> HttpResponse:
        """Have a board, or all boards of a leaderboard, rebuilt from the totals. Readers notice nothing."""
        now = timezone.now()
        body = parse_body(request.body)
        slug = body.leaderboard if body.leaderboard is not UNSET else str(body.board).partition(":")[0]
        self.require_leaderboard(request, slug)
        asked = ask_rebuild(_boards(body, now), f"API key {self.grant(request).prefix}", now)
        return json_response(RebuildAnswer.of(load_rebuild(asked), now), status=202)


class RebuildView(OpsView):
    @extend_schema(operation_id="read_rebuild", responses={200: body_schema(RebuildAnswer)})
    def get(self, request: Request, rebuild_id: str) -> HttpResponse:
        """How a rebuild stands, each of its boards apart."""
        return json_response(RebuildAnswer.of(self._jobs(request, rebuild_id), timezone.now()))

    @extend_schema(operation_id="cancel_rebuild", responses={200: body_schema(RebuildAnswer)})
    def delete(self, request: Request, rebuild_id: str) -> HttpResponse:
        """Cancel what is not over. Boards that were not swapped stay as they were."""
        now = timezone.now()
        jobs = self._jobs(request, rebuild_id)
        cancel(jobs, now)
        return json_response(RebuildAnswer.of(load_rebuild(jobs[0].request), now))

    def _jobs(self, request: Request, rebuild_id: str) -> list[BoardJob]:
        jobs = load_rebuild(parse_id(rebuild_id))
        self.require_leaderboard(request, jobs[0].board.partition(":")[0])
        return jobs


def parse_body(body: bytes) -> RebuildBody:
    """`{"board": ...}` or `{"leaderboard": ...}`, one of them."""
    try:
        parsed = _decode.decode(body)
    except msgspec.ValidationError as error:
        raise _invalid("leaderboard" if "$.leaderboard" in str(error) else "board", str(error)) from None
    except NOT_STRICT_JSON as error:
        raise MalformedJson(f"the body is not JSON: {error}") from None
    if (parsed.board is UNSET) == (parsed.leaderboard is UNSET):
        raise _invalid("board", "one of board and leaderboard must be named")
    return parsed


def parse_id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise RebuildNotFound("there is no rebuild with this id") from None


def _boards(body: RebuildBody, now: datetime) -> list[Board]:
    if body.leaderboard is not UNSET:
        return boards_of(get_rules(body.leaderboard), now)
    return [find_board(str(body.board), now)]


def _invalid(field: str, detail: str) -> InvalidRequest:
    return InvalidRequest(detail, [FieldError(field, "invalid", detail)])
