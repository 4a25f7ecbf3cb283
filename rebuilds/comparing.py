"""Comparing a copy of a board with its rows, while scores arrive, without false alarms.

A first look finds suspects: rows and board are read one after the other, and a score may still be on its way between them.
The second look is exact. Rows are read, then all outbox events that were there by then are waited for, then the board is read,
then the rows once more. A player whose row was the same before and after must be on the board exactly so: the event of that row
was committed with it. Where the row has changed within its epoch, the entry must be none worse than before and none better than
after. Whoever else has changed is looked at again.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Max

from boards.copies import Contents, Copy, Stored, read_copy
from boards.staging import StagedRow, StagedRows
from rebuilds.truth import UNTOLD, KnownPlayer, Truth
from scoring.models import OutboxEvent

POLL_SECONDS = 0.05


class Kind(StrEnum):
    MISSING = "missing"
    EXTRA = "extra"
    DIFFERENT = "different"


class Difference(NamedTuple):
    """A player whose entry is not what the row says. `true` of None: not to be on the board."""

    kind: Kind
    player_id: str
    shown: Stored
    true: StagedRow | None
    known: KnownPlayer | None


class Settled(NamedTuple):
    """What a second look has found. `problems`: totals that fit into no score, a sentence each."""

    differences: list[Difference]
    problems: list[str]


class NotSettled(Exception):
    """Some entries could not be told apart from scores on their way."""


def differs(row: StagedRow | None, stored: Stored) -> bool:
    """Whether a copy's entry is another than the row says; `row` of None: there must be none."""
    if row is None or stored.score is None:
        return (row is None) != (stored.score is None)
    if float(stored.score) != float(row.packed):
        return True
    return row.details != (None if stored.details is None else stored.details.decode())


def suspects_of(rows: StagedRows, contents: Contents) -> set[str]:
    """A first look: whose entries differ, as `differs` says. The contents are those of the rows' players, in their order."""
    shown = [None if score is None else float(score) for score in contents.scores]
    scores = zip(rows.player_ids, map(float, rows.packed), shown, strict=True)
    suspects = {player_id for player_id, true, stored in scores if true != stored}
    if any(rows.details) or any(contents.details):
        details = zip(rows.player_ids, rows.details, contents.details, strict=True)
        suspects |= {player_id for player_id, true, stored in details if true != (stored and stored.decode())}
    return suspects


def settle(
    truth: Truth, copy: Copy, suspects: set[str], patience_seconds: float, renew: Callable[[], None] = lambda: None
) -> Settled:
    """The second look at these players, repeated for those whose rows change meanwhile. `renew` is called while it waits.

    Raises NotSettled if not all is told in `patience_seconds`.
    """
    deadline = time.monotonic() + patience_seconds
    differences: list[Difference] = []
    problems: list[str] = []
    before = truth.players(suspects) if suspects else {}
    while suspects:
        await_applied(deadline, renew)
        in_order = sorted(suspects)
        contents = read_copy(copy, [player_id.encode(errors="surrogateescape") for player_id in in_order])
        after = truth.players(suspects)
        for player_id, stored in zip(in_order, contents.entries, strict=True):
            known = after.get(player_id)
            is_wrong = _is_wrong(before.get(player_id), known, stored)
            if is_wrong is None:
                continue
            suspects = suspects - {player_id}
            if known is not None and known.problem:
                problems.append(known.problem)
            elif is_wrong:
                row = known.row if known else None
                differences.append(Difference(_kind(row, stored), player_id, stored, row, known))
        if suspects and time.monotonic() > deadline:
            raise NotSettled(f"{len(suspects)} rows, such as {min(suspects)}'s, are lowered again and again")
        before = after
    return Settled(differences, problems)


def _is_wrong(before: KnownPlayer | None, after: KnownPlayer | None, stored: Stored) -> bool | None:
    """Whether an entry that was read between two readings of its row can't be right; None if that is not to be told."""
    if before == after:
        return differs(after.row if after else None, stored)
    worse, better = before and before.row, after and after.row
    if worse is None or better is None or worse.epoch != better.epoch or better.epoch == UNTOLD:
        return None
    return stored.score is None or not float(worse.packed) <= float(stored.score) <= float(better.packed)


def _kind(row: StagedRow | None, stored: Stored) -> Kind:
    if row is None:
        return Kind.EXTRA
    return Kind.MISSING if stored.score is None else Kind.DIFFERENT


def await_applied(deadline: float, renew: Callable[[], None]) -> None:
    """Wait until the outbox events that are there now are on the boards; NotSettled if the time (monotonic) is up before.

    Those set aside are not waited for: what they are about does differ.
    """
    newest = OutboxEvent.objects.aggregate(newest=Max("id"))["newest"] or 0
    while OutboxEvent.objects.waiting().filter(id__lte=newest).exists():
        if time.monotonic() > deadline:
            raise NotSettled("entries may be late or wrong: outbox events are not being applied")
        renew()
        time.sleep(POLL_SECONDS)
