"""The work of a job: a rebuild marks its board, loads rows, verifies the staging copy and swaps; a verification only compares.

Why rows may be read in any number of snapshots: each is read at some moment after the mark, and every write since the mark goes
to both copies. A row that changes after it was read comes by its own event; by epochs the newer one wins, whoever is first.
"""

import logging
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils.functional import cached_property

from boards import staging
from boards.board_ids import find_board
from boards.copies import Copy
from boards.staging import NO_ROWS, StagedRows
from boards.windows import keep_listed
from rebuilds.comparing import Kind
from rebuilds.models import BoardJob
from rebuilds.truth import Truth, require_known_members
from rebuilds.verifying import Findings, Phase, Walk, has_expired, verify_portion
from rebuilds.window_truth import truth_of
from scoring.errors import LeaderboardError
from scoring.periods import CustomWindow
from scoring.rules import forget_rules

log = logging.getLogger(__name__)

ROWS_A_SCRIPT = 125
"""Holds Redis for a third of a millisecond. More are quicker, and longer in the readers' way: see decision 29."""

SAVE_EVERY_SECONDS = 0.5

PROGRESS = {"attempts": 0, "problem": ""}
"""What was wrong before is over."""


class JobEnded(Exception):
    """The job was cancelled, or somebody else has its turn."""


class LeaseLost(Exception):
    """The lease in Redis is not ours any more: the staging copy may have missed writes."""


class LeaseHeld(LeaderboardError):
    """Another rebuild, of which this database knows nothing, has the board's lease."""

    status, code = 409, "rebuild_running"


class DifferencesFound(LeaderboardError):
    """The staging copy is not what the rows say, at a second look too: no swap."""

    status, code = 409, "differences_found"


class Desk:
    """A job with the turn to work on it. Everything is saved under this turn: whoever has lost it changes nothing."""

    def __init__(self, job: BoardJob, clock: Callable[[], datetime], claim: timedelta) -> None:
        self.job = job
        self.clock = clock
        self._claim = claim
        self._saved_at = time.monotonic()

    @cached_property
    def truth(self) -> Truth:
        try:
            board = find_board(self.job.board, self.clock())
        except LeaderboardError:
            # A season or leaderboard of the last second: who asked knew it before this process does.
            forget_rules()
            board = find_board(self.job.board, self.clock())
        return truth_of(board)

    @property
    def is_window(self) -> bool:
        return isinstance(self.truth.board.window, CustomWindow)

    def save(self, **changed: Any) -> None:
        """Write these fields, and keep the turn. JobEnded."""
        for name, value in changed.items():
            setattr(self.job, name, value)
        own = BoardJob.objects.unfinished().filter(pk=self.job.pk, turn=self.job.turn)
        if not own.update(**changed, claimed_until=self.clock() + self._claim):
            raise JobEnded
        self._saved_at = time.monotonic()

    def keep(self) -> None:
        """Keep the turn, and the lease of a rebuild, at most every SAVE_EVERY_SECONDS. JobEnded, LeaseLost."""
        if time.monotonic() - self._saved_at > SAVE_EVERY_SECONDS:
            self.save()
            self.require_lease()

    def require_lease(self) -> None:
        """Renew the lease of a rebuild. LeaseLost."""
        if self.job.is_rebuild and not staging.load(self.job.board, self.job.token, [NO_ROWS]):
            raise LeaseLost


def step(desk: Desk, seconds: float) -> None:
    """Go on with the job for about `seconds`, at least by one portion. Raises the errors above, NotSettled and BoardsUnavailable."""
    deadline = time.monotonic() + seconds
    if desk.job.is_rebuild and desk.is_window:
        # Before it is marked, and again before its lease could outlive this.
        keep_listed(desk.truth.board, desk.clock())
    if desk.job.is_rebuild and not desk.job.token:
        _begin(desk)
    desk.require_lease()
    if desk.job.state == BoardJob.State.LOADING:
        _load(desk, deadline)
    else:
        _verify(desk, seconds)


