"""Every error under /v1 in one shape: ``{"code", "detail", "errors": [{"index", "field", "code", "detail"}]}``.

``errors`` may be empty. 429 and 503 carry Retry-After, in seconds. Never a page, never a traceback.
"""

import logging
import math
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from psycopg import OperationalError as PsycopgOperationalError
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from scoring.errors import LeaderboardError

logger = logging.getLogger(__name__)

# DRF's own codes are kept where they say enough ("method_not_allowed"); these say it better.
CODES = {
    exceptions.ParseError: "malformed_json",
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "invalid_key",
    exceptions.Throttled: "too_many_requests",
}
RETRY_AFTER_SECONDS = 1
STATUS_WITH_RETRY_AFTER = (status.HTTP_429_TOO_MANY_REQUESTS, status.HTTP_503_SERVICE_UNAVAILABLE)

DJANGO_ERRORS: dict[type[Exception], tuple[int, str, str]] = {
    RequestDataTooBig: (status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "body_too_large", "The body is above 2 MiB."),
    Http404: (status.HTTP_404_NOT_FOUND, "not_found", "There is nothing at this path."),
    PermissionDenied: (status.HTTP_403_FORBIDDEN, "permission_denied", "This is not allowed."),
}
INTERNAL_ERROR = "Something failed on our side; it has been logged. The request may be repeated."

Details = list[dict[str, Any]]


def handle_error(error: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler: any exception of a view as an answer; the unknown ones are logged."""
    set_rollback()
    answer = _answer(error)
    if answer is None:
        request = context.get("request")
        path = getattr(request, "path", "?")
        logger.error("%s failed: %s", path, type(error).__name__, exc_info=error)
        answer = _response(status.HTTP_500_INTERNAL_SERVER_ERROR, "internal_error", INTERNAL_ERROR)
    return answer


def _answer(error: Exception) -> Response | None:
    """The answer to an anticipated error, None for one that nobody expected."""
    if isinstance(error, LeaderboardError):
        return _response(error.status, error.code, error.detail, error.errors, error.retry_after_seconds)
    if isinstance(error, OperationalError | InterfaceError | PsycopgOperationalError):
        logger.warning("the database is unavailable: %s", str(error).strip().split("\n")[0])
        return _response(
            status.HTTP_503_SERVICE_UNAVAILABLE,
            "database_unavailable",
            "The database can't be reached; nothing was saved, the request may be repeated.",
        )
    for kind, (status_code, code, detail) in DJANGO_ERRORS.items():
        if isinstance(error, kind):
            return _response(status_code, code, detail)
    if isinstance(error, exceptions.ValidationError):
        return _response(error.status_code, "invalid", "The request is not valid.", _validation(error.detail))
    if isinstance(error, exceptions.APIException):
        return _of_api_exception(error)
    return None


def _of_api_exception(error: exceptions.APIException) -> Response:
    codes = error.get_codes()
    code = CODES.get(type(error)) or (codes if isinstance(codes, str) else error.default_code)
    wait = getattr(error, "wait", None)
    response = _response(
        error.status_code,
        code,
        str(error.detail),
        retry_after_seconds=None if wait is None else max(1, math.ceil(wait)),
    )
    header = getattr(error, "auth_header", None)
    if header:
        response["WWW-Authenticate"] = header
    return response


def _validation(detail: Any, field: str | None = None) -> Details:
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


def _response(
    status_code: int,
    code: str,
    detail: str,
    errors: Details | None = None,
    retry_after_seconds: int | None = None,
) -> Response:
    response = Response(_body(code, detail, errors), status=status_code)
    if status_code in STATUS_WITH_RETRY_AFTER:
        response["Retry-After"] = str(retry_after_seconds or RETRY_AFTER_SECONDS)
    return response


def _body(code: str, detail: str, errors: Details | None = None) -> dict[str, Any]:
    return {"code": code, "detail": detail, "errors": errors or []}


def _is_page(request: HttpRequest) -> bool:
    return request.path.startswith("/admin/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: what is wrong before a view is reached."""
    if _is_page(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return JsonResponse(_body("body_too_large", "The body is above 2 MiB."), status=413)
    return JsonResponse(_body("bad_request", "The request can't be read."), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    if _is_page(request):
        return defaults.permission_denied(request, exception)
    return JsonResponse(_body("permission_denied", "This is not allowed."), status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler404, and the view of every unknown path under /v1."""
    if _is_page(request) and exception is not None:
        return defaults.page_not_found(request, exception)
    return JsonResponse(_body("not_found", "There is nothing at this path."), status=404)


def internal_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; Django has logged the traceback already."""
    if _is_page(request):
        return defaults.server_error(request)
    return JsonResponse(_body("internal_error", INTERNAL_ERROR), status=500)
