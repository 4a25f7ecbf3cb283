"""Corrections, flags, merges, erasures: parse, one call, format."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from msgspec import UNSET
from rest_framework.request import Request

from scoring.api.answers import json_response
from scoring.api.authentication import HasScope, grant_of
from scoring.api.base import ApiView
from scoring.api.moderation_answers import CorrectionAnswer, ErasureAnswer
from scoring.api.moderation_bodies import CorrectionBody, DecisionBody, MergeBody, parse_body, parse_query
from scoring.api.schema import body_schema
from scoring.errors import FieldError, InvalidRequest, LeaderboardError, LeaderboardNotAllowed
from scoring.grants import require_scope
from scoring.models import ApiKey, Correction, Erasure
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import Corrected, Decision
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player, unflag_player
from scoring.moderation.merging import merge_players
from scoring.moderation.voiding import void_match
from scoring.rules import Rules, get_rules


class CorrectionNotFound(LeaderboardError):
    status, code = 404, "correction_not_found"


class ErasureNotFound(LeaderboardError):
    status, code = 404, "erasure_not_found"


class ModerateView(ApiView):
    permission_classes = (HasScope(ApiKey.Scope.MODERATE),)


def decision_of(request: Request, body: DecisionBody) -> Decision:
    grant = require_scope(grant_of(request), ApiKey.Scope.MODERATE)
    key = None if body.idempotency_key is UNSET else str(body.idempotency_key)
    return Decision(f"API key {grant.prefix}", body.reason, timezone.now(), key)


def require_all_leaderboards(request: Request) -> None:
    """What concerns a player concerns every leaderboard. LeaderboardNotAllowed for a key that may use only some."""
    grant = grant_of(request)
    if grant is not None and grant.leaderboards is not None:
        raise LeaderboardNotAllowed("this concerns all leaderboards, and this API key may use only some")


def _rules_for(request: Request, slug: str) -> Rules:
    rules = get_rules(slug)
    grant = require_scope(grant_of(request), ApiKey.Scope.MODERATE)
    if not grant.may_use(slug):
        raise LeaderboardNotAllowed(f"this API key may not use {slug}")
    return rules


class CorrectionsView(ModerateView):
    @extend_schema(
        operation_id="correct", request=body_schema(CorrectionBody), responses={202: body_schema(CorrectionAnswer)}
    )
    def post(self, request: Request) -> HttpResponse:
        """Add or take points, or void a match. Safe to repeat with an idempotency_key."""
        body = parse_body(request.body, CorrectionBody)
        rules = _rules_for(request, body.leaderboard)
        decision = decision_of(request, body)
        corrected = _adjust(rules, body, decision) if body.kind == "adjust" else _void(rules, body, decision)
        return json_response(CorrectionAnswer.of(corrected, timezone.now()), status=202)


def _adjust(rules: Rules, body: CorrectionBody, decision: Decision) -> Corrected:
    _refuse(body, "match_id")
    if body.player_id is UNSET or body.points is UNSET:
        raise _missing("player_id" if body.player_id is UNSET else "points")
    occurred_at = None if body.occurred_at is UNSET else body.occurred_at
    return adjust(rules, body.player_id, body.points, decision, occurred_at=occurred_at, reopen=body.reopen)


def _void(rules: Rules, body: CorrectionBody, decision: Decision) -> Corrected:
    _refuse(body, "points", "occurred_at")
    if body.match_id is UNSET:
        raise _missing("match_id")
    player_id = None if body.player_id is UNSET else body.player_id
    return void_match(rules, body.match_id, decision, player_id=player_id, reopen=body.reopen)


def _refuse(body: CorrectionBody, *fields: str) -> None:
    for field in fields:
        if getattr(body, field) is not UNSET:
            detail = f"{field} has no meaning for {body.kind}"
            raise InvalidRequest(detail, [FieldError(field, "invalid", detail)])


def _missing(field: str) -> InvalidRequest:
    detail = f"{field} is missing"
    return InvalidRequest(detail, [FieldError(field, "required", detail)])


class CorrectionView(ModerateView):
    @extend_schema(operation_id="read_correction", responses={200: body_schema(CorrectionAnswer)})
    def get(self, request: Request, correction_id: int) -> HttpResponse:
        """A correction as it stands: voids of large matches take a while."""
        correction = Correction.objects.select_related("leaderboard", "player").filter(pk=correction_id).first()
        if correction is None:
            raise CorrectionNotFound(f"there is no correction {correction_id}")
        if correction.leaderboard is None:
            require_all_leaderboards(request)
        else:
            _rules_for(request, correction.leaderboard.slug)
        return json_response(CorrectionAnswer.of(Corrected(correction, is_repeat=False), timezone.now()))


class FlagView(ModerateView):
    correct = staticmethod(flag_player)

    @extend_schema(
        operation_id="flag_player", request=body_schema(DecisionBody), responses={202: body_schema(CorrectionAnswer)}
    )
    def post(self, request: Request, player_id: str) -> HttpResponse:
        """Take a player off all boards; scores go on being recorded."""
        require_all_leaderboards(request)
        decision = decision_of(request, parse_body(request.body, DecisionBody))
        return json_response(CorrectionAnswer.of(self.correct(player_id, decision), timezone.now()), status=202)


class UnflagView(FlagView):
    correct = staticmethod(unflag_player)

    @extend_schema(
        operation_id="unflag_player", request=body_schema(DecisionBody), responses={202: body_schema(CorrectionAnswer)}
    )
    def post(self, request: Request, player_id: str) -> HttpResponse:
        """Put a player back on all boards."""
        return super().post(request, player_id)


class MergeView(ModerateView):
    @extend_schema(
        operation_id="merge_players", request=body_schema(MergeBody), responses={202: body_schema(CorrectionAnswer)}
    )
    def post(self, request: Request, player_id: str) -> HttpResponse:
        """Make this account part of another. Matches that both played are named, and must be decided."""
        require_all_leaderboards(request)
        body = parse_body(request.body, MergeBody)
        keep_in = {(one.leaderboard, one.match_id): one.keep for one in body.keep_in}
        corrected = merge_players(
            player_id, body.into, decision_of(request, body), keep=body.keep, keep_in=keep_in, reopen=body.reopen
        )
        return json_response(CorrectionAnswer.of(corrected, timezone.now()), status=202)


class ErasureView(ModerateView):
    @extend_schema(operation_id="read_erasure", responses={200: body_schema(ErasureAnswer)})
    def get(self, request: Request, erasure_id: int) -> HttpResponse:
        """The proof of an erasure, as it stands."""
        require_all_leaderboards(request)
        erasure = Erasure.objects.filter(pk=erasure_id).first()
        if erasure is None:
            raise ErasureNotFound(f"there is no erasure {erasure_id}")
        return json_response(ErasureAnswer.of(erasure, is_repeat=False))


def answer_erasure(request: Request, player_id: str) -> HttpResponse:
    """DELETE of a player, whose path is also a read of the boards. The reason may stand in the query or in a body."""
    require_scope(grant_of(request), ApiKey.Scope.MODERATE)
    require_all_leaderboards(request)
    body = parse_body(request.body, DecisionBody) if request.body else _query_decision(request)
    corrected = erase_player(player_id, decision_of(request, body))
    return json_response(ErasureAnswer.of(corrected.correction.erasure, is_repeat=corrected.is_repeat), status=202)


def _query_decision(request: Request) -> DecisionBody:
    parameters: dict[str, Any] = request.query_params.dict()
    return parse_query(parameters, DecisionBody)
