"""The limits of API keys for Django REST framework. The counting itself is `boards.api.limits`."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from boards.api.limits import count_request, require_within
from boards.dialogue import hold
from scoring.api.authentication import grant_of


class KeyThrottle(BaseThrottle):
    """Installed for every view by settings. Raises TooManyRequests."""

    def allow_request(self, request: Request, view: Any) -> bool:
        limit = hold(count_request(grant_of(request)))
        if limit is not None:
            # For the answer's headers; on Django's request, since DRF makes a new wrapper of its own for them.
            request._request.rate_limit = limit  # type: ignore[attr-defined]  # noqa: SLF001
            require_within(limit)
        return True
