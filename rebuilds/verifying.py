"""Verify: walk over one copy of a board and its rows, both ways, in portions that can be taken up later.

First along the rows, which finds what is missing or different; then along the copy, which finds entries that no row stands
for. Nothing is written.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from boards.copies import Copy, read_copy, scan_copy
from rebuilds.comparing import Difference, settle, suspects_of
from rebuilds.truth import Truth, is_closed

MOST_SUSPECTS = 5_000
"""Looked at a second time at once; at 10,000 scores a second about as many are on their way at any moment."""

PORTION_SECONDS = 5.0

PATIENCE_SECONDS = 10.0
"""For the outbox to be applied; the boards are seldom two seconds behind."""


class Phase(StrEnum):
    ROWS = "rows"
    ENTRIES = "entries"
    OVER = "over"


@dataclass
class Walk:
    """How far a verification is. `position`: the last player's primary key, or the scan's cursor. Saved between portions."""

    phase: Phase = Phase.ROWS
    position: int = 0
    compared: int = 0
    matched: int = 0
    """Rows that the copy has an entry for."""


class Findings(NamedTuple):
    """What a part of the walk has found, and how far it came. `problems`: totals that fit into no score, a sentence each."""

    walk: Walk
    differences: list[Difference]
    problems: list[str]


def verify_portion(
    truth: Truth, copy: Copy, walk: Walk, seconds: float, *, entries: bool, renew: Callable[[], None] = lambda: None
) -> Findings:
    """Walk on for about `seconds`, then settle what differed. `walk` itself stays as it is.

    `entries`: look along the copy in any case; else only if it has more players than rows. `renew` is called every some
    thousand players. Raises NotSettled if the outbox is not applied within PATIENCE_SECONDS.
    """
    deadline = time.monotonic() + seconds
    ahead = replace(walk)
    suspects: set[str] = set()
    problems: list[str] = []
    while ahead.phase is not Phase.OVER:
        renew()
        if ahead.phase is Phase.ROWS:
            suspects |= _along_rows(truth, copy, ahead, problems, entries=entries)
        else:
            suspects |= _along_entries(truth, copy, ahead)
        if time.monotonic() > deadline or len(suspects) > MOST_SUSPECTS:
            break
    settled = settle(truth, copy, suspects, PATIENCE_SECONDS, renew)
    return Findings(ahead, settled.differences, [*problems, *settled.problems])


def verify_live(truth: Truth, now: datetime) -> Iterator[Findings]:
    """Compare the live board with its rows, both ways, some seconds' worth at a time. NotSettled, BoardsUnavailable.

    The board of a closed period that is not there has had its time, and is left alone.
    """
    copy = Copy.live(truth.board.id)
    if has_expired(truth, copy, now):
        return
    walk = Walk()
    while walk.phase is not Phase.OVER:
        findings = verify_portion(truth, copy, walk, PORTION_SECONDS, entries=True)
        walk = findings.walk
        yield findings


def has_expired(truth: Truth, copy: Copy, now: datetime) -> bool:
    return is_closed(truth.board, now) and not read_copy(copy, []).player_count


def _along_rows(truth: Truth, copy: Copy, walk: Walk, problems: list[str], *, entries: bool) -> set[str]:
    portion = truth.portion(walk.position)
    contents = read_copy(copy, [row.player_id for row in portion.rows])
    problems += portion.problems
    walk.compared += len(portion.rows)
    walk.matched += sum(stored.score is not None for stored in contents.entries)
    if portion.last is None:
        is_more = entries or contents.player_count > walk.matched
        walk.phase, walk.position = (Phase.ENTRIES if is_more else Phase.OVER), 0
    else:
        walk.position = portion.last
    return suspects_of(portion.rows, contents.entries)


def _along_entries(truth: Truth, copy: Copy, walk: Walk) -> set[str]:
    walk.position, player_ids = scan_copy(copy, walk.position)
    if walk.position == 0:
        walk.phase = Phase.OVER
    known = truth.players(player_ids)
    return {player_id for player_id in player_ids if player_id not in known or known[player_id].row is None}
