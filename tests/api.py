"""Calls of the HTTP API, as game servers and apps make them, through Django's test client."""

from typing import Any

import msgspec
from django.test import Client

from scoring.grants import forget_grants
from scoring.setup import create_api_key


def authorization(*scopes: str, leaderboards: tuple[str, ...] = ()) -> dict[str, str]:
    """The header of a new key with these scopes, in force at once."""
    key = create_api_key("a key", scopes, leaderboards)
    forget_grants()
    return {"Authorization": f"Api-Key {key}"}


def post(path: str, body: Any, headers: dict[str, str] | None = None) -> Any:
    """The answer to a body: bytes as they are, anything else as JSON."""
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Client().post(f"/v1/{path}", data, content_type="application/json", headers=headers)


def get(path: str, headers: dict[str, str] | None = None) -> Any:
    return Client().get(f"/v1/{path}", headers=headers)


def delete(path: str, headers: dict[str, str] | None = None, body: Any = None) -> Any:
    data = b"" if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Client().delete(f"/v1/{path}", data, content_type="application/json", headers=headers)


def problem(response: Any) -> tuple[int, str]:
    """Status and code of an answer that must be an error of the contract's shape."""
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert body.keys() == {"code", "detail", "errors"}
    assert body["detail"]
    assert isinstance(body["errors"], list)
    for error in body["errors"]:
        assert error.keys() == {"index", "field", "code", "detail"}
    if response.status_code in (429, 503):
        assert int(response["Retry-After"]) >= 1
    return response.status_code, body["code"]
