"""Parsing of what a reader sends: typed values or InvalidRequest, naming the field."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

import msgspec

from boards.reads import MAX_FRIENDS, MAX_RANKS
from scoring.errors import FieldError, InvalidRequest, MalformedJson
from scoring.submissions import NOT_STRICT_JSON, Id, is_id

Query = Mapping[str, str]
"""The parameters behind a path's question mark; of one given twice, the last."""

_INTEGER = re.compile(r"-?[0-9]{1,20}")
_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")


class RanksBody(msgspec.Struct):
    player_ids: Annotated[list[Id], msgspec.Meta(max_length=MAX_RANKS)]


class FriendsBody(msgspec.Struct):
    player_id: Id
    friend_ids: Annotated[list[Id], msgspec.Meta(max_length=MAX_FRIENDS)]


_decode_friends = msgspec.json.Decoder(FriendsBody)
_decode_ranks = msgspec.json.Decoder(RanksBody)


def integer(query: Query, name: str, *, default: int, least: int, most: int) -> int:
    """A query parameter as a number from `least` to `most`."""
    text = query.get(name)
    if text is None:
        return default
    value = int(text) if _INTEGER.fullmatch(text) else None
    if value is None or not least <= value <= most:
        raise _invalid(name, f"{name} must be a whole number from {least} to {most}")
    return value


def decimal(query: Query, name: str) -> Decimal | None:
    """A query parameter as points, None if it is left out."""
    text = query.get(name)
    if text is None:
        return None
    if not _DECIMAL.fullmatch(text):
        raise _invalid(name, f"{name} must be a number")
    return Decimal(text)


def parse_player_id(text: str) -> str:
    if not is_id(text):
        raise _invalid("player_id", "player_id must be 1 to 64 characters of letters, digits and . _ - : @")
    return text


def parse_ranks(body: bytes) -> list[str]:
    """`{"player_ids": [...]}` with up to 1,000 ids."""
    try:
        return _decode_ranks.decode(body).player_ids
    except msgspec.ValidationError as error:
        raise _invalid("player_ids", f"player_ids must be a list of up to {MAX_RANKS} player ids: {error}") from None
    except NOT_STRICT_JSON as error:
        raise MalformedJson(f"the body is not JSON: {error}") from None


def parse_friends(body: bytes) -> FriendsBody:
    """`{"player_id": ..., "friend_ids": [...]}` with up to 5,000 friends."""
    try:
        return _decode_friends.decode(body)
    except msgspec.ValidationError as error:
        field = "player_id" if "player_id" in str(error) else "friend_ids"
        raise _invalid(field, f"the body must name a player_id and up to {MAX_FRIENDS} friend_ids: {error}") from None
    except NOT_STRICT_JSON as error:
        raise MalformedJson(f"the body is not JSON: {error}") from None


def _invalid(field: str, detail: str) -> InvalidRequest:
    return InvalidRequest(detail, [FieldError(field, "invalid", detail)])
