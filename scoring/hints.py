"""Hints for reviewers: kept up in the background from what the outbox says moved. They sort a queue and decide nothing.

Costs the path of a score nothing: no index, no column, no statement of intake knows of them. One run works for RUN_SECONDS
and stops; what it did not reach is done by the next ones, and the further they are behind, the more events of a player are
seen to at once.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from scoring.database import array_of_numbers, fetch_all
from scoring.models import HintProgress
from scoring.sql import statement
from scoring.traffic import Traffic

RUN_SECONDS = 1.0
"""Of every ten (see settings.PERIODIC_TASKS): a tenth of a core, which the path of a score does not get."""

BUSY_RUN_SECONDS = 0.25
"""While scores pour in: at 8,000 single posts a second hints would take a twelfth of what all of it takes."""

SETTLED_AFTER = timedelta(seconds=60)
"""Events wait so long: a transaction that was given a smaller id has ended by then, and a player's next scores have come."""

CLOCKS_DIFFER_BY = timedelta(seconds=30)
SLICE_PLAYERS = 20_000
CHUNK = 1_000

READ_EVENTS = 200
LATEST_EVENTS = 30
BEST_EVENTS = 2
OTHERS_IN_MATCH = 20
ENOUGH_EVENTS = 5
LONGEST_PAUSE = timedelta(minutes=10)


class Pair(NamedTuple):
    """A player in a leaderboard, by primary keys."""

    player: int
    leaderboard: int


def refresh_hints(clock: Callable[[], datetime]) -> int:
    """Bring hints up to what has moved, for RUN_SECONDS, for BUSY_RUN_SECONDS while scores pour in, or until all is done.

    Returns how many were written.

    Repeatable: whoever is killed has written whole chunks, which the next run finds fresh. Two at once do the same work
    twice, and harm nothing.
    """
    run = _Run(clock)
    progress, _ = HintProgress.objects.get_or_create(pk=1)
    written = 0
    while not run.is_over():
        last_event = _last_of_slice(progress.event_id, clock() - SETTLED_AFTER)
        if last_event is None:
            break
        for chunk in _chunks(_load_stale(progress.event_id, last_event)):
            if run.is_over():
                return written
            written += save_hints(chunk, clock())
        progress.event_id = last_event
        progress.save()
    return written


def save_hints(pairs: Sequence[Pair], computed_at: datetime) -> int:
    """Make the hints of these anew, in one statement. Returns how many were written; see save_hints.sql for the cost."""
    ((written,),) = fetch_all(
        statement("save_hints"),
        {
            "players": array_of_numbers(pair.player for pair in pairs),
            "leaderboards": array_of_numbers(pair.leaderboard for pair in pairs),
            "computed_at": computed_at,
            "read": READ_EVENTS,
            "latest": LATEST_EVENTS,
            "best": BEST_EVENTS,
            "others": OTHERS_IN_MATCH,
            "enough": ENOUGH_EVENTS,
            "longest_pause": LONGEST_PAUSE,
        },
    )
    return int(written)


class _Run:
    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._began_at = clock()
        self._traffic = Traffic()

    def is_over(self) -> bool:
        seconds = (self._clock() - self._began_at).total_seconds()
        return seconds >= RUN_SECONDS or (seconds >= BUSY_RUN_SECONDS and self._traffic.is_much())


def _last_of_slice(after_event: int, settled_at: datetime) -> int | None:
    ((last_event,),) = fetch_all(
        statement("find_settled_events"),
        {"after_event": after_event, "settled_at": settled_at, "player_limit": SLICE_PLAYERS},
    )
    return None if last_event is None else int(last_event)


def _load_stale(after_event: int, last_event: int) -> list[Pair]:
    rows = fetch_all(
        statement("find_stale_hints"),
        {"after_event": after_event, "last_event": last_event, "margin": CLOCKS_DIFFER_BY},
        # A plan made while there were no hints would look through all of them for each player: 9 seconds for a slice, and as
        # long the old versions of all totals could not be cleared away.
        keep_plan=False,
    )
    return [Pair(*row) for row in rows]


def _chunks(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    for start in range(0, len(pairs), CHUNK):
        yield pairs[start : start + CHUNK]
