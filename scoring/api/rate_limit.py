"""How a limited API key stands, carried from the throttle to the answer's headers."""

from typing import NamedTuple

from scoring.api.reply import Headers


class RateLimit(NamedTuple):
    """How often a key may be used in a window, how often it was, this time included, and when the window ends."""

    limit: int
    used: int
    reset_seconds: int

    def headers(self) -> Headers:
        return (
            ("RateLimit-Limit", str(self.limit)),
            ("RateLimit-Remaining", str(max(self.limit - self.used, 0))),
            ("RateLimit-Reset", str(self.reset_seconds)),
        )
