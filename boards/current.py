"""Which boards there are now: of a leaderboard, of a player."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from boards.board_ids import GLOBAL, Board
from scoring.rules import Rules


def current_boards(rules: Rules, now: datetime, segments: Mapping[str, str] | None = None) -> list[Board]:
    """The boards of the leaderboard's current periods: the global ones, and those of the segments given."""
    return [
        Board(rules, window, scope)
        for window in rules.windows_at(now)
        for scope in (GLOBAL, *_scopes(rules, segments or {}))
    ]


def _scopes(rules: Rules, segments: Mapping[str, str]) -> Iterable[str]:
    return (f"{name}:{segments[name]}" for name in rules.scopes if name in segments)
