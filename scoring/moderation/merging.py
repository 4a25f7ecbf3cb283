"""Merges: two accounts of one person become one. Events keep their matches, points and times."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db import transaction

from scoring.database import array_of_ids, array_of_numbers, fetch_all
from scoring.errors import FieldError, InvalidRequest, LeaderboardError
from scoring.ledger_locks import hold_ledgers
from scoring.models import Correction, OutboxEvent, Player, ReviewState, ScoreEvent
from scoring.moderation.decisions import Corrected, Decision, finish, load_player, lock_players, note
from scoring.moderation.flagging import set_review_state
from scoring.moderation.refolding import load_periods_holding, refold
from scoring.outbox import write_event
from scoring.points import from_units
from scoring.rules import Rules, load_rules
from scoring.sql import statement

MOST_NAMED = 100
"""Undecided matches that an answer names."""


class Keep(StrEnum):
    """Whose event counts in a match that both accounts played."""

    FROM = "from"
    INTO = "into"


class BothPlayed(LeaderboardError):
    """Both accounts played some matches, and nobody has decided yet whose event counts there."""

    status, code = 409, "both_played"


class _Match(NamedTuple):
    """A match that both have. Points in units."""

    leaderboard_id: int
    match_id: str
    points_from: int
    points_into: int
    counts_from: bool
    counts_into: bool
    occurred_at_into: datetime


def merge_players(
    player_id: str,
    into_id: str,
    decision: Decision,
    *,
    keep: Keep | None = None,
    keep_in: Mapping[tuple[str, str], Keep] | None = None,
    reopen: bool = False,
) -> Corrected:
    """Make the account `player_id` part of `into_id`: its events count there, on the boards only the second is left.

    What is sent under the first id later counts for the second too, and what was sent before stays a duplicate. Where
    both have an event that counts in one match, `keep_in` says by (leaderboard, match) whose stays, else `keep` does; the
    other one is voided. If one account is flagged, so is what they become.

    One transaction, in which no scores are accepted: a look-up for each event of both. PlayerNotFound, InvalidRequest,
    BothPlayed with an error a match, PeriodClosed, PointsOutOfRange, CorrectionConflict; then nothing is saved.
    """
    decisions = {key: Keep(value) for key, value in (keep_in or {}).items()}
    with transaction.atomic():
        rules_of = {rules.leaderboard_id: rules for rules in load_rules().values()}
        hold_ledgers(rules_of)
        one, into = _lock_both(player_id, into_id)
        asked = [[*key, value] for key, value in sorted(decisions.items())]
        corrected = note(Correction.Kind.MERGE, decision, player=one, into=into, reopen=reopen, more=[keep, asked])
        if not corrected.is_repeat:
            _require_separate(one, into)
            _merge(rules_of, corrected.correction, one, into, _won_by_first(rules_of, one, into, keep, decisions))
        return corrected


def _lock_both(player_id: str, into_id: str) -> tuple[Player, Player]:
    one, other = load_player(player_id), load_player(into_id)
    target = other.merged_into_id or other.pk
    locked = {player.pk: player for player in lock_players([one.pk, target])}
    return locked[one.pk], locked[target]


def _require_separate(one: Player, into: Player) -> None:
    if one.pk == into.pk:
        raise _invalid(f"{one.player_id} and {into.player_id} are one account")
    if one.merged_into_id is not None:
        raise _invalid(f"{one.player_id} was merged into another account before")


def _invalid(detail: str) -> InvalidRequest:
    return InvalidRequest(detail, [FieldError("into", "invalid", detail)])


def _won_by_first(
    rules_of: Mapping[int, Rules],
    one: Player,
    into: Player,
    keep: Keep | None,
    keep_in: Mapping[tuple[str, str], Keep],
) -> list[_Match]:
    """The matches in which it is the first account's event that counts. BothPlayed."""
    rows = fetch_all(statement("both_played"), {"one": one.pk, "other": into.pk})
    won: list[_Match] = []
    undecided: list[FieldError] = []
    for match in (_Match(*row) for row in rows):
        rules = rules_of[match.leaderboard_id]
        decided = keep_in.get((rules.slug, match.match_id), keep)
        if not match.counts_from:
            continue
        if not match.counts_into or decided is Keep.FROM:
            won.append(match)
        elif decided is None:
            undecided.append(_undecided(rules, match, one, into))
    if undecided:
        detail = f"both accounts played {len(undecided)} matches: say whose event counts there"
        raise BothPlayed(detail, undecided[:MOST_NAMED])
    return won


def _undecided(rules: Rules, match: _Match, one: Player, into: Player) -> FieldError:
    points = [from_units(units, rules.scale) for units in (match.points_from, match.points_into)]
    detail = (
        f"in {rules.slug}, match {match.match_id}, {one.player_id} has {points[0]} points"
        f" and {into.player_id} has {points[1]}"
    )
    return FieldError("keep", BothPlayed.code, detail)


def _merge(rules_of: Mapping[int, Rules], correction: Correction, one: Player, into: Player, won: list[_Match]) -> None:
    now = correction.made_at
    instants = _instants(one, won)
    keys = {"one": one.pk, "other": into.pk}
    if won:
        lists = {
            "leaderboard_ids": array_of_numbers(match.leaderboard_id for match in won),
            "match_ids": array_of_ids(match.match_id for match in won),
        }
        fetch_all(statement("swap_events"), {**keys, **lists})
    fetch_all(statement("move_events"), keys)
    # What is left lost to an event of the other account.
    ScoreEvent.objects.filter(player=one, voided_at__isnull=True).update(voided_at=now)
    for leaderboard_id, moments in sorted(instants.items()):
        rules = rules_of[leaderboard_id]
        periods = load_periods_holding(rules, moments, now, reopen=correction.reopen)
        refold(rules, [one.pk, into.pk], periods, correction, now)
    Player.objects.filter(merged_into=one).update(merged_into=into)
    # The refold has moved their epochs on.
    for player in lock_players([one.pk, into.pk]):
        if player.pk == one.pk:
            player.merged_into = into
            player.save(update_fields=["merged_into"])
        elif one.review_state == ReviewState.FLAGGED and player.review_state == ReviewState.CLEAR:
            set_review_state(player, ReviewState.FLAGGED)
            write_event(OutboxEvent.Queue.CORRECTIONS, [player.pk], now)
    correction.player_count = 2
    finish(correction, now)


def _instants(one: Player, won: list[_Match]) -> dict[int, set[datetime]]:
    """By leaderboard, when the events happened whose account changes, or that stop counting."""
    instants: dict[int, set[datetime]] = {}
    events = ScoreEvent.objects.filter(player=one, voided_at__isnull=True)
    for leaderboard_id, occurred_at in events.values_list("leaderboard_id", "occurred_at"):
        instants.setdefault(leaderboard_id, set()).add(occurred_at)
    for match in won:
        instants.setdefault(match.leaderboard_id, set()).add(match.occurred_at_into)
    return instants
