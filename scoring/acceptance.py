"""Writing one leaderboard's share of a call, inside the caller's transaction."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from psycopg.types.json import Jsonb

from scoring.database import array_of_ids, array_of_numbers, fetch_all
from scoring.errors import FieldError
from scoring.period_rows import WindowSets
from scoring.points import Points, from_units
from scoring.profiles import Profile, profiles_of, save_profiles
from scoring.ranking import Operator, Ties
from scoring.rules import Rules
from scoring.sql import statement
from scoring.submissions import Submission


class Stored(msgspec.Struct, gc=False):
    """A score that is in the ledger. `totals` by period label, as they are now; empty if not asked for."""

    duplicate: bool
    leaderboard: str
    player_id: str
    match_id: str
    accept_no: int
    totals: dict[str, Points]


Outcome = Stored | FieldError


class Item(NamedTuple):
    """A score, its place in the call, its points in units, and which of the share's window sets it counts in."""

    place: int
    submission: Submission
    units: int
    window_set: int

    @property
    def key(self) -> tuple[str, str]:
        return self.submission.player_id, self.submission.match_id


class TotalsOutOfRange(Exception):
    """Some totals would be more than their boards can show. Whatever was written must be rolled back."""

    def __init__(self, player_ids: set[str]) -> None:
        super().__init__(player_ids)
        self.player_ids = player_ids


