"""GET /v1/leaderboards and /v1/leaderboards/{board}: what there is to read, and by which rules."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from boards.api.board_answers import BoardAnswer, LeaderboardAnswer, LeaderboardsAnswer
from boards.api.questions import find_readable
from boards.current import current_boards
from boards.dialogue import hold, read
from boards.progress import progress_of
from boards.readers import reader_of
from scoring.api.answers import json_response
from scoring.api.authentication import grant_of
from scoring.api.base import ApiView
from scoring.api.schema import body_schema
from scoring.grants import may_read
from scoring.rules import all_rules


class LeaderboardsView(ApiView):
    @extend_schema(operation_id="list_leaderboards", responses={200: body_schema(LeaderboardsAnswer)})
    def get(self, request: Request) -> HttpResponse:
        """The leaderboards that the caller may read, with their rules and current boards."""
        now = timezone.now()
        grant = grant_of(request)
        readable = [rules for rules in all_rules().values() if may_read(grant, rules)]
        answers = [LeaderboardAnswer.of(rules, current_boards(rules, now)) for rules in readable]
        return json_response(LeaderboardsAnswer(answers))


class BoardView(ApiView):
    @extend_schema(operation_id="read_board", responses={200: body_schema(BoardAnswer)})
    def get(self, request: Request, board: str) -> HttpResponse:
        """One board: rules, bounds of its period, number of players, state.

        A custom window, such as quiz:window:2026-10-13..2026-10-19:global, is built when somebody asks for it, and gone a minute
        after its last use. While it is `building`, the other calls answer 503 `board_building` with Retry-After.
        """
        now = timezone.now()
        found = find_readable(board, grant_of(request), now)
        status = hold(read(reader_of(found, now).status()))
        is_in_work = status.is_building or status.is_rebuilding
        progress = progress_of(found.id) if is_in_work else None
        return json_response(BoardAnswer.of(found, status, progress, now))
