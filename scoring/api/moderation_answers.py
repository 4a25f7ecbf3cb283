"""What moderators are answered, as types."""

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scoring.models import Correction, Erasure
from scoring.moderation.decisions import Change, Corrected, load_changes, load_totals
from scoring.points import Points

State = Literal["done", "under_way"]


class ChangeAnswer(msgspec.Struct):
    """What became of one total; null for no total."""

    player_id: str
    period: str
    points_before: Points | None
    points_after: Points | None

    @classmethod
    def of(cls, change: Change) -> "ChangeAnswer":
        return cls(*change)


class CorrectionAnswer(msgspec.Struct):
    """A correction as it stands. About one player: `totals` by period label, as they are now. Else `changes`, up to 1,000."""

    id: int
    kind: str
    duplicate: bool
    state: State
    players: int
    leaderboard: str | UnsetType = UNSET
    player_id: str | UnsetType = UNSET
    match_id: str | UnsetType = UNSET
    totals: dict[str, Points | None] | UnsetType = UNSET
    changes: list[ChangeAnswer] | UnsetType = UNSET
    problem: str | UnsetType = UNSET

    @classmethod
    def of(cls, corrected: Corrected, now: datetime) -> "CorrectionAnswer":
        """Some queries."""
        correction = corrected.correction
        answer = cls(correction.pk, correction.kind, corrected.is_repeat, _state(correction), correction.player_count)
        if correction.leaderboard is not None:
            answer.leaderboard = correction.leaderboard.slug
        if correction.match_id:
            answer.match_id = correction.match_id
        if correction.problem:
            answer.problem = correction.problem
        if correction.player is not None:
            answer.player_id = correction.player.player_id
        if correction.player is not None and correction.leaderboard is not None:
            answer.totals = load_totals(correction, now)
        else:
            answer.changes = [ChangeAnswer.of(change) for change in load_changes(correction)]
        return answer


class ErasureAnswer(msgspec.Struct):
    """The proof of an erasure: what was removed where, as counts. Under way until the boards' last traces are gone."""

    id: int
    state: State
    duplicate: bool
    finished_at: datetime | None
    removed: dict[str, Any]

    @classmethod
    def of(cls, erasure: Erasure, *, is_repeat: bool) -> "ErasureAnswer":
        state: State = "under_way" if erasure.finished_at is None else "done"
        return cls(erasure.pk, state, is_repeat, erasure.finished_at, erasure.proof)


def _state(correction: Correction) -> State:
    return "under_way" if correction.finished_at is None else "done"
