"""A game with moderators: the books of `tests.rules.game`, with events that stop counting, change their account, or are nobody's."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from scoring.acceptance import Stored
from scoring.errors import InvalidRequest, LeaderboardError
from scoring.models import Player, ScoreEvent
from scoring.moderation.decisions import PlayerNotFound
from scoring.moderation.merging import Keep
from scoring.moderation.refolding import PointsOutOfRange
from scoring.moderation.voiding import MatchNotFound
from scoring.points import from_units
from scoring.ranking import Operator
from tests.factories import accept, score
from tests.moderation import acts
from tests.rules.game import EVENING, Game
from tests.rules.model import Event, fold

TODAY, YESTERDAY = "day:2026-10-19", "day:2026-10-18"


class Line(NamedTuple):
    """One line of the ledger."""

    event: Event
    day: str
    counts: bool = True


Ledger = dict[tuple[str, str], Line]


@dataclass
class Books(Game):
    """Each act is made, and noted here if it must work; if it must not, that it is refused with the right error."""

    ledger: Ledger = field(default_factory=dict)
    """By player and match."""
    merged: dict[str, str] = field(default_factory=dict)

    def play(self, batch: list[dict[str, Any]]) -> None:
        scores = [
            score(
                self.player(one["player"]),
                from_units(one["units"], self.range.scale),
                one["match_id"],
                leaderboard=self.slug,
                occurred_at=EVENING - timedelta(minutes=one["minutes_ago"]),
                name=one["name"],
                segments=one["segments"],
                details=one["details"],
            )
            for one in batch
        ]
        for sent, one, outcome in zip(scores, batch, accept(*scores, now=EVENING), strict=True):
            if self.range.least <= one["units"] <= self.range.most and sent.player_id not in self.merged:
                self._note_profile(sent.player_id, one)
            if isinstance(outcome, Stored):
                key = self.merged.get(sent.player_id, sent.player_id), sent.match_id
                assert outcome.duplicate == (key in self.ledger)
                if not outcome.duplicate:
                    assert sent.occurred_at is not None
                    event = Event(one["units"], outcome.accept_no, sent.occurred_at, one["details"] or None)
                    self.ledger[key] = Line(event, TODAY if one["minutes_ago"] <= 2 else YESTERDAY)
        self._add_up(self.ledger)

    def void(self, match_id: str, player: str | None) -> None:
        player_id = player and self.merged.get(self.player(player), self.player(player))
        keys = [key for key, line in self.ledger.items() if key[1] == match_id and line.counts]
        keys = [key for key in keys if player_id in (None, key[0])]
        after = dict(self.ledger)
        for key in keys:
            trial = {**after, key: after[key]._replace(counts=False)}
            if self._fits(trial):
                after = trial
            elif player_id:
                self._expect(PointsOutOfRange, lambda: self._void(match_id, player_id))
                return
        if player_id and not self._exists(player_id):
            self._expect(PlayerNotFound, lambda: self._void(match_id, player_id))
        elif not keys:
            self._expect(MatchNotFound, lambda: self._void(match_id, player_id))
        else:
            left = [key for key in keys if after[key].counts]
            corrected = self._void(match_id, player_id)
            assert bool(corrected.correction.problem) == bool(left)
            self._add_up(after)

    def adjust(self, player: str, units: int) -> None:
        player_id = self.merged.get(self.player(player), self.player(player))
        event = Event(units, 2**60, EVENING)
        after = {**self.ledger, (player_id, "adjustment"): Line(event, TODAY)}
        if self.operator is not Operator.ADD:
            self._expect(InvalidRequest, lambda: self._adjust(player_id, units))
        elif not self._exists(player_id):
            self._expect(PlayerNotFound, lambda: self._adjust(player_id, units))
        elif not self._fits(after):
            self._expect(PointsOutOfRange, lambda: self._adjust(player_id, units))
        else:
            match_id = self._adjust(player_id, units).correction.match_id
            accept_no = ScoreEvent.objects.get(match_id=match_id).accept_no
            line = Line(event._replace(accept_no=accept_no), TODAY)
            self._add_up({**self.ledger, (player_id, match_id): line})

    def flag(self, player: str, *, is_flag: bool) -> None:
        player_id = self.merged.get(self.player(player), self.player(player))
        if not self._exists(player_id):
            self._expect(PlayerNotFound, lambda: acts.flag(player_id, now=EVENING))
            return
        (acts.flag if is_flag else acts.unflag)(self.player(player), now=EVENING)
        (self.hidden.add if is_flag else self.hidden.discard)(player_id)

    def merge(self, player: str, into: str, keep: Keep) -> None:
        one, other = self.player(player), self.merged.get(self.player(into), self.player(into))
        if not (self._exists(one) and self._exists(other)):
            self._expect(PlayerNotFound, lambda: acts.merge(one, other, now=EVENING))
            return
        if one == other or one in self.merged:
            self._expect(InvalidRequest, lambda: acts.merge(one, other, now=EVENING))
            return
        after = dict(self.ledger)
        for (player_id, match_id), line in self.ledger.items():
            if player_id == one:
                theirs = after.get((other, match_id))
                if theirs is None:
                    del after[one, match_id]
                elif line.counts and (not theirs.counts or keep is Keep.FROM):
                    after[one, match_id] = theirs._replace(counts=False)
                else:
                    after[one, match_id] = line._replace(counts=False)
                    continue
                after[other, match_id] = line
        if not self._fits(after):
            self._expect(PointsOutOfRange, lambda: acts.merge(one, other, keep=keep, now=EVENING))
            return
        acts.merge(one, other, keep=keep, now=EVENING)
        self.merged = {name: other if target == one else target for name, target in self.merged.items()} | {one: other}
        self.hidden |= {other} if one in self.hidden else set()
        self._add_up(after)

    def erase(self, player: str) -> None:
        player_id = self.merged.get(self.player(player), self.player(player))
        if not self._exists(player_id):
            self._expect(PlayerNotFound, lambda: acts.erase(player_id, now=EVENING))
            return
        accounts = [player_id, *(one for one, into in self.merged.items() if into == player_id)]
        pk_of = dict(Player.objects.filter(player_id__in=accounts).values_list("player_id", "pk"))
        acts.erase(self.player(player), now=EVENING)
        after = dict(self.ledger)
        for account in accounts:
            now_called = Player.objects.get(pk=pk_of[account]).player_id
            for _, match_id in [key for key in after if key[0] == account]:
                line = after.pop((account, match_id))
                after[now_called, match_id] = line._replace(event=line.event._replace(details=None))
            self.hidden = self.hidden - {account} | {now_called}
            for book in (self.merged, self.names, self.cities):
                book.pop(account, None)
        self._add_up(after)

    def _note_profile(self, player_id: str, one: dict[str, Any]) -> None:
        if one["name"] is not None:
            self.names[player_id] = one["name"]
        if one["segments"] is not None:
            self.cities[player_id] = one["segments"]["city"]

    def _add_up(self, ledger: Ledger) -> None:
        self.ledger, self.events = ledger, self._events(ledger)

    def _events(self, ledger: Ledger) -> dict[tuple[str, str], list[Event]]:
        """What counts, by period's label and player, in the order of acceptance."""
        events: dict[tuple[str, str], list[Event]] = {}
        for (player_id, _), line in sorted(ledger.items(), key=lambda item: item[1].event.accept_no):
            for label in ("all", line.day) if line.counts else ():
                events.setdefault((label, player_id), []).append(line.event)
        return events

    def _fits(self, ledger: Ledger) -> bool:
        """Whether no total that the change touches would leave the range."""
        folds = (fold(self.operator, self.order, events) for events in self._events(ledger).values())
        return all(self.range.least <= total.units <= self.range.most for total in folds)

    def _exists(self, player_id: str) -> bool:
        return Player.objects.filter(player_id=player_id).exists()

    def _void(self, match_id: str, player_id: str | None) -> Any:
        return acts.void(match_id, player_id, self.slug, now=EVENING)

    def _adjust(self, player_id: str, units: int) -> Any:
        return acts.adjust(player_id, from_units(units, self.range.scale), self.slug, now=EVENING)

    def _expect(self, kind: type[LeaderboardError], act: Any) -> None:
        """Refused for this reason, and nothing changes."""
        try:
            act()
        except kind:
            return
        raise AssertionError(f"{kind.__name__} was not raised")
