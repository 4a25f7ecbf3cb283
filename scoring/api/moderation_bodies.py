"""What moderators send, as types. Unknown fields are refused: a misspelt player_id would void a match for everyone."""

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from scoring.errors import InvalidRequest, MalformedJson
from scoring.moderation.decisions import MAX_REASON
from scoring.moderation.merging import Keep
from scoring.points import Points
from scoring.submissions import NOT_STRICT_JSON, AwareDatetime, Id, field_error

T = TypeVar("T", bound=msgspec.Struct)

Reason = Annotated[str, msgspec.Meta(max_length=MAX_REASON)]


class DecisionBody(msgspec.Struct, forbid_unknown_fields=True):
    """Why; and a key under which the same call may be repeated."""

    reason: Reason
    idempotency_key: Id | UnsetType = UNSET


class CorrectionBody(DecisionBody, kw_only=True, forbid_unknown_fields=True):
    """`adjust` needs a player and points; `void` needs a match, and is for all who played it if no player is named."""

    leaderboard: str
    kind: Literal["adjust", "void"]
    player_id: Id | UnsetType = UNSET
    match_id: Id | UnsetType = UNSET
    points: Points | UnsetType = UNSET
    occurred_at: AwareDatetime | UnsetType = UNSET
    reopen: bool = False


class KeepIn(msgspec.Struct, forbid_unknown_fields=True):
    leaderboard: str
    match_id: Id
    keep: Keep


class MergeBody(DecisionBody, kw_only=True, forbid_unknown_fields=True):
    """`keep` and `keep_in` say whose event counts in matches that both played."""

    into: Id
    keep: Keep | None = None
    keep_in: list[KeepIn] = []
    reopen: bool = False


_PROBLEMS = {
    "reason": f"reason must be text of up to {MAX_REASON} characters",
    "idempotency_key": "idempotency_key must be 1 to 64 characters of letters, digits and . _ - : @",
    "leaderboard": "leaderboard must be the name of a leaderboard",
    "kind": "kind must be adjust or void",
    "player_id": "player_id must be 1 to 64 characters of letters, digits and . _ - : @",
    "match_id": "match_id must be 1 to 64 characters of letters, digits and . _ - : @",
    "points": "points must be a number",
    "occurred_at": "occurred_at must be a time in ISO 8601 with an offset, such as 2026-10-19T20:15:00+05:30",
    "reopen": "reopen must be true or false",
    "into": "into must be 1 to 64 characters of letters, digits and . _ - : @",
    "keep": 'keep must be "from" or "into"',
    "keep_in": 'keep_in must be a list of {"leaderboard", "match_id", "keep": "from" or "into"}',
}


def parse_body(body: bytes, kind: type[T]) -> T:
    """The body as this type. MalformedJson, or InvalidRequest naming the field."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise _invalid(error) from None
    except NOT_STRICT_JSON as error:
        raise MalformedJson(f"the body is not JSON: {error}") from None


def parse_query(parameters: dict[str, Any], kind: type[T]) -> T:
    """Query parameters as this type, where a call has no body."""
    try:
        return msgspec.convert(parameters, kind)
    except msgspec.ValidationError as error:
        raise _invalid(error) from None


def _invalid(error: msgspec.ValidationError) -> InvalidRequest:
    problem = field_error(error, _PROBLEMS)
    return InvalidRequest(problem.detail, [problem])
