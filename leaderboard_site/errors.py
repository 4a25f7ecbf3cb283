"""Errors as Django and Django REST framework meet them, in the shape that `leaderboard_site.problems` gives all of them."""

import math
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.views import set_rollback

from leaderboard_site.problems import (
    DJANGO_ERRORS,
    INTERNAL_ERROR,
    Problem,
    problem_reply,
    reply_to,
    reply_to_unexpected,
)
from scoring.api.reply import Reply, http_response

# DRF's own codes are kept where they say enough ("method_not_allowed"); these say it better.
CODES = {
    exceptions.ParseError: "malformed_json",
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "invalid_key",
    exceptions.Throttled: "too_many_requests",
}


def handle_error(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """DRF's exception handler: any exception of a view as an answer; the unknown ones are logged."""
    set_rollback()
    reply = reply_to(error) or _reply_to_drf(error)
    if reply is None:
        reply = reply_to_unexpected(error, getattr(context.get("request"), "path", "?"))
    return http_response(reply)


def _reply_to_drf(error: Exception) -> Reply | None:
    if isinstance(error, exceptions.ValidationError):
        return problem_reply(
            error.status_code, Problem("invalid", "The request is not valid.", _validation(error.detail))
        )
    if not isinstance(error, exceptions.APIException):
        return None
    codes = error.get_codes()
    code = CODES.get(type(error)) or (codes if isinstance(codes, str) else error.default_code)
    wait = getattr(error, "wait", None)
    header = getattr(error, "auth_header", None)
    return problem_reply(
        error.status_code,
        Problem(code, str(error.detail)),
        retry_after_seconds=None if wait is None else max(1, math.ceil(wait)),
        headers=(("WWW-Authenticate", header),) if header else (),
    )


def _validation(detail: Any, field: str | None = None) -> list[dict[str, Any]]:
    """Flatten DRF's tree of messages; a nested field is written with dots."""
    if isinstance(detail, dict):
        return [
            line
            for name, inner in detail.items()
            for line in _validation(inner, str(name) if field is None else f"{field}.{name}")
        ]
    if isinstance(detail, list):
        return [line for inner in detail for line in _validation(inner, field)]
    code = getattr(detail, "code", "invalid")
    return [{"index": None, "field": field, "code": code, "detail": str(detail)}]


def _is_page(request: HttpRequest) -> bool:
    return request.path.startswith("/admin/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: what is wrong before a view is reached."""
    if _is_page(request):
        return defaults.bad_request(request, exception)
    return _known(RequestDataTooBig if isinstance(exception, RequestDataTooBig) else SuspiciousOperation)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return defaults.permission_denied(request, exception) if _is_page(request) else _known(PermissionDenied)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler404, and the view of every unknown path under /v1."""
    if _is_page(request) and exception is not None:
        return defaults.page_not_found(request, exception)
    return _known(Http404)


def internal_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; Django has logged the traceback already."""
    return defaults.server_error(request) if _is_page(request) else http_response(problem_reply(500, INTERNAL_ERROR))


def _known(kind: type[Exception]) -> HttpResponse:
    return http_response(problem_reply(*DJANGO_ERRORS[kind]))
