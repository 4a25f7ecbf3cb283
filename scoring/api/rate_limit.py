"""How a limited API key stands, carried from the throttle to the answer's headers."""

from typing import NamedTuple

from rest_framework.request import Request


class RateLimit(NamedTuple):
    """How often a key may be used in a window, how often it still may, and when the window ends."""

    limit: int
    remaining: int
    reset_seconds: int


def set_rate_limit(request: Request, rate_limit: RateLimit) -> None:
    """Remember it for the answer's headers."""
    request._request.rate_limit = rate_limit  # type: ignore[attr-defined]  # noqa: SLF001 - outlives DRF's wrapper
