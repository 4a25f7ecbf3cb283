"""An answer as any door sends it."""

from typing import Any, NamedTuple

import msgspec
from django.http import HttpResponse

# Decimals as JSON numbers, digit by digit.
encode = msgspec.json.Encoder(decimal_format="number").encode

JSON = "application/json"

Headers = tuple[tuple[str, str], ...]


class Reply(NamedTuple):
    """Status, JSON or nothing, and the headers that are this answer's own."""

    status: int
    body: bytes
    headers: Headers = ()


def json_reply(answer: Any, status: int = 200, headers: Headers = ()) -> Reply:
    return Reply(status, encode(answer), headers)


def http_response(reply: Reply) -> HttpResponse:
    """The answer as Django sends it."""
    response = HttpResponse(reply.body, status=reply.status, content_type=JSON, headers=dict(reply.headers))
    if not reply.body:
        del response["Content-Type"]
    return response
