"""A look at some entries each minute, drawn at random from rows and boards, so that drift shows as a figure within minutes."""

from datetime import datetime

from boards.board_ids import GLOBAL, Board
from boards.copies import Copy, draw_copy, read_copy
from boards.writes import scopes_of
from rebuilds.comparing import differs, settle
from rebuilds.models import Sample
from rebuilds.truth import Truth
from scoring.models import Period
from scoring.period_rows import load_open_period_ids
from scoring.rules import Rules, all_rules
from scoring.totals import load_sample

DRAWS = 100
"""Of each open period: players from the rows, and as many entries from its global board."""

DRAWS_OF_A_SEGMENT = 5
"""Entries from the board of each segment that a player drawn is in."""

PATIENCE_SECONDS = 5.0


def sample_boards(now: datetime) -> None:
    """Compare some entries of every leaderboard's open boards, and keep how many differ. NotSettled, BoardsUnavailable.

    Some queries and round trips a board looked at.
    """
    open_ids = set(load_open_period_ids(now))
    for rules in all_rules().values():
        periods = Period.objects.filter(leaderboard_id=rules.leaderboard_id, pk__in=open_ids)
        looks = [look for period in periods for look in _sample_period(rules, period)]
        Sample.objects.update_or_create(
            leaderboard_id=rules.leaderboard_id,
            defaults={
                "sampled_at": now,
                "compared": sum(compared for compared, _ in looks),
                "differing": sum(differing for _, differing in looks),
            },
        )


def _sample_period(rules: Rules, period: Period) -> list[tuple[int, int]]:
    """How many entries were compared and how many differ, for each board looked at."""
    by_scope: dict[str, set[str]] = {GLOBAL: set()}
    for player_id, segments in load_sample(period.pk, DRAWS):
        for scope in scopes_of(segments, rules.scopes):
            by_scope.setdefault(scope, set()).add(player_id)
    window = rules.window_of(period.label)
    return [_sample_board(Board(rules, window, scope), players) for scope, players in by_scope.items()]


def _sample_board(board: Board, drawn_from_rows: set[str]) -> tuple[int, int]:
    copy, truth = Copy.live(board.id), Truth(board)
    count = DRAWS if board.scope == GLOBAL else DRAWS_OF_A_SEGMENT
    player_ids = sorted(drawn_from_rows.union(draw_copy(copy, count)))
    known = truth.players(player_ids)
    entries = read_copy(copy, [player_id.encode(errors="surrogateescape") for player_id in player_ids]).entries
    suspects = {
        player_id
        for player_id, stored in zip(player_ids, entries, strict=True)
        if differs(known[player_id].row if player_id in known else None, stored)
    }
    return len(player_ids), len(settle(truth, copy, suspects, PATIENCE_SECONDS).differences)
