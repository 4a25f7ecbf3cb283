"""What a custom window must show, by brute force: the ledger's events of its days, folded and sorted by the rules' model."""

from collections.abc import Iterable

from boards.board_ids import Board
from scoring.models import Player, ReviewState, ScoreEvent
from scoring.packing import Unpackable
from scoring.ranking import Operator
from scoring.rules import Rules
from tests.rules.model import Event, Line, fold, ranked


def true_lines(board: Board) -> list[Line]:
    """Rank, player and points in units of each line, best first."""
    rules, window = board.rules, board.window
    events = ScoreEvent.objects.filter(
        leaderboard_id=rules.leaderboard_id,
        voided_at__isnull=True,
        occurred_at__gte=window.starts_at,
        occurred_at__lt=window.ends_at,
    )
    by_player: dict[int, list[Event]] = {}
    for event in events.order_by("accept_no"):
        one = Event(event.points, event.accept_no, event.occurred_at, event.details)
        by_player.setdefault(event.player_id, []).append(one)
    totals = {
        player.player_id: fold(rules.operator, rules.order, _counted(board, by_player[player.pk]))
        for player in _members(board, by_player)
    }
    return ranked(
        rules.order, rules.ties, {player: total for player, total in totals.items() if _fits(rules, total.units)}
    )


def _fits(rules: Rules, units: int) -> bool:
    """Whether any score can show so many points: a window of several days may have more than one day can."""
    try:
        rules.packing.pack(units, 0)
    except Unpackable:
        return False
    return True


def _members(board: Board, players: Iterable[int]) -> Iterable[Player]:
    segment, _, value = board.scope.partition(":")
    clear = Player.objects.filter(pk__in=players, review_state=ReviewState.CLEAR)
    return clear.filter(**{f"segments__{segment}": value}) if value else clear


def _counted(board: Board, events: list[Event]) -> list[Event]:
    """Of the operator `latest`, the newest day's: its first result is a new one, whatever the days before had."""
    if board.rules.operator is not Operator.LATEST:
        return events
    day_of = board.rules.calendar.day_of
    newest = max(day_of(event.occurred_at) for event in events)
    return [event for event in events if day_of(event.occurred_at) == newest]
