"""Parsing of scores: bytes in, typed values and per-item errors out. Knows no door and no database.

The whole body is decoded by msgspec in one go. Only when something in it is wrong, the items are decoded apart, so that
the bad ones are named and the good ones stay.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import msgspec

from scoring.errors import BatchTooLarge, FieldError, InvalidRequest, MalformedJson
from scoring.points import Points

MAX_BATCH = 5_000
MAX_SEGMENTS = 8
MAX_DETAILS_BYTES = 1_024
ID_PATTERN = r"\A[A-Za-z0-9._:@-]{1,64}\Z"
SEGMENTS_PATTERN = r"\A[a-z][a-z0-9_]{0,31}\Z"

is_id = re.compile(ID_PATTERN).match
"""Whether a text may be the id of a player or a match."""

Id = Annotated[str, msgspec.Meta(pattern=ID_PATTERN)]
SegmentName = Annotated[str, msgspec.Meta(pattern=SEGMENTS_PATTERN)]
SegmentValue = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
Name = Annotated[str, msgspec.Meta(max_length=64, pattern=r"\A[^\x00-\x1f\x7f\ud800-\udfff]*\Z")]
Segments = Annotated[dict[SegmentName, SegmentValue | None], msgspec.Meta(max_length=MAX_SEGMENTS)]
AwareDatetime = Annotated[datetime, msgspec.Meta(tz=True)]


class Submission(msgspec.Struct, gc=False):
    """One score as a game server sends it. `points` as written: a decimal keeps all its digits, never a float."""

    player_id: Id
    match_id: Id
    points: Points
    leaderboard: str | None = None
    occurred_at: AwareDatetime | None = None
    name: Name | None = None
    segments: Segments | None = None
    details: dict[str, Any] | None = None


class BatchBody(msgspec.Struct):
    scores: list[Submission]


class _RawBatch(msgspec.Struct):
    scores: list[msgspec.Raw]


Parsed = Submission | FieldError

_decode_one = msgspec.json.Decoder(Submission)
_decode_batch = msgspec.json.Decoder(BatchBody)
_decode_raw_batch = msgspec.json.Decoder(_RawBatch)


NOT_STRICT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for what is no JSON, no UTF-8, or nested too deeply; a ValidationError is a DecodeError too."""


def parse_score(body: bytes) -> Parsed:
    """One score. MalformedJson if the body is no JSON at all."""
    try:
        return _decode_one.decode(body)
    except msgspec.ValidationError:
        return _parse_item(body)
    except NOT_STRICT_JSON:
        return _parse_lenient(_load_lenient(body))


_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as JSON writes it; an even number of backslashes before it would make it a backslash and the letters u0000."""


def check_details(details: dict[str, Any]) -> FieldError | None:
    """What is wrong with a score's details: too long, or what PostgreSQL can't hold (NaN, NUL, half a surrogate pair)."""
    try:
        encoded = json.dumps(details, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        encoded = None
    if encoded is None or _NUL.search(encoded):
        return FieldError("details", "invalid", "details must be JSON without NaN, NUL and lone surrogates")
    if len(encoded) > MAX_DETAILS_BYTES:
        return FieldError("details", "details_too_large", f"details may have up to {MAX_DETAILS_BYTES} bytes as JSON")
    return None


def parse_batch(body: bytes) -> list[Parsed]:
    """Up to MAX_BATCH scores, each parsed or with what is wrong with it, in the order sent.

    MalformedJson, InvalidRequest (no list of scores) and BatchTooLarge concern the whole body.
    """
    parsed: list[Parsed]
    try:
        parsed = list(_decode_batch.decode(body).scores)
    except msgspec.ValidationError:
        parsed = _parse_apart(body)
    except NOT_STRICT_JSON:
        parsed = _parse_all_lenient(body)
    if len(parsed) > MAX_BATCH:
        raise BatchTooLarge(f"a batch holds up to {MAX_BATCH} scores, this one has {len(parsed)}")
    return parsed


def _parse_apart(body: bytes) -> list[Parsed]:
    try:
        raw_items = _decode_raw_batch.decode(body).scores
    except msgspec.ValidationError as error:
        raise InvalidRequest('the body must be {"scores": [...]}', [field_error(error)]) from None
    except NOT_STRICT_JSON:
        # The first bad item hid that what follows is no strict JSON, or none at all.
        return _parse_all_lenient(body)
    return [_parse_item(bytes(item)) for item in raw_items]


def _parse_item(item: bytes) -> Parsed:
    try:
        return _decode_one.decode(item)
    except NOT_STRICT_JSON as error:
        return field_error(error)


# Python's own encoder writes NaN and Infinity, which are not JSON. A strict parser can only refuse the whole body
# then; this slow path reads it as Python would, so that the one bad item is named and the others are stored.


def _load_lenient(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise MalformedJson(f"the body is not JSON: {error}") from None


def _parse_all_lenient(body: bytes) -> list[Parsed]:
    document = _load_lenient(body)
    scores = document.get("scores") if isinstance(document, dict) else None
    if not isinstance(scores, list):
        raise InvalidRequest('the body must be {"scores": [...]}')
    return [_parse_lenient(item) for item in scores]


def _parse_lenient(item: Any) -> Parsed:
    points = item.get("points") if isinstance(item, dict) else None
    if isinstance(points, float) and not abs(points) < float("inf"):
        return FieldError("points", "invalid", "points must be a finite number")
    try:
        return msgspec.convert(item, Submission, str_keys=True)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        return field_error(error)


_WHERE = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `([^`]*)`")
_MISSING = re.compile(r"missing required field `(\w+)`")
_PROBLEMS = {
    "player_id": "player_id must be 1 to 64 characters of letters, digits and . _ - : @",
    "match_id": "match_id must be 1 to 64 characters of letters, digits and . _ - : @",
    "points": "points must be a number",
    "details": "details must be an object",
    "occurred_at": "occurred_at must be a time in ISO 8601 with an offset, such as 2026-10-19T20:15:00+05:30",
    "name": "name must be up to 64 characters without control characters",
    "segments": f"segments must be up to {MAX_SEGMENTS} names (a-z, 0-9, _) with values of letters, digits and _ -, or null",
    "leaderboard": "leaderboard must be the name of a leaderboard",
}


def field_error(error: Exception, problems: Mapping[str, str] = _PROBLEMS) -> FieldError:
    """Translate msgspec's message into the field and a sentence of the contract, by field from `problems`."""
    message = str(error)
    unknown = _UNKNOWN.search(message)
    if unknown:
        return FieldError(unknown[1], "unknown_field", f"{unknown[1]} is not a field of this call")
    missing = _MISSING.search(message)
    if missing:
        return FieldError(missing[1], "required", f"{missing[1]} is missing")
    where = _WHERE.search(message)
    field = re.split(r"[.\[]", where[1], maxsplit=1)[0] if where else ""
    detail = problems.get(field, _WHERE.sub("", message))
    return FieldError(field, "invalid", detail)
