"""Reading custom windows: each player's totals of a run of days, folded by the leaderboard's operator.

The fold of the days is the fold of their events, but for one thing: of operator `latest`, a day's first result counts as a new
one, with its own acceptance number, also when it repeats the points of the day before.

Rows carry a snapshot number instead of an epoch (see window_stamp.sql): a row with a larger number is newer, whatever has happened.
It tells that only for statements outside of a transaction, which see a snapshot each.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.database import array_of_numbers, fetch_all
from scoring.periods import CustomWindow
from scoring.rules import Rules
from scoring.sql import statement
from scoring.totals import BoardRows

COUNTED_DAYS = 31


class WindowPlayer(NamedTuple):
    """A player's row in a window. `key` of None: nobody has this id. Segments and details as JSON text.

    `points` of None: no total in these days. `accept_no` as packed scores count it.
    """

    player_id: str
    key: int | None
    segments: str | None
    is_clear: bool
    snapshot_no: int
    points: int | None
    accept_no: int | None
    details: str | None


@dataclass(frozen=True, slots=True)
class DaysOf:
    """Which days of which leaderboard, and how they are folded."""

    rules: Rules
    window: CustomWindow

    def load_portion(self, after: int, totals: int, segment: str | None, value: str | None) -> BoardRows:
        """The rows of the next players, by their keys, of about `totals` totals; the epochs are snapshot numbers. See load_window.sql.

        1 query, a snapshot of its own.
        """
        loaded = fetch_all(
            self._statement("load_window"),
            {**self._parameters(), "after": after, "totals": totals, "segment": segment, "value": value},
        )
        shown = [row[1:] for row in loaded if row[1] is not None]
        columns = [list(column) for column in zip(*shown, strict=True)] or [[], [], [], [], []]
        return BoardRows(loaded[-1][0] if loaded else None, *columns)

    def load_players(self, player_ids: Iterable[str]) -> list[WindowPlayer]:
        """The rows of players by their ids, one each. 1 query, an index look-up a player and day."""
        return self._load_players("wanted_by_id", player_ids=list(player_ids))

    def load_players_by_key(self, players: Iterable[int]) -> list[WindowPlayer]:
        """The rows of players by their primary keys; of those who were erased, of whoever has their former ids now. Likewise."""
        return self._load_players("wanted_by_key", players=array_of_numbers(players))

    def count(self, segment: str | None, value: str | None) -> int:
        """About how many players, and hardly more than there are. Reads an index of up to COUNTED_DAYS days."""
        ((players,),) = fetch_all(
            statement("count_window", days="window_days"),
            {**self._parameters(), "newest": COUNTED_DAYS, "segment": segment, "value": value},
        )
        return int(players)

    def _load_players(self, wanted: str, **whose: Any) -> list[WindowPlayer]:
        rows = fetch_all(self._statement("load_window_players", wanted=wanted), {**self._parameters(), **whose})
        return [WindowPlayer(*row) for row in rows]

    def _statement(self, name: str, **fragments: str) -> str:
        fold = f"window_{self.rules.operator}"
        return statement(name, days="window_days", stamp="window_stamp", fold=fold, **fragments)

    def _parameters(self) -> dict[str, Any]:
        first, last = self.window.day_labels
        return {
            "leaderboard_id": self.rules.leaderboard_id,
            "first_label": first,
            "last_label": last,
            "direction": self.rules.order.direction,
        }
