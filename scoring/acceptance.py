"""Writing one leaderboard's share of a call, inside the caller's transaction."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from scoring.database import Question, array_of_ids, array_of_numbers, fetch_all
from scoring.errors import FieldError
from scoring.fitting import Item, load_known, load_totals, out_of_range
from scoring.period_rows import PERIOD_CLOSED, WindowSets
from scoring.points import Points, from_units, to_units
from scoring.profiles import Profile, ProfilesDiffer, profiles_of
from scoring.ranking import Operator, Ties
from scoring.rules import Rules
from scoring.sql import statement
from scoring.submissions import Submission, check_details


class Stored(msgspec.Struct, gc=False):
    """A score that is in the ledger. `totals` by period label, as they are now; empty if not asked for."""

    duplicate: bool
    leaderboard: str
    player_id: str
    match_id: str
    accept_no: int
    totals: dict[str, Points]


Outcome = Stored | FieldError

NOT_ASKED_FOR: dict[str, Points] = {}
"""The totals of scores whose sender does not want to know them: one for all."""


class TotalsOutOfRange(Exception):
    """These players' totals would be more than their boards can show. Whatever was written must be rolled back.

    Of those in `exhausted` it is not the points: the acceptance numbers of a period are used up.
    """

    def __init__(self, share: "Share", players: set[int], exhausted: set[int]) -> None:
        super().__init__(players)
        self.share = share
        self.players = players
        self.exhausted = exhausted


class PeriodsSealed(Exception):
    """The final standings of a period in these window sets are being computed. Nothing was written."""

    def __init__(self, share: "Share", window_sets: set[int]) -> None:
        super().__init__(window_sets)
        self.share = share
        self.window_sets = window_sets


class Share:
    """The scores of one leaderboard in one call."""

    def __init__(self, rules: Rules, now: datetime, *, may_open: bool = True) -> None:
        """`may_open`: see WindowSets."""
        self._rules = rules
        self._now = now
        self._event_range = rules.event_range
        self._windows = WindowSets(rules, now, may_open=may_open)
        self._items: list[Item] = []
        self._refused: dict[int, FieldError] = {}
        self._players: dict[str, int] = {}
        self._totals: dict[tuple[int, int], int] = {}
        self._profiles_saved = False

    @property
    def leaderboard_id(self) -> int:
        return self._rules.leaderboard_id

    @property
    def needs_locks(self) -> bool:
        """Whether the totals depend on the order of events, so that a player's scores must come one call at a time."""
        return self._rules.operator is Operator.LATEST

    def add(self, place: int, submission: Submission) -> FieldError | None:
        """Take a score in, or say what the leaderboard's rules have against it."""
        scale = self._rules.scale
        try:
            units = to_units(submission.points, scale)
        except ValueError:
            kind = f"a number with up to {scale} decimals" if scale else "a whole number"
            return FieldError("points", "invalid", f"points must be {kind}")
        least, most = self._event_range
        if not least <= units <= most:
            detail = f"points must be from {from_units(least, scale)} to {from_units(most, scale)} in one event"
            return FieldError("points", "points_out_of_range", detail)
        if submission.details and (problem := check_details(submission.details)):
            return problem
        window_set = self._windows.number_of(submission.occurred_at)
        if isinstance(window_set, FieldError):
            return window_set
        self._items.append(Item(place, submission, units, window_set))
        return None

    def submissions(self) -> list[Submission]:
        return [item.submission for item in self._items]

    def player_ids(self) -> set[str]:
        return {item.submission.player_id for item in self._items}

    def refuse_players(self, refused: dict[str, FieldError]) -> None:
        """Profiles are saved, but for these players', whose scores are refused."""
        self._profiles_saved = True
        for item in self._items:
            if item.submission.player_id in refused:
                self._refused[item.place] = refused[item.submission.player_id]

    def refuse_closed(self, window_sets: set[int]) -> None:
        """Refuse the scores of these window sets: their periods have closed since the clock was looked at."""
        self._windows.close(window_sets)
        for item in self._items:
            if item.window_set in window_sets:
                self._refused[item.place] = PERIOD_CLOSED

    def refuse_what_does_not_fit(self, players: set[int], exhausted: set[int]) -> None:
        """Look at these players' totals as they are, and refuse, in order, each score that would lead out of range.

        Called between two tries, without locks. Should the totals change before the next one, it is called again; it may
        also find that by now everything fits.
        """
        suspects = [item for item in self.accepted_items() if self._players[item.submission.player_id] in players]
        self._refused.update(out_of_range(suspects, self._players, exhausted, self._windows, self._rules))

    def accept(self, *, with_totals: bool) -> dict[int, Outcome]:
        """Write all scores; outcomes by place. Raises ProfilesDiffer, PeriodsSealed or TotalsOutOfRange; then it may be called
        again."""
        items = self.accepted_items()
        first: dict[tuple[str, str], Item] = {}
        for item in items:
            first.setdefault(item.key, item)
        written = self._write(list(first.values()), with_totals=with_totals)
        outcomes: dict[int, Outcome] = {**self._refused, **written}
        outcomes.update(self.compare_repeats(outcomes))
        if with_totals:
            self.add_totals(outcomes)
        return outcomes

    def accepted_items(self) -> list[Item]:
        """All that were taken in and not refused since."""
        return [item for item in self._items if item.place not in self._refused]

    def _write(self, items: list[Item], *, with_totals: bool) -> dict[int, Stored]:
        """What is new in the ledger, by place; the totals of these, as far as the statement knows them."""
        if not items:
            return {}
        (row,) = fetch_all(*self.question(items, with_totals=with_totals))
        return self.read(items, row)

    def question(self, items: list[Item], *, with_totals: bool, fails_beyond: bool = False) -> Question:
        """What to ask the database, to write these scores; no (match, player) twice. `fails_beyond`: see accept_scores.sql."""
        operator = self._rules.operator
        # Once saved, profiles need no look: those of this call are as sent.
        # What a repeat within the call says counts too, though the repeat itself is not sent.
        profiles = {} if self._profiles_saved else profiles_of(self.submissions())
        known = "known_profile" if profiles else "known_player"
        sql = statement("accept_scores", known=known, fold=f"fold_{operator}", merge=f"merge_{operator}")
        # What an operator other than add leaves as it is may have changed since the statement looked: not its to tell.
        tells_totals = with_totals and operator is Operator.ADD
        parameters = self._parameters(items, profiles)
        return Question(sql, {**parameters, "with_totals": tells_totals, "fails_beyond": fails_beyond})

    def read(self, items: list[Item], row: tuple[Any, ...]) -> dict[int, Stored]:
        """Its answer: what is new in the ledger, by place. Raises as `accept` does."""
        self._totals.clear()
        scores, (profile_differs, sealed), totals = row[:4], row[4:6], row[6:]
        if profile_differs:
            raise ProfilesDiffer
        if sealed:
            raise PeriodsSealed(self, set(sealed))
        stored: dict[int, Stored] = {}
        for index, player, accept_no, is_accepted in zip(*scores, strict=True):
            item = items[index]
            self._players[item.submission.player_id] = player
            if is_accepted:
                stored[item.place] = self._stored(item, accept_no, duplicate=False)
        if totals[0]:
            self._take_totals(zip(*totals, strict=True))
        return stored

    def _take_totals(self, totals: Iterable[tuple[int, int, int, bool, bool]]) -> None:
        """What the statement says of totals: player, period, units, whether they are beyond the limits, and whether the units fit.
        Raises TotalsOutOfRange."""
        beyond: set[int] = set()
        exhausted: set[int] = set()
        for player, period_id, units, is_beyond, fits in totals:
            self._totals[player, period_id] = units
            if is_beyond:
                beyond.add(player)
                if fits:
                    exhausted.add(player)
        if beyond:
            raise TotalsOutOfRange(self, beyond, exhausted)

    def _parameters(self, items: list[Item], profiles: dict[str, Profile]) -> dict[str, Any]:
        submissions = [item.submission for item in items]
        has_times = any(s.occurred_at for s in submissions)
        profile_of = [profiles.get(s.player_id) for s in submissions] if profiles else []
        groups = self._windows.groups()
        return {
            "leaderboard_id": self._rules.leaderboard_id,
            "accepted_at": self._now,
            "direction": self._rules.order.direction,
            "earlier_is_epoch": int(self._rules.ties is not Ties.FIRST),
            "min_total": self._rules.min_total,
            "max_total": self._rules.max_total,
            "last_accept_no": self._windows.last_accept_no(),
            "player_ids": array_of_ids([s.player_id for s in submissions]),
            "match_ids": array_of_ids([s.match_id for s in submissions]),
            "points": array_of_numbers([item.units for item in items]),
            "occurred_ats": [s.occurred_at for s in submissions] if has_times else [],
            "window_sets": [item.window_set for item in items] if len(self._windows.sets) > 1 else [],
            "names": [profile.name if profile else None for profile in profile_of],
            "segments": [Jsonb(profile.segments) if profile else None for profile in profile_of],
            "details": [Jsonb(s.details) if s.details else None for s in submissions] if has_details(items) else [],
            "set_numbers": [number for group in groups for number in group.sets],
            "set_groups": [number for number, group in enumerate(groups) for _ in group.sets],
            "group_numbers": [number for number, group in enumerate(groups) for _ in group.period_ids],
            "group_periods": [period_id for group in groups for period_id in group.period_ids],
        }

    def compare_repeats(self, outcomes: Mapping[int, Outcome]) -> dict[int, Outcome]:
        """Of those that have no outcome since the ledger has had them before: repeated, or in conflict. 1 query, if there are
        any."""
        items = [item for item in self.accepted_items() if item.place not in outcomes]
        return self._compare(items) if items else {}

    def _compare(self, items: list[Item]) -> dict[int, Outcome]:
        outcomes: dict[int, Outcome] = {}
        known = load_known(items, self._players, self._rules)
        for item in items:
            units, accept_no = known[item.place]
            if units == item.units:
                outcomes[item.place] = self._stored(item, accept_no, duplicate=True)
            else:
                detail = "this player's score for this match was accepted before, with other points"
                outcomes[item.place] = FieldError("match_id", "match_conflict", detail)
        return outcomes

    def _stored(self, item: Item, accept_no: int, *, duplicate: bool) -> Stored:
        submission = item.submission
        return Stored(duplicate, self._rules.slug, submission.player_id, submission.match_id, accept_no, NOT_ASKED_FOR)

    def add_totals(self, outcomes: Mapping[int, Outcome]) -> None:
        """Fill in the totals as they are now. 1 query for those that the statement did not tell, if there are any."""
        if untold := self.untold_players(outcomes):
            self._totals.update(load_totals(untold, self._windows.labels()))
        self.tell_totals(outcomes)

    def untold_players(self, outcomes: Mapping[int, Outcome]) -> set[int]:
        """Of whom the statement has not told all totals that the outcomes are to tell.

        It knows those that it has written, and those that zero points left as they were. Not those of a repeated score,
        which may be in the ledger, but not in the totals, of the moment when the statement began.
        """
        untold: set[int] = set()
        for item, outcome in self._stored_items(outcomes):
            keys = self._keys_of(item)
            if outcome.duplicate or not all(key in self._totals for key in keys):
                untold.add(self._players[item.submission.player_id])
        return untold

    def tell_totals(self, outcomes: Mapping[int, Outcome]) -> None:
        """Fill in the totals as far as they are known."""
        labels = self._windows.labels()
        scale = self._rules.scale
        for item, outcome in self._stored_items(outcomes):
            outcome.totals = {
                labels[key[1]]: from_units(self._totals.get(key, 0), scale) for key in self._keys_of(item)
            }

    def _stored_items(self, outcomes: Mapping[int, Outcome]) -> Iterator[tuple[Item, Stored]]:
        for item in self._items:
            outcome = outcomes.get(item.place)
            if isinstance(outcome, Stored):
                yield item, outcome

    def _keys_of(self, item: Item) -> list[tuple[int, int]]:
        """Player and period of the totals that a score counts in."""
        player = self._players[item.submission.player_id]
        return [(player, period_id) for period_id in self._windows.sets[item.window_set].period_ids]


def has_details(items: list[Item]) -> bool:
    return any(item.submission.details for item in items)