def _begin(desk: Desk) -> None:
    """The token is saved before it is used: what a dying worker leaves in Redis is known."""
    desk.save(token=uuid.uuid4().hex)
    if not staging.mark(desk.job.board, desk.job.token):
        desk.save(token="")
        raise LeaseHeld(f"another rebuild has the lease of {desk.job.board}")
    desk.save(expected=desk.truth.count())


def _load(desk: Desk, deadline: float) -> None:
    """Rows into the staging copy, from where the last step was. Killed between two savings, some are loaded twice.

    Reading and writing by turns: with one of them at a time busy, a rebuild takes one core, and readers find another.
    """
    job = desk.job
    position, loaded, unshown = job.position, job.loaded, job.unshown
    saved_at = time.monotonic()
    while (portion := desk.truth.portion(position)).last is not None:
        if not staging.load(job.board, job.token, _for_scripts(portion.rows)):
            raise LeaseLost
        position, loaded = portion.last, loaded + len(portion.rows.player_ids)
        unshown += len(portion.problems)
        now = time.monotonic()
        if now > min(deadline, saved_at + SAVE_EVERY_SECONDS):
            desk.save(position=position, loaded=loaded, unshown=unshown, **PROGRESS)
            saved_at = now
        if now > deadline:
            return
    desk.save(state=BoardJob.State.VERIFYING, position=0, loaded=loaded, unshown=unshown, **PROGRESS)


def _for_scripts(rows: StagedRows) -> list[StagedRows]:
    """At least one portion, which renews the lease."""
    firsts = range(0, max(len(rows.player_ids), 1), ROWS_A_SCRIPT)
    return [rows.part(first, first + ROWS_A_SCRIPT) for first in firsts]


def _verify(desk: Desk, seconds: float) -> None:
    job = desk.job
    if not job.is_rebuild and job.verified == 0:
        desk.save(expected=desk.truth.count())
    copy = Copy.staging(job.board) if job.is_rebuild else Copy.live(job.board)
    if not job.is_rebuild and has_expired(desk.truth, copy, desk.clock()):
        _finish(desk)
        return
    walk = Walk(Phase(job.phase), job.position, job.verified, job.matched)
    findings = verify_portion(desk.truth, copy, walk, seconds, entries=not job.is_rebuild, renew=desk.keep)
    # Without its lease the copy has missed writes, and its differences mean nothing.
    desk.require_lease()
    ahead = findings.walk
    desk.save(
        phase=ahead.phase,
        position=ahead.position,
        verified=ahead.compared,
        matched=ahead.matched,
        **_counts(job, findings),
        **PROGRESS,
    )
    if ahead.phase is Phase.OVER:
        _finish(desk)


def _finish(desk: Desk) -> None:
    job, now = desk.job, desk.clock()
    if job.is_rebuild:
        if job.difference_count:
            raise DifferencesFound(f"not swapped: of the staging copy {in_words(job)}")
        # It may have closed meanwhile, and players moved.
        require_known_members(desk.truth.board, now)
        if not staging.swap(job.board, job.token, desk.truth.board.kept_seconds, window=desk.is_window):
            raise LeaseLost
    elif job.difference_count:
        log.warning("%s differs from its totals: %s", job.board, in_words(job))
    problem = f"{job.unshown} totals fit into no score and are not shown" if job.unshown else ""
    desk.save(state=BoardJob.State.DONE, finished_at=now, expected=job.verified, problem=problem)


def in_words(job: BoardJob) -> str:
    return f"{job.missing} entries are missing, {job.extra} are extra, {job.different} are different"


def _counts(job: BoardJob, findings: Findings) -> dict[str, int]:
    kinds = [difference.kind for difference in findings.differences]
    counts = {str(kind): getattr(job, kind) + kinds.count(kind) for kind in Kind}
    return counts if job.is_rebuild else {**counts, "unshown": job.unshown + len(findings.problems)}
