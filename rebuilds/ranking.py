"""What the statements that rank totals have to know of a leaderboard (ranked.sql, scopes_of.sql)."""

from scoring.models import Leaderboard, ReviewState
from scoring.ranking import Order, Ties

NUMBER_SIGNS = {Ties.FIRST: 1, Ties.LATEST_FIRST: -1, Ties.SHARED: 0}


def ranking_parameters(leaderboard: Leaderboard) -> dict[str, object]:
    """Who is shown, on which boards, and who ranks higher."""
    return {
        "shown_state": int(ReviewState.CLEAR),
        "scopes": leaderboard.scopes,
        "direction": Order(leaderboard.order).direction,
        "number_sign": NUMBER_SIGNS[Ties(leaderboard.ties)],
    }
