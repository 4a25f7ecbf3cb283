"""The read API: parse, one read, format. Every view is one round trip to Redis, or one query of the archive."""

from datetime import datetime

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from boards import reads
from boards.api.answers import RanksAnswer, StandingAnswer, TopAnswer, closed_mark
from boards.api.parameters import RanksBody, decimal, integer, parse_player_id, parse_ranks
from boards.board_ids import Board, find_board
from boards.readers import reader_of
from boards.top_cache import top_page
from scoring.api.answers import json_response
from scoring.api.authentication import grant_of
from scoring.api.base import ApiView
from scoring.api.schema import body_schema
from scoring.grants import require_read


def number(name: str, detail: str) -> OpenApiParameter:
    return OpenApiParameter(name, int, description=detail)


class ReadView(ApiView):
    def board(self, request: Request, board_id: str, now: datetime) -> Board:
        board = find_board(board_id, now)
        require_read(grant_of(request), board.rules)
        return board


class TopView(ReadView):
    @extend_schema(
        operation_id="read_top",
        responses={200: body_schema(TopAnswer)},
        parameters=[number("n", f"How many, up to {reads.MAX_TOP}; 100"), number("offset", "How many to leave out; 0")],
    )
    def get(self, request: Request, board: str) -> HttpResponse:
        """The best players of a board, read at most once a second."""
        now = timezone.now()
        n = integer(request, "n", default=100, least=1, most=reads.MAX_TOP)
        offset = integer(request, "offset", default=0, least=0, most=10**9)
        found = self.board(request, board, now)
        page = top_page(found, n, offset, now)
        headers = {"ETag": page.etag, "Cache-Control": f"{'public' if found.rules.is_public else 'private'}, max-age=1"}
        if _is_known(request, page.etag):
            return HttpResponse(status=304, headers=headers)
        return HttpResponse(page.body, content_type="application/json", headers=headers)


class PlayerView(ReadView):
    @extend_schema(
        operation_id="read_player",
        responses={200: body_schema(StandingAnswer)},
        parameters=[
            number("around", f"Neighbours on each side, up to {reads.MAX_AROUND}; 5"),
            number("expect", "Points that the caller knows of already"),
        ],
    )
    def get(self, request: Request, board: str, player_id: str) -> HttpResponse:
        """One player's rank and points, with the neighbours."""
        now = timezone.now()
        around = integer(request, "around", default=5, least=0, most=reads.MAX_AROUND)
        expect = decimal(request, "expect")
        found = self.board(request, board, now)
        reader = reader_of(found, now)
        standing = reader.standing(parse_player_id(player_id), around)
        return json_response(StandingAnswer.of(found, now, standing, expect, closed_mark(reader)))


class RanksView(ReadView):
    @extend_schema(operation_id="read_ranks", request=body_schema(RanksBody), responses={200: body_schema(RanksAnswer)})
    def post(self, request: Request, board: str) -> HttpResponse:
        """The entries of up to 1,000 players, in the order asked for."""
        now = timezone.now()
        player_ids = parse_ranks(request.body)
        found = self.board(request, board, now)
        reader = reader_of(found, now)
        ranks = reader.ranks(player_ids)
        return json_response(RanksAnswer(found.id, now, ranks.players, ranks.entries, closed_mark(reader)))


def _is_known(request: Request, etag: str) -> bool:
    """Whether If-None-Match names the tag; compared weakly (RFC 9110), since proxies that compress weaken it."""
    known = [tag.removeprefix("W/") for tag in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))]
    return "*" in known or etag in known
