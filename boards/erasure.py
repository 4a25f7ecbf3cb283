"""The last traces of erased players: what boards keep besides entries, and the names.

The erasure's outbox event has taken them off their boards at once. Their fences stayed, to refuse what had been read before;
now that nobody holds such a thing any more, they go too.
"""

import logging
from datetime import datetime

from boards import store
from boards.apply import LONGEST_KEPT, apply_players
from boards.board_ids import GLOBAL
from boards.keys import NAMES, NAMES_COPY, board_keys
from boards.store import BoardsUnavailable, Call
from boards.window_writes import forget_former_id
from boards.windows import list_followed
from scoring.models import Erasure, FormerId
from scoring.moderation.erasing import finish_erasure, load_unfinished_erasures
from scoring.rules import get_rules
from scoring.totals import load_period, load_recent_period_ids

log = logging.getLogger(__name__)

BOARDS_A_ROUND = 1_000


def finish_erasures(now: datetime) -> int:
    """Take the last traces of players who were erased a minute ago; returns how many erasures were finished. Repeatable.

    A round trip for each BOARDS_A_ROUND boards that a player may have been on. BoardsUnavailable; then it is for later.
    """
    finished = 0
    for erasure in load_unfinished_erasures(now):
        try:
            _finish(erasure, now)
        except BoardsUnavailable:
            raise
        except Exception:
            # Whatever is wrong with this one must not stop the others; it is tried again.
            log.exception("could not finish %s", erasure)
        else:
            finished += 1
    return finished


def _finish(erasure: Erasure, now: datetime) -> None:
    found = {"boards": 0, "board_names": 0}
    for former in erasure.former_ids.all():
        found["boards"] += _forget_boards(former, now)
        found["boards"] += forget_former_id(former.former_id, former.player_id, list_followed(now))
        (name,) = store.run([Call("forget_name", [NAMES, NAMES_COPY], [former.former_id, former.next_epoch])])
        found["board_names"] += name
    finish_erasure(erasure, found, now)


def _forget_boards(former: FormerId, now: datetime) -> int:
    """On how many boards something was found."""
    period_ids = load_recent_period_ids(now, LONGEST_KEPT)
    # Should an outbox event still wait: it would not know whom to remove any more, also where a total has gone. Leaves a
    # fence wherever he may have been.
    apply_players([former.player_id], period_ids, now, totals_removed=True)
    board_ids = [board_id for period_id in period_ids for board_id in _board_ids(period_id, former.scopes)]
    calls = [
        Call("forget_player", board_keys(board_id), [former.former_id, former.next_epoch]) for board_id in board_ids
    ]
    replies = [
        reply
        for first in range(0, len(calls), BOARDS_A_ROUND)
        for reply in store.run(calls[first : first + BOARDS_A_ROUND])
    ]
    return sum(replies)


def _board_ids(period_id: int, scopes: list[str]) -> list[str]:
    period = load_period(period_id)
    ranked = get_rules(period.leaderboard_slug).scopes
    own = [scope for scope in scopes if scope.partition(":")[0] in ranked]
    return [f"{period.leaderboard_slug}:{period.label}:{scope}" for scope in (GLOBAL, *own)]
