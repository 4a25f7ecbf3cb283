"""Limits per API key, counted over all web processes. Keys without a limit cost nothing."""

import math

from boards.dialogue import Dialogue
from boards.store import BoardsUnavailable, Call
from scoring.api.rate_limit import RateLimit
from scoring.errors import LeaderboardError
from scoring.grants import Grant

WINDOW_SECONDS = 60


class TooManyRequests(LeaderboardError):
    status, code = 429, "too_many_requests"


def count_request(grant: Grant | None) -> Dialogue[RateLimit | None]:
    """Count one more request of the key; how it stands then, None if it has no limit.

    Without Redis nothing can be counted, and nothing is refused: a score is worth more than a limit.
    """
    if grant is None or grant.requests_per_minute is None:
        return None
    try:
        count, left_ms = yield Call("count_request", [f"throttle:{grant.prefix}"], [WINDOW_SECONDS])
    except BoardsUnavailable:
        return None
    return RateLimit(grant.requests_per_minute, count, math.ceil(left_ms / 1000))


def require_within(limit: RateLimit) -> None:
    """Raise TooManyRequests, with the seconds until the window ends, if the request was one too many."""
    if limit.used > limit.limit:
        raise TooManyRequests(
            f"this API key may be used {limit.limit} times a minute", retry_after_seconds=limit.reset_seconds
        )
