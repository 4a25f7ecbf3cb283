"""What the write API answers, as types. Encoded by msgspec."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from django.http import HttpResponse
from msgspec import UNSET, UnsetType

from scoring.acceptance import Outcome, Stored
from scoring.api.reply import http_response, json_reply
from scoring.errors import FieldError
from scoring.points import Points


def json_response(answer: Any, status: int = 200) -> HttpResponse:
    return http_response(json_reply(answer, status))


class ScoreAnswer(msgspec.Struct):
    """A stored score. `totals` by period label, as they are now."""

    duplicate: bool
    leaderboard: str
    player_id: str
    match_id: str
    accept_no: int
    totals: dict[str, Points]

    @classmethod
    def of(cls, stored: Stored) -> "ScoreAnswer":
        return cls(
            stored.duplicate, stored.leaderboard, stored.player_id, stored.match_id, stored.accept_no, stored.totals
        )


class Result(msgspec.Struct, gc=False):
    """One score of a batch. A stored one tells its number and totals, a rejected one what is wrong with which field."""

    index: int
    status: Literal["accepted", "duplicate", "rejected"]
    leaderboard: str | UnsetType = UNSET
    player_id: str | UnsetType = UNSET
    match_id: str | UnsetType = UNSET
    accept_no: int | UnsetType = UNSET
    totals: dict[str, Points] | UnsetType = UNSET
    field: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    detail: str | UnsetType = UNSET

    @classmethod
    def of(cls, index: int, outcome: Outcome) -> "Result":
        if isinstance(outcome, FieldError):
            return cls(index, "rejected", field=outcome.field, code=outcome.code, detail=outcome.detail)
        return cls(
            index,
            "duplicate" if outcome.duplicate else "accepted",
            outcome.leaderboard,
            outcome.player_id,
            outcome.match_id,
            outcome.accept_no,
            outcome.totals,
        )


class BatchAnswer(msgspec.Struct):
    """Counts over all scores; `results` in the order sent, or the rejected ones only if that was asked for."""

    accepted: int
    duplicates: int
    rejected: int
    results: list[Result]

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], *, only_rejected: bool) -> "BatchAnswer":
        answer = cls(0, 0, 0, [])
        for index, outcome in enumerate(outcomes):
            if isinstance(outcome, FieldError):
                answer.rejected += 1
            elif outcome.duplicate:
                answer.duplicates += 1
            else:
                answer.accepted += 1
            if not only_rejected or isinstance(outcome, FieldError):
                answer.results.append(Result.of(index, outcome))
        return answer