class Share:
    """The scores of one leaderboard in one call."""

    def __init__(self, rules: Rules, now: datetime) -> None:
        self._rules = rules
        self._now = now
        self._windows = WindowSets(rules, now)
        self._items: list[Item] = []
        self._players: dict[str, int] = {}

    def add(self, place: int, submission: Submission, units: int) -> FieldError | None:
        """Take a score in, or say why its time does not allow it."""
        window_set = self._windows.number_of(submission.occurred_at)
        if isinstance(window_set, FieldError):
            return window_set
        self._items.append(Item(place, submission, units, window_set))
        return None

    def accept(self, apart: set[str], with_totals: bool) -> dict[int, Outcome]:
        """Write all scores; outcomes by place. Those of players in `apart` one by one. Raises TotalsOutOfRange."""
        outcomes = self._accept([item for item in self._items if item.submission.player_id not in apart])
        for item in self._items:
            if item.submission.player_id in apart:
                outcomes.update(self._accept_alone(item))
        if with_totals:
            self._add_totals(outcomes)
        return outcomes

    def _accept_alone(self, item: Item) -> dict[int, Outcome]:
        try:
            with transaction.atomic():
                return self._accept([item])
        except TotalsOutOfRange:
            detail = "with these points the player's total would leave the range that the leaderboard can rank"
            return {item.place: FieldError("points", "points_out_of_range", detail)}

    def _accept(self, items: list[Item]) -> dict[int, Outcome]:
        first: dict[tuple[str, str], Item] = {}
        again = [item for item in items if first.setdefault(item.key, item) is not item]
        accept_nos, refused = self._write(list(first.values()))
        outcomes: dict[int, Outcome] = {}
        for item in first.values():
            player_id = item.submission.player_id
            if player_id in refused:
                outcomes[item.place] = refused[player_id]
            elif item.place in accept_nos:
                outcomes[item.place] = self._stored(item, accept_nos[item.place], duplicate=False)
            else:
                again.append(item)
        outcomes.update(self._compare(again, refused))
        return outcomes

    def _write(self, items: list[Item]) -> tuple[dict[int, int], dict[str, FieldError]]:
        """Acceptance numbers by place, without those that the ledger has already; and the players refused.

        The statement writes nothing while a player's profile is not the one sent, so it is run again after saving.
        """
        profiles = profiles_of([item.submission for item in items])
        refused: dict[str, FieldError] = {}
        sql = statement("accept_scores", fold=f"fold_{self._rules.operator}", merge=f"merge_{self._rules.operator}")
        while items:
            if self._rules.operator is Operator.LATEST:
                fetch_all(
                    statement("lock_players"), {"player_ids": array_of_ids(i.submission.player_id for i in items)}
                )
            rows = fetch_all(sql, self._parameters(items, profiles))
            differing = {items[position].submission.player_id for position, _, differs, _, _ in rows if differs}
            if not differing:
                return self._read(rows, items), refused
            refused |= save_profiles({id_: profiles.get(id_, Profile()) for id_ in sorted(differing)}, self._now)
            items = [item for item in items if item.submission.player_id not in refused]
        return {}, refused

    def _parameters(self, items: list[Item], profiles: dict[str, Profile]) -> dict[str, Any]:
        submissions = [item.submission for item in items]
        accepted_at = self._now.isoformat()
        occurred_ats = (s.occurred_at.isoformat() if s.occurred_at else accepted_at for s in submissions)
        profile_of = [profiles.get(s.player_id) for s in submissions] if profiles else []
        window_sets = self._windows.sets
        return {
            "leaderboard_id": self._rules.leaderboard_id,
            "accepted_at": self._now,
            "direction": self._rules.order.direction,
            "newest_first": int(self._rules.ties is Ties.LATEST_FIRST),
            "min_total": self._rules.min_total,
            "max_total": self._rules.max_total,
            "last_accept_no": min(ws.last_accept_no for ws in window_sets),
            "indexes": array_of_numbers(range(len(items))),
            "player_ids": array_of_ids(s.player_id for s in submissions),
            "match_ids": array_of_ids(s.match_id for s in submissions),
            "points": array_of_numbers(item.units for item in items),
            "occurred_ats": array_of_ids(occurred_ats),
            "window_sets": array_of_numbers(item.window_set for item in items),
            "names": [profile.name if profile else None for profile in profile_of],
            "segments": [Jsonb(profile.segments) if profile else None for profile in profile_of],
            "details": [Jsonb(s.details) if s.details else None for s in submissions]
            if any(s.details for s in submissions)
            else [],
            "set_numbers": [number for number, ws in enumerate(window_sets) for _ in ws.period_ids],
            "set_periods": [period_id for ws in window_sets for period_id in ws.period_ids],
        }

    def _read(self, rows: Iterable[tuple[Any, ...]], items: list[Item]) -> dict[int, int]:
        accept_nos: dict[int, int] = {}
        out_of_range = set()
        for position, player, _, accept_no, is_accepted in rows:
            if position is None:
                out_of_range.add(player)
                continue
            item = items[position]
            self._players[item.submission.player_id] = player
            if is_accepted:
                accept_nos[item.place] = accept_no
        if out_of_range:
            raise TotalsOutOfRange({player_id for player_id, player in self._players.items() if player in out_of_range})
        return accept_nos

    def _compare(self, items: list[Item], refused: dict[str, FieldError]) -> dict[int, Outcome]:
        """Outcomes of scores that the ledger has had before: repeated, or in conflict."""
        outcomes: dict[int, Outcome] = {
            item.place: refused[item.submission.player_id] for item in items if item.submission.player_id in refused
        }
        items = [item for item in items if item.place not in outcomes]
        if not items:
            return outcomes
        rows = fetch_all(
            statement("find_events"),
            {
                "leaderboard_id": self._rules.leaderboard_id,
                "indexes": array_of_numbers(range(len(items))),
                "match_ids": array_of_ids(item.submission.match_id for item in items),
                "players": array_of_numbers(self._players[item.submission.player_id] for item in items),
            },
        )
        for position, points, accept_no in rows:
            item = items[position]
            if points == item.units:
                outcomes[item.place] = self._stored(item, accept_no, duplicate=True)
            else:
                detail = "this player's score for this match was accepted before, with other points"
                outcomes[item.place] = FieldError("match_id", "match_conflict", detail)
        return outcomes

    def _stored(self, item: Item, accept_no: int, *, duplicate: bool) -> Stored:
        return Stored(duplicate, self._rules.slug, *item.key, accept_no, {})

    def _add_totals(self, outcomes: dict[int, Outcome]) -> None:
        """Fill in the totals as they are now: 1 query for all."""
        labels = {
            period_id: label
            for ws in self._windows.sets
            for label, period_id in zip(ws.labels, ws.period_ids, strict=False)
        }
        stored = [item for item in self._items if isinstance(outcomes[item.place], Stored)]
        players = {self._players[item.submission.player_id] for item in stored}
        if not players:
            return
        rows = fetch_all(
            statement("load_totals"), {"players": array_of_numbers(players), "period_ids": array_of_numbers(labels)}
        )
        totals = {(player, period_id): points for player, period_id, points in rows}
        for item in stored:
            player = self._players[item.submission.player_id]
            outcome = outcomes[item.place]
            assert isinstance(outcome, Stored)
            for period_id in self._windows.sets[item.window_set].period_ids:
                units = totals.get((player, period_id), 0)
                outcome.totals[labels[period_id]] = from_units(units, self._rules.scale)
