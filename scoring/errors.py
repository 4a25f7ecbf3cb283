"""Anticipated errors: one class a case, each with the HTTP status and code that API.md promises.

Raised by the rooms behind the doors, translated in one place (`leaderboard_site.errors`).
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with the input. Where in a batch it stood is for the door to say."""

    field: str
    code: str
    detail: str

    def as_dict(self, index: int | None = None) -> dict[str, object]:
        return {"index": index, "field": self.field, "code": self.code, "detail": self.detail}


class LeaderboardError(Exception):
    """Base of every error that a caller can cause or must expect."""

    status: int = 400
    code: str = "invalid"

    def __init__(
        self, detail: str, errors: list[FieldError] | None = None, retry_after_seconds: int | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = [error.as_dict() for error in errors or []]
        self.retry_after_seconds = retry_after_seconds


class InvalidRequest(LeaderboardError):
    """Something about the request as a whole is not as the contract says."""


class MalformedJson(LeaderboardError):
    code = "malformed_json"


class BatchTooLarge(LeaderboardError):
    status, code = 413, "batch_too_large"


class NotAuthenticated(LeaderboardError):
    status, code = 401, "not_authenticated"


class WrongScope(LeaderboardError):
    status, code = 403, "wrong_scope"


class LeaderboardNotAllowed(LeaderboardError):
    status, code = 403, "leaderboard_not_allowed"


class LeaderboardNotFound(LeaderboardError):
    status, code = 404, "leaderboard_not_found"


class RequestTimeout(LeaderboardError):
    status, code = 408, "request_timeout"


class Overloaded(LeaderboardError):
    """More is waiting already than can be done soon. Nothing was saved."""

    status, code = 503, "overloaded"


class ScoreRejected(LeaderboardError):
    """One score could not be accepted; nothing of it was saved. The status depends on the code."""

    status_of: ClassVar[dict[str, int]] = {
        "leaderboard_not_found": 404,
        "leaderboard_not_allowed": 403,
        "match_conflict": 409,
        "period_closed": 409,
    }

    def __init__(self, error: FieldError) -> None:
        super().__init__(error.detail, [error])
        self.code = error.code
        self.status = self.status_of.get(error.code, 400)
