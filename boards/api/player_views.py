"""Reads about people: friends among themselves, and all boards of one player."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from boards import reads, store
from boards.api.answers import FriendsAnswer, PlayerBoard, PlayerBoardsAnswer, closed_mark
from boards.api.parameters import FriendsBody, parse_friends, parse_player_id
from boards.api.questions import find_readable
from boards.current import current_boards
from boards.dialogue import hold, read
from boards.readers import reader_of
from scoring.api.answers import json_response
from scoring.api.authentication import grant_of
from scoring.api.base import ApiView
from scoring.api.moderation_answers import ErasureAnswer
from scoring.api.moderation_views import answer_erasure
from scoring.api.schema import body_schema
from scoring.grants import may_read
from scoring.rules import all_rules
from scoring.totals import load_segments


class FriendsView(ApiView):
    @extend_schema(
        operation_id="read_friends", request=body_schema(FriendsBody), responses={200: body_schema(FriendsAnswer)}
    )
    def post(self, request: Request, board: str) -> HttpResponse:
        """A player and up to 5,000 friends, ranked among themselves."""
        now = timezone.now()
        asked = parse_friends(request.body)
        found = find_readable(board, grant_of(request), now)
        reader = reader_of(found, now)
        entries = hold(read(reader.friends([asked.player_id, *asked.friend_ids])))
        return json_response(FriendsAnswer(found.id, now, entries, closed_mark(reader)))


class PlayerBoardsView(ApiView):
    @extend_schema(operation_id="read_player_boards", responses={200: body_schema(PlayerBoardsAnswer)})
    def get(self, request: Request, player_id: str) -> HttpResponse:
        """Every current board that the player is on. 1 query, 1 round trip to Redis."""
        now = timezone.now()
        segments = load_segments(parse_player_id(player_id))
        grant = grant_of(request)
        boards = [
            board
            for rules in all_rules().values()
            if may_read(grant, rules)
            for board in current_boards(rules, now, segments)
        ]
        asked = [reads.ranks(board, [player_id]) for board in boards]
        replies = store.run([wanted.call for wanted in asked]) if asked else []
        answers = []
        for board, wanted, reply in zip(boards, asked, replies, strict=True):
            ranks = wanted.parse(reply)
            (entry,) = ranks.entries
            if entry.rank is not None:
                answers.append(PlayerBoard(board.id, entry.rank, entry.points, ranks.players))
        return json_response(PlayerBoardsAnswer(player_id, now, answers))

    @extend_schema(
        operation_id="erase_player",
        responses={202: body_schema(ErasureAnswer)},
        parameters=[OpenApiParameter("reason", str), OpenApiParameter("idempotency_key", str)],
    )
    def delete(self, request: Request, player_id: str) -> HttpResponse:
        """Forget the person: id, name, segments and details. Others' points stay what they are."""
        return answer_erasure(request, player_id)
