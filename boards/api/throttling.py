"""Limits per API key, counted over all web processes. Keys without a limit cost nothing."""

import math
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from boards import store
from boards.store import BoardsUnavailable, Call
from scoring.api.authentication import grant_of
from scoring.api.rate_limit import RateLimit, set_rate_limit
from scoring.errors import LeaderboardError

WINDOW_SECONDS = 60


class TooManyRequests(LeaderboardError):
    status, code = 429, "too_many_requests"


class KeyThrottle(BaseThrottle):
    """Installed for every view by settings. Raises TooManyRequests, with the seconds until the window ends.

    Without Redis nothing can be counted, and nothing is refused: a score is worth more than a limit.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        grant = grant_of(request)
        if grant is None or grant.requests_per_minute is None:
            return True
        try:
            call = Call("count_request", [f"throttle:{grant.prefix}"], [WINDOW_SECONDS])
            ((count, left_ms),) = store.run([call])
        except BoardsUnavailable:
            return True
        limit = RateLimit(
            grant.requests_per_minute, max(grant.requests_per_minute - count, 0), math.ceil(left_ms / 1000)
        )
        set_rate_limit(request, limit)
        if count > limit.limit:
            raise TooManyRequests(
                f"this API key may be used {limit.limit} times a minute", retry_after_seconds=limit.reset_seconds
            )
        return True
