"""POST /v1/scores and /v1/scores/batch: parse, one call, format."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from scoring.api.answers import BatchAnswer, ScoreAnswer, json_response
from scoring.api.authentication import HasScope, grant_of
from scoring.api.base import ApiView
from scoring.api.resolver import LeaderboardResolver
from scoring.api.schema import body_schema
from scoring.errors import FieldError, ScoreRejected
from scoring.intake import accept_scores
from scoring.models import ApiKey
from scoring.submissions import BatchBody, Submission, parse_batch, parse_score


class SubmitView(ApiView):
    permission_classes = (HasScope(ApiKey.Scope.SUBMIT),)


class ScoresView(SubmitView):
    @extend_schema(
        operation_id="submit_score", request=body_schema(Submission), responses={202: body_schema(ScoreAnswer)}
    )
    def post(self, request: Request) -> HttpResponse:
        """Accept one score. Safe to repeat: the same player and match is stored once."""
        parsed = parse_score(request.body)
        (outcome,) = accept_scores([parsed], LeaderboardResolver(grant_of(request)), timezone.now())
        if isinstance(outcome, FieldError):
            raise ScoreRejected(outcome)
        return json_response(ScoreAnswer.of(outcome), status=202)


class ScoresBatchView(SubmitView):
    @extend_schema(
        operation_id="submit_scores",
        request=body_schema(BatchBody),
        responses={202: body_schema(BatchAnswer)},
        parameters=[
            OpenApiParameter("results", str, enum=["rejected"], description="Leave out all results but these.")
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Accept up to 5,000 scores. Good ones are stored, bad ones are named; the same player may occur many times."""
        only_rejected = request.query_params.get("results") == "rejected"
        parsed = parse_batch(request.body)
        resolver = LeaderboardResolver(grant_of(request))
        outcomes = accept_scores(parsed, resolver, timezone.now(), with_totals=not only_rejected)
        return json_response(BatchAnswer.of(outcomes, only_rejected=only_rejected), status=202)
