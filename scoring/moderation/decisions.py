"""Decisions about players and points: who, when, why. Every correction keeps one, and is repeated safely by its key."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from scoring.errors import FieldError, InvalidRequest, LeaderboardError
from scoring.models import CorrectedTotal, Correction, Period, Player, ReviewState, Total
from scoring.period_rows import load_open_period_ids
from scoring.points import Points, from_units
from scoring.submissions import is_id

MAX_REASON = 500
MAX_MADE_BY = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """`made_by` says who in words: an API key, an admin, a command. The same `idempotency_key` is carried out once."""

    made_by: str
    reason: str
    made_at: datetime
    idempotency_key: str | None = None

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise _invalid("reason", "reason is missing: it is kept with the correction", "required")
        if len(self.reason) > MAX_REASON or not self.reason.isprintable():
            raise _invalid("reason", f"reason may have up to {MAX_REASON} printable characters")
        if len(self.made_by) > MAX_MADE_BY or not self.made_by.isprintable():
            raise _invalid("made_by", f"who decides may be told in up to {MAX_MADE_BY} printable characters")
        if self.idempotency_key is not None and not is_id(self.idempotency_key):
            raise _invalid(
                "idempotency_key", "idempotency_key must be 1 to 64 characters of letters, digits and . _ - : @"
            )


def _invalid(field: str, detail: str, code: str = "invalid") -> InvalidRequest:
    return InvalidRequest(detail, [FieldError(field, code, detail)])


class Corrected(NamedTuple):
    """A correction that is kept. `is_repeat`: it had been made before, and nothing was done now."""

    correction: Correction
    is_repeat: bool


class CorrectionConflict(LeaderboardError):
    """The idempotency key was used before, for something else."""

    status, code = 409, "correction_conflict"


class PlayerNotFound(LeaderboardError):
    status, code = 404, "player_not_found"


def digest_of(decision: Decision, asked: object) -> str:
    """What is asked for, in JSON's types, so that a repeat can be compared with it. Tells nothing without the key."""
    return _digest(json.dumps([decision.idempotency_key, asked]))


def note(
    kind: Correction.Kind,
    decision: Decision,
    *,
    leaderboard_id: int | None = None,
    player: Player | None = None,
    match_id: str = "",
    points: int | None = None,
    into: Player | None = None,
    reopen: bool = False,
    more: object = None,
    request: str | None = None,
) -> Corrected:
    """Keep the decision, within the caller's transaction, before anything is done. CorrectionConflict.

    `more` is what else was asked for, in JSON's types: a repeat must ask for the same. Or `request` is the digest of all
    that was. A repeat at the same moment waits until the first one has ended.
    """
    fields = {
        "kind": kind,
        "leaderboard_id": leaderboard_id,
        "player": player,
        "match_id": match_id,
        "points": points,
        "into": into,
        "reopen": reopen,
        "reason": decision.reason,
        "made_by": decision.made_by,
        "made_at": decision.made_at,
    }
    if decision.idempotency_key is None:
        # Nothing will be compared: a digest of what was asked would only let ids be tried out.
        return Corrected(Correction.objects.create(**fields), is_repeat=False)
    key = _digest(decision.idempotency_key)
    asked = [kind, leaderboard_id, player and player.pk, match_id, points, into and into.pk, reopen, more]
    request = digest_of(decision, asked) if request is None else request
    correction, is_new = Correction.objects.get_or_create(idempotency_key=key, defaults={**fields, "request": request})
    _require_same(correction, request)
    return Corrected(correction, is_repeat=not is_new)


def find_repeat(decision: Decision, request: str) -> Correction | None:
    """The correction that was made under this key before. CorrectionConflict if that was another one."""
    if decision.idempotency_key is None:
        return None
    correction = Correction.objects.filter(idempotency_key=_digest(decision.idempotency_key)).first()
    if correction is not None:
        _require_same(correction, request)
    return correction


def _require_same(correction: Correction, request: str) -> None:
    if correction.request != request:
        raise CorrectionConflict("this idempotency_key was used before, for another correction")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def finish(correction: Correction, now: datetime) -> None:
    """Nothing is left to do."""
    correction.finished_at = now
    correction.save()


def lock_player(player_id: str) -> Player:
    """The player, locked until the transaction ends; of a merged account the one that it became part of.

    PlayerNotFound.
    """
    player = load_player(player_id)
    # While we wait for the lock, the account may become part of another one, or be erased.
    while True:
        (player,) = lock_players([player.merged_into_id or player.pk])
        if player.review_state == ReviewState.ERASED:
            raise PlayerNotFound(f"there is no player {player_id!r}")
        if player.merged_into_id is None:
            return player


def load_player(player_id: str) -> Player:
    """The player of this id, also one that was merged into another. PlayerNotFound. 1 query."""
    players = Player.objects.exclude(review_state=ReviewState.ERASED)
    player = players.filter(player_id=player_id).first() if is_id(player_id) else None
    if player is None:
        raise PlayerNotFound(f"there is no player {player_id[:64]!r}")
    return player


def lock_players(pks: list[int]) -> list[Player]:
    """The players with these primary keys, locked in the order that everybody locks them: by their ids."""
    return list(Player.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("player_id"))


class Change(NamedTuple):
    """What became of one total. Points as shown; None where the player had, or has, no total."""

    player_id: str
    period: str
    points_before: Points | None
    points_after: Points | None


def load_changes(correction: Correction, limit: int = 1_000) -> list[Change]:
    """What the correction did to totals, up to `limit` of them, by player and period. 1 query."""
    rows = (
        CorrectedTotal.objects.filter(correction=correction)
        .order_by("player_id", "period_id")
        .values_list(
            "player__player_id", "period__label", "points_before", "points_after", "period__leaderboard__scale"
        )[:limit]
    )
    return [
        Change(player_id, label, _shown(before, scale), _shown(after, scale))
        for player_id, label, before, after, scale in rows
    ]


def load_totals(correction: Correction, now: datetime) -> dict[str, Points | None]:
    """The totals of the one player that the correction is about, as they are now, by period's label.

    Of the leaderboard's open periods, and of those that the correction has changed; None where there is no total. 3 queries.
    """
    changed = CorrectedTotal.objects.filter(correction=correction).values_list("period_id", flat=True)
    periods = Period.objects.filter(leaderboard=correction.leaderboard, pk__in={*changed, *load_open_period_ids(now)})
    found = dict(Total.objects.filter(player=correction.player, period__in=periods).values_list("period_id", "points"))
    return {
        label: _shown(found.get(period_id), scale)
        for period_id, label, scale in periods.order_by("pk").values_list("pk", "label", "leaderboard__scale")
    }


def _shown(units: int | None, scale: int) -> Points | None:
    return None if units is None else from_units(units, scale)
