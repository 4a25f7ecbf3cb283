"""The read API: who asks, one question, its reply. Every view is one round trip to Redis, or one query of the archive."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from boards import reads
from boards.api.answers import RanksAnswer, StandingAnswer, TopAnswer
from boards.api.parameters import RanksBody
from boards.api.questions import ask_player, ask_ranks, ask_top
from boards.dialogue import hold
from scoring.api.authentication import grant_of
from scoring.api.base import ApiView
from scoring.api.reply import http_response
from scoring.api.schema import body_schema


def number(name: str, detail: str) -> OpenApiParameter:
    return OpenApiParameter(name, int, description=detail)


class TopView(ApiView):
    @extend_schema(
        operation_id="read_top",
        responses={200: body_schema(TopAnswer)},
        parameters=[number("n", f"How many, up to {reads.MAX_TOP}; 100"), number("offset", "How many to leave out; 0")],
    )
    def get(self, request: Request, board: str) -> HttpResponse:
        """The best players of a board, read at most once a second."""
        if_none_match = request.headers.get("If-None-Match", "")
        asked = ask_top(board, request.query_params.dict(), if_none_match, grant_of(request), timezone.now())
        return http_response(hold(asked))


class PlayerView(ApiView):
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
        asked = ask_player(board, player_id, request.query_params.dict(), grant_of(request), timezone.now())
        return http_response(hold(asked))


class RanksView(ApiView):
    @extend_schema(operation_id="read_ranks", request=body_schema(RanksBody), responses={200: body_schema(RanksAnswer)})
    def post(self, request: Request, board: str) -> HttpResponse:
        """The entries of up to 1,000 players, in the order asked for."""
        return http_response(hold(ask_ranks(board, request.body, grant_of(request), timezone.now())))
