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

from boards.copies import Contents, Copy, read_copy, scan_copy
from boards.windows import read_built
from rebuilds.comparing import Difference, settle, suspects_of
from rebuilds.truth import Portion, Truth
from scoring.periods import CustomWindow

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
    """Walk on for about `seconds`, at least by one portion, then settle what differed. `walk` itself stays as it is.

    `entries`: look along the copy in any case; else only if it has more players than rows. `renew` is called every some
    thousand players. Raises NotSettled if the outbox is not applied within PATIENCE_SECONDS.
    """
    deadline = time.monotonic() + seconds
    look = _Look(truth, copy, replace(walk), renew, entries=entries)
    look.go_on(deadline)
    while look.walk.phase is not Phase.OVER and time.monotonic() < deadline and len(look.suspects) < MOST_SUSPECTS:
        look.go_on(deadline)
    settled = settle(truth, copy, look.suspects, PATIENCE_SECONDS, renew)
    return Findings(look.walk, settled.differences, [*look.problems, *settled.problems])


def verify_live(truth: Truth, now: datetime) -> Iterator[Findings]:
    """Compare the live board with its rows, both ways, some seconds' worth at a time. NotSettled, BoardsUnavailable.

    The board of a closed period, or a custom window, that is not there has had its time, and is left alone.
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
    if isinstance(truth.board.window, CustomWindow):
        return read_built([truth.board]) == [False]
    return truth.board.is_closed_at(now) and not read_copy(copy, []).player_count


class _Look:
    """The first look, at part of a walk."""

    def __init__(self, truth: Truth, copy: Copy, walk: Walk, renew: Callable[[], None], *, entries: bool) -> None:
        self.walk = walk
        self.suspects: set[str] = set()
        self.problems: list[str] = []
        self._truth = truth
        self._copy = copy
        self._renew = renew
        self._entries = entries

    def go_on(self, deadline: float) -> None:
        """To the end of the phase, or until it is enough."""
        if self.walk.phase is Phase.ROWS:
            self._along_rows(deadline)
        else:
            self._renew()
            self._along_entries()

    def _along_rows(self, deadline: float) -> None:
        walk = self.walk
        while (portion := self._truth.portion(walk.position)).last is not None:
            self._renew()
            self._compare(portion, read_copy(self._copy, portion.rows.player_ids))
            walk.position = portion.last
            if time.monotonic() > deadline or len(self.suspects) > MOST_SUSPECTS:
                return
        is_more = self._entries or read_copy(self._copy, []).player_count > walk.matched
        walk.phase, walk.position = (Phase.ENTRIES if is_more else Phase.OVER), 0

    def _compare(self, portion: Portion, contents: Contents) -> None:
        self.problems += portion.problems
        self.suspects |= suspects_of(portion.rows, contents)
        self.walk.compared += len(contents.scores)
        self.walk.matched += len(contents.scores) - contents.scores.count(None)

    def _along_entries(self) -> None:
        self.walk.position, player_ids = scan_copy(self._copy, self.walk.position)
        if self.walk.position == 0:
            self.walk.phase = Phase.OVER
        known = self._truth.players(player_ids)
        self.suspects |= {
            player_id for player_id in player_ids if player_id not in known or known[player_id].row is None
        }
