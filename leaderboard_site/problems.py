"""Every error under /v1 in one shape: ``{"code", "detail", "errors": [{"index", "field", "code", "detail"}]}``.

``errors`` may be empty. 429 and 503 carry Retry-After, in seconds. Never a page, never a traceback. Knows no door.
"""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from psycopg import OperationalError as PsycopgOperationalError

from scoring.api.reply import Headers, Reply, json_reply
from scoring.errors import LeaderboardError

logger = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = 1
STATUS_WITH_RETRY_AFTER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)

Details = Sequence[dict[str, Any]]


class Problem(msgspec.Struct):
    """The body of an error."""

    code: str
    detail: str
    errors: Details = ()


DJANGO_ERRORS: dict[type[Exception], tuple[int, Problem]] = {
    RequestDataTooBig: (413, Problem("body_too_large", "The body is above 2 MiB.")),
    Http404: (404, Problem("not_found", "There is nothing at this path.")),
    PermissionDenied: (403, Problem("permission_denied", "This is not allowed.")),
    # Of its kinds, the first above is told apart.
    SuspiciousOperation: (400, Problem("bad_request", "The request can't be read.")),
}
INTERNAL_ERROR = Problem(
    "internal_error", "Something failed on our side; it has been logged. The request may be repeated."
)
DATABASE_UNAVAILABLE = Problem(
    "database_unavailable", "The database can't be reached; nothing was saved, the request may be repeated."
)


def problem_reply(
    status: int, problem: Problem, *, retry_after_seconds: int | None = None, headers: Headers = ()
) -> Reply:
    if status in STATUS_WITH_RETRY_AFTER:
        headers = (*headers, ("Retry-After", str(retry_after_seconds or RETRY_AFTER_SECONDS)))
    return json_reply(problem, status, headers)


def reply_to(error: Exception) -> Reply | None:
    """The reply to an anticipated error, None for one that nobody expected."""
    if isinstance(error, LeaderboardError):
        problem = Problem(error.code, error.detail, error.errors)
        return problem_reply(error.status, problem, retry_after_seconds=error.retry_after_seconds)
    if isinstance(error, OperationalError | InterfaceError | PsycopgOperationalError):
        logger.warning("the database is unavailable: %s", str(error).strip().split("\n")[0])
        return problem_reply(HTTPStatus.SERVICE_UNAVAILABLE, DATABASE_UNAVAILABLE)
    for kind, (status, problem) in DJANGO_ERRORS.items():
        if isinstance(error, kind):
            return problem_reply(status, problem)
    return None


def reply_to_unexpected(error: Exception, path: str) -> Reply:
    """Nothing of the error is shown; it is logged with its traceback."""
    logger.error("%s failed: %s", path, type(error).__name__, exc_info=error)
    return problem_reply(HTTPStatus.INTERNAL_SERVER_ERROR, INTERNAL_ERROR)
