"""A player's totals of all open periods, each with its places on the boards as they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from boards import reads, store
from boards.board_ids import GLOBAL, Board
from boards.store import BoardsUnavailable
from scoring.models import Player, ReviewState, Total
from scoring.period_rows import load_open_period_ids
from scoring.periods import PeriodKind, Window
from scoring.points import Points, from_units
from scoring.rules import Rules


@dataclass(slots=True)
class Place:
    """Where the player stands on one board. `rank` from 1, None when not on it, `players` how many are."""

    scope: str
    board_id: str
    rank: int | None
    players: int
    points: Points | None


@dataclass(slots=True)
class TotalLine:
    """`is_updating`: the boards show something else than the total says they should, as they do for a moment."""

    leaderboard: str
    period: str
    points: Points
    moved_at: datetime | None
    places: list[Place] = field(default_factory=list)
    is_updating: bool = False


@dataclass(slots=True)
class Standings:
    lines: list[TotalLine]
    boards_are_away: bool = False


def load_standings(player: Player, rules_by_id: Mapping[int, Rules], now: datetime) -> Standings:
    """By leaderboard and period. 2 queries, an index look-up a period; 1 round trip to Redis, after them."""
    totals = (
        Total.objects.filter(player=player, period__in=load_open_period_ids(now))
        .select_related("period")
        .order_by("period__leaderboard__slug", "period_id")
    )
    known = [(total, rules_by_id[total.period.leaderboard_id]) for total in totals]
    lines = [
        TotalLine(rules.slug, total.period.label, from_units(total.points, rules.scale), total.occurred_at)
        for total, rules in known
    ]
    boards = [_boards(total, rules, player) for total, rules in known]
    try:
        _read_places(player, lines, boards)
    except BoardsUnavailable:
        return Standings(lines, boards_are_away=True)
    return Standings(lines)


def _boards(total: Total, rules: Rules, player: Player) -> list[Board]:
    period = total.period
    window = Window(PeriodKind(period.kind), period.label, period.starts_at, period.ends_at)
    segments = (f"{name}:{player.segments[name]}" for name in rules.scopes if name in player.segments)
    return [Board(rules, window, scope) for scope in (GLOBAL, *segments)]


def _read_places(player: Player, lines: Sequence[TotalLine], boards: Sequence[Sequence[Board]]) -> None:
    asked = [
        (line, board, reads.ranks(board, [player.player_id]))
        for line, of in zip(lines, boards, strict=True)
        for board in of
    ]
    if not asked:
        return
    belongs_on_boards = player.review_state == ReviewState.CLEAR and player.merged_into_id is None
    replies = store.run([read.call for _, _, read in asked])
    for (line, board, read), reply in zip(asked, replies, strict=True):
        ranks = read.parse(reply)
        (entry,) = ranks.entries
        line.places.append(Place(board.scope, board.id, entry.rank, ranks.players, entry.points))
        line.is_updating |= entry.points != (line.points if belongs_on_boards else None)
