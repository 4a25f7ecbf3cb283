"""The steps of a recovery, from a Redis that has lost data to boards that equal the totals.

What is lost at the end is applied again from the outbox. After a larger loss, or where the outbox does not tell all, that gives the
boards something to show, and all of them are rebuilt. The path of scores goes on all the while.

Fences are lost too. They refuse what was read before a correction, by workers that may hold it for as long as a task may take:
so once that time is over, all that was applied shortly before the loss is applied again.
"""

import logging
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from boards.apply import CannotShow, apply_rows_of
from boards.archived_periods import archived_period_id
from boards.clearing import clear_archived_boards, clear_leftovers
from boards.names import begin_names, swap_names, write_names
from boards.recovering import ALL_BOARDS, note_recovering
from rebuilds.jobs import ask_rebuild, cancel, load_request
from rebuilds.models import BoardJob, Recovery
from rebuilds.selection import all_boards, most_read_first
from rebuilds.watching import MARGIN
from scoring.models import Erasure
from scoring.outbox_history import Span, count_players, load_portion, load_recent_first
from scoring.totals import load_next_names

log = logging.getLogger(__name__)

ASKED_BY = "recovery"

PLAYERS_A_PORTION = 50_000
"""Read and written in some seconds; each once, however many of its events are about him."""

MOST_PLAYERS = 2_000_000
"""More take longer from the outbox than a rebuild does."""

SHOWN_PLAYERS = 200_000
SHOWN_EVENTS = 50_000
"""What is applied before a rebuild, so that boards show something within seconds: about so many players or events."""

NAMES_AT_ONCE = 5_000
CLOCKS_DIFFER = timedelta(seconds=5)
ALWAYS = datetime.min.replace(tzinfo=UTC)


class TurnLost(Exception):
    """Somebody else has the turn, or Redis has lost data once more."""


class Desk:
    """A recovery with the turn to work on it. Everything is saved under this turn."""

    def __init__(self, recovery: Recovery, clock: Callable[[], datetime], claim: timedelta) -> None:
        self.recovery = recovery
        self.clock = clock
        self._claim = claim

    def save(self, **changed: Any) -> None:
        """Write these fields, and keep the turn. TurnLost."""
        self._save(self._claim, changed)

    def release(self, pause: timedelta) -> None:
        """Somebody else may have the turn after this pause. TurnLost."""
        if self.recovery.finished_at is None:
            self._save(pause, {})

    def _save(self, claim: timedelta, changed: dict[str, Any]) -> None:
        for name, value in changed.items():
            setattr(self.recovery, name, value)
        own = Recovery.objects.unfinished().filter(pk=self.recovery.pk, turn=self.recovery.turn)
        if not own.update(**changed, claimed_until=self.clock() + claim):
            raise TurnLost


def step(desk: Desk, seconds: float) -> bool:
    """Go on for about `seconds`; whether there is more to do at once. TurnLost, BoardsUnavailable."""
    deadline = time.monotonic() + seconds
    match desk.recovery.state:
        case Recovery.State.CLEARING:
            note_recovering([ALL_BOARDS])
            return _clear(desk)
        case Recovery.State.APPLYING:
            note_recovering([ALL_BOARDS])
            return _apply(desk, deadline)
        case Recovery.State.NAMING:
            note_recovering([ALL_BOARDS])
            return _name(desk, deadline)
        case Recovery.State.REBUILDING:
            return _await_rebuilds(desk)
        case Recovery.State.CONFIRMING:
            return _confirm(desk, deadline)
    raise ValueError(f"{desk.recovery} is {desk.recovery.state}")


def _clear(desk: Desk) -> bool:
    """Rebuilds begin anew: their staging boards may have lost rows that were read long before."""
    recovery = desk.recovery
    clear_leftovers(fences=recovery.is_rebuilding)
    if not recovery.is_rebuilding and _is_more_than_the_outbox_tells(recovery):
        log.warning("%s: the outbox does not tell all that may be lost; all boards are rebuilt", recovery)
        desk.save(is_rebuilding=True)
        # Of an erased player they would refuse whoever has the id next.
        clear_leftovers(fences=True)
    if recovery.is_rebuilding:
        clear_archived_boards(desk.clock())
        _ask_rebuilds(desk)
        first = load_recent_first(SHOWN_PLAYERS, SHOWN_EVENTS)
    else:
        first = recovery.first_event
    desk.save(state=Recovery.State.APPLYING, next_event=first)
    return True


