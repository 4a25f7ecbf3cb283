"""Every error under /v1 has one shape, whoever raises it."""

import json
import logging
from typing import Any, NoReturn

import psycopg
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent
from django.db import OperationalError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from leaderboard_site import errors
from scoring.errors import FieldError, LeaderboardError


class OutOfOrder(LeaderboardError):
    status, code = 409, "out_of_order"


class Unavailable(LeaderboardError):
    status, code = 503, "boards_unavailable"


def answer(raised: Exception) -> HttpResponseBase:
    """What a view answers that raises `raised`."""

    class View(APIView):
        def get(self, request: Request) -> NoReturn:
            raise raised

    response = View.as_view()(APIRequestFactory().get("/v1/anything"))
    assert set(body_of(response)) == {"code", "detail", "errors"}
    assert isinstance(body_of(response)["errors"], list)
    return response


def body_of(response: HttpResponseBase) -> dict[str, Any]:
    assert isinstance(response, HttpResponse)
    body: dict[str, Any] = json.loads(response.content)
    return body


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (OutOfOrder("the second came first"), 409, "out_of_order"),
        (Unavailable("no boards", retry_after_seconds=3), 503, "boards_unavailable"),
        (OperationalError("server closed the connection"), 503, "database_unavailable"),
        (psycopg.OperationalError("server closed the connection"), 503, "database_unavailable"),
        (RequestDataTooBig(), 413, "body_too_large"),
        (TooManyFieldsSent(), 400, "bad_request"),
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (exceptions.ParseError(), 400, "malformed_json"),
        (exceptions.MethodNotAllowed("GET"), 405, "method_not_allowed"),
        (exceptions.UnsupportedMediaType("text/csv"), 415, "unsupported_media_type"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.Throttled(wait=4.2), 429, "too_many_requests"),
        (exceptions.PermissionDenied(), 403, "permission_denied"),
    ],
)
def test_each_anticipated_error_has_its_status_and_code(raised: Exception, status: int, code: str) -> None:
    response = answer(raised)

    assert (response.status_code, body_of(response)["code"]) == (status, code)
    assert body_of(response)["detail"]
    assert response.has_header("Retry-After") == (status in (429, 503))


def test_retry_after_is_the_errors_own_where_it_has_one() -> None:
    assert answer(Unavailable("no boards", retry_after_seconds=3))["Retry-After"] == "3"
    assert answer(Unavailable("no boards"))["Retry-After"] == "1"
    assert answer(exceptions.Throttled(wait=4.2))["Retry-After"] == "5"


def test_field_errors_are_carried_over() -> None:
    response = answer(OutOfOrder("no", [FieldError("points", "too_many", "points are above 10")]))

    assert body_of(response)["errors"] == [
        {"index": None, "field": "points", "code": "too_many", "detail": "points are above 10"}
    ]


def test_a_serializers_tree_becomes_a_list_of_fields() -> None:
    tree: Any = {"player_id": [serializers.ErrorDetail("is missing", "required")], "segments": {"city": ["too long"]}}

    response = answer(exceptions.ValidationError(tree))

    assert body_of(response)["code"] == "invalid"
    assert [(line["field"], line["code"]) for line in body_of(response)["errors"]] == [
        ("player_id", "required"),
        ("segments.city", "invalid"),
    ]


def test_an_unexpected_error_is_logged_but_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    response = answer(ZeroDivisionError("secret detail"))

    assert (response.status_code, body_of(response)["code"]) == (500, "internal_error")
    assert "secret detail" not in str(body_of(response))
    assert "secret detail" in caplog.text
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/", "/nothing", "/v1/leaderboards/quiz:all:global/nothing"])
def test_an_unknown_path_is_json(client: Client, path: str) -> None:
    response = client.get(path)

    assert response.status_code == 404
    assert response.json() == {"code": "not_found", "detail": "There is nothing at this path.", "errors": []}


def test_an_unknown_path_is_json_with_debug_on_too(client: Client, settings: Any) -> None:
    settings.DEBUG = True

    assert client.post("/v1/nothing").json()["code"] == "not_found"


def test_what_fails_before_a_view_is_json_too() -> None:
    request = RequestFactory().get("/v1/scores")

    assert errors.bad_request(request, RequestDataTooBig()).status_code == 413
    assert errors.bad_request(request, ValueError()).status_code == 400
    assert errors.forbidden(request, PermissionDenied()).status_code == 403
    assert errors.internal_error(request)["Content-Type"] == "application/json"


def test_the_admin_keeps_its_pages() -> None:
    request = RequestFactory().get("/admin/nothing")

    assert "text/html" in errors.not_found(request, Http404())["Content-Type"]
    assert "text/html" in errors.internal_error(request)["Content-Type"]


def test_only_the_unexpected_is_a_line_in_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    quiet = logging.LogRecord("django.request", logging.ERROR, "", 0, "Service Unavailable", (), None)
    loud = logging.LogRecord("django.request", logging.ERROR, "", 0, "Internal", (), (OSError, OSError(), None))
    wanted = logging.getLogger("django.request").filter

    assert not wanted(quiet)
    assert wanted(loud)
    client.get("/v1/nothing")
    assert caplog.records == []
