"""POST /v1/scores and /v1/scores/batch: parse, one call, format."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from scoring.api.answers import BatchAnswer, ScoreAnswer
from scoring.api.authentication import HasScope, grant_of
from scoring.api.base import ApiView
from scoring.api.reply import http_response
from scoring.api.schema import body_schema
from scoring.api.submit import accept_batch, accept_score
from scoring.models import ApiKey
from scoring.submissions import BatchBody, Submission


class SubmitView(ApiView):
    permission_classes = (HasScope(ApiKey.Scope.SUBMIT),)


class ScoresView(SubmitView):
    @extend_schema(
        operation_id="submit_score", request=body_schema(Submission), responses={202: body_schema(ScoreAnswer)}
    )
    def post(self, request: Request) -> HttpResponse:
        """Accept one score. Safe to repeat: the same player and match is stored once."""
        return http_response(accept_score(request.body, grant_of(request), timezone.now()))


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
        reply = accept_batch(request.body, grant_of(request), timezone.now(), only_rejected=only_rejected)
        return http_response(reply)