def _ask_rebuilds(desk: Desk) -> None:
    """In the place of those that an earlier recovery, or turn, has asked for. What is archived is answered from there."""
    cancel(BoardJob.objects.unfinished().filter(asked_by=ASKED_BY), desk.clock())
    now = desk.clock()
    boards = most_read_first([board for board in all_boards(now) if archived_period_id(board, now) is None], now)
    with transaction.atomic():
        desk.save(request=ask_rebuild(boards, ASKED_BY, desk.clock()) if boards else None)


def _is_more_than_the_outbox_tells(recovery: Recovery) -> bool:
    since = recovery.sound_at - CLOCKS_DIFFER
    return (
        count_players(_lost(recovery)) > MOST_PLAYERS
        or Erasure.objects.filter(finished_at__gte=since).exists()
        or BoardJob.objects.of_kept_boards()
        .filter(kind=BoardJob.Kind.REBUILD, state=BoardJob.State.DONE, finished_at__gte=since)
        .exists()
    )


def _lost(recovery: Recovery) -> Span:
    """Whatever was written after `sound_at`, and for as long before as it may have been read."""
    return Span(recovery.first_event, recovery.last_event, recovery.sound_at - MARGIN)


def _apply(desk: Desk, deadline: float) -> bool:
    recovery = desk.recovery
    span = _lost(recovery)
    if recovery.is_rebuilding:
        span = span._replace(applied_since=ALWAYS)
    if _apply_span(desk, span, deadline):
        if recovery.is_rebuilding:
            desk.save(state=Recovery.State.NAMING)
        else:
            _recovered(desk)
    return True


def _apply_span(desk: Desk, span: Span, deadline: float) -> bool:
    """Apply what comes next of it; whether that was all."""
    recovery = desk.recovery
    while True:
        events = load_portion(span._replace(first=recovery.next_event), PLAYERS_A_PORTION)
        if not events:
            return True
        try:
            apply_rows_of(events, desk.clock())
        except CannotShow as error:
            # Everybody else's rows are written; the rest was reported when it was applied first.
            log.warning("applied again, but %s", error)
        desk.save(next_event=events[-1].pk + 1, applied_count=recovery.applied_count + len(events), problem="")
        if time.monotonic() > deadline:
            return False


def _name(desk: Desk, deadline: float) -> bool:
    """Fill the names anew: those of people who were erased meanwhile don't come back."""
    recovery = desk.recovery
    if not recovery.names_token:
        desk.save(names_token=uuid.uuid4().hex, last_named=0)
        begin_names(recovery.names_token)
    while time.monotonic() < deadline:
        names = load_next_names(recovery.last_named, NAMES_AT_ONCE)
        if not names and swap_names(recovery.names_token):
            desk.save(state=Recovery.State.REBUILDING)
            break
        if not names or not write_names((player_id, version, name) for _, player_id, version, name in names):
            desk.save(names_token="", problem="the copy of the names was lost; it is begun anew")
            break
        desk.save(last_named=names[-1][0], problem="")
    return True


def _await_rebuilds(desk: Desk) -> bool:
    recovery = desk.recovery
    jobs = load_request(recovery.request) if recovery.request else []
    if left := [job.board for job in jobs if job.finished_at is None]:
        note_recovering(left)
        return False
    if failed := [job.board for job in jobs if job.state == BoardJob.State.FAILED]:
        desk.save(problem=f"{len(failed)} boards could not be rebuilt, such as {failed[0]}"[:500])
    _recovered(desk)
    return False


def _recovered(desk: Desk) -> None:
    recovery, now = desk.recovery, desk.clock()
    note_recovering([])
    desk.save(state=Recovery.State.CONFIRMING, recovered_at=now, next_event=recovery.first_event)
    seconds = (now - recovery.noted_at).total_seconds()
    log.warning(
        "%s: the boards are right again after %.1f seconds; %s", recovery, seconds, recovery.problem or "all went well"
    )


def _confirm(desk: Desk, deadline: float) -> bool:
    recovery = desk.recovery
    assert recovery.resumed_at is not None
    if desk.clock() < recovery.resumed_at + MARGIN:
        return False
    if _apply_span(desk, _lost(recovery), deadline):
        desk.save(state=Recovery.State.DONE, finished_at=desk.clock())
    return recovery.finished_at is None
