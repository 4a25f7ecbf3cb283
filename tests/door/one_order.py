"""The rules of intake in a few lines, and the search for an order of requests in which they explain all answers. Pure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

Score = dict[str, Any]
Told = tuple[str, Any]
"""What one score was told: accepted or duplicate with the total, or the code of its error with nothing."""

LEADERBOARDS = ("quiz", "race")


class Request(NamedTuple):
    """A single score, or a batch. A limited key may only use quiz."""

    scores: list[Score]
    is_batch: bool
    is_limited: bool


def refusal(score: Score, *, is_limited: bool) -> str | None:
    """The code of what is wrong with a score whatever was sent before."""
    if not isinstance(score["points"], int) or " " in score["player_id"]:
        return "invalid"
    if score["leaderboard"] not in LEADERBOARDS:
        return "leaderboard_not_found"
    if is_limited and score["leaderboard"] != "quiz":
        return "leaderboard_not_allowed"
    return "points_out_of_range" if score["points"] < 0 else None


class Ledger:
    """Points by leaderboard, player and match."""

    def __init__(self) -> None:
        self.points: dict[tuple[str, str, str], int] = {}

    def take(self, request: Request) -> list[Told]:
        fates = [self._take(score, is_limited=request.is_limited) for score in request.scores]
        # Totals as they are after all of the request.
        return [
            (fate, self._total(score)) if fate in ("accepted", "duplicate") else (fate, None)
            for fate, score in zip(fates, request.scores, strict=True)
        ]

    def _take(self, score: Score, *, is_limited: bool) -> str:
        code = refusal(score, is_limited=is_limited)
        if code is not None:
            return code
        key = score["leaderboard"], score["player_id"], score["match_id"]
        if key not in self.points:
            self.points[key] = score["points"]
            return "accepted"
        return "duplicate" if self.points[key] == score["points"] else "match_conflict"

    def _total(self, score: Score) -> int:
        whose = score["leaderboard"], score["player_id"]
        return sum(points for key, points in self.points.items() if key[:2] == whose)


def explains(requests: Sequence[Request], told: Sequence[list[Told]]) -> bool:
    """Whether the requests, sent one after another in some order, would have been told just this."""
    hopeless: set[frozenset[int]] = set()

    def goes_on(ledger: Ledger, left: frozenset[int]) -> bool:
        if not left:
            return True
        if left in hopeless:
            # What is in the ledger by now follows from the answers, whatever the order so far.
            return False
        for number in left:
            following = Ledger()
            following.points = dict(ledger.points)
            if following.take(requests[number]) == told[number] and goes_on(following, left - {number}):
                return True
        hopeless.add(left)
        return False

    return goes_on(Ledger(), frozenset(range(len(requests))))
