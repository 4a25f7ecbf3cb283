"""Which scores still fit: the rare case that totals reach the end of what boards can show."""

from collections.abc import Iterable, Mapping

import msgspec

from scoring.database import array_of_ids, array_of_numbers, fetch_all
from scoring.errors import FieldError
from scoring.period_rows import WindowSets
from scoring.rules import Rules
from scoring.sql import statement
from scoring.submissions import Submission

DOES_NOT_FIT = FieldError(
    "points",
    "points_out_of_range",
    "with these points the player's total would leave the range that the leaderboard can rank",
)


class Item(msgspec.Struct, frozen=True, gc=False):
    """A score, its place in the call, its points in units, and which of the window sets it counts in."""

    place: int
    submission: Submission
    units: int
    window_set: int

    @property
    def key(self) -> tuple[str, str]:
        return self.submission.player_id, self.submission.match_id


def out_of_range(
    items: list[Item], players: Mapping[str, int], exhausted: set[int], windows: WindowSets, rules: Rules
) -> dict[int, FieldError]:
    """Of these scores, those that don't fit if they are added up in order; by place. 2 queries, no locks.

    None is refused that the ledger has: it is in the total already. Of the players in `exhausted` all others are: the
    acceptance numbers of one of their periods are used up. The sums are of the operator `add`; elsewhere a total is one
    event's points, and those are checked by themselves.
    """
    # Before the ledger: an event that is saved in between may be missing from the total, but is not refused.
    totals = load_totals({players[item.submission.player_id] for item in items}, windows.labels())
    known = load_known(items, players, rules)
    refused: dict[int, FieldError] = {}
    seen = {item.key for item in items if item.place in known}
    for item in items:
        if item.key in seen:
            continue
        player = players[item.submission.player_id]
        if player in exhausted:
            refused[item.place] = DOES_NOT_FIT
            continue
        keys = [(player, period_id) for period_id in windows.sets[item.window_set].period_ids]
        sums = [totals.get(key, 0) + item.units for key in keys]
        if all(rules.min_total <= total <= rules.max_total for total in sums):
            seen.add(item.key)
            totals.update(zip(keys, sums, strict=True))
        else:
            refused[item.place] = DOES_NOT_FIT
    return refused


def load_known(items: list[Item], players: Mapping[str, int], rules: Rules) -> dict[int, tuple[int, int]]:
    """Of these scores, those whose player and match the ledger has: by place, points in units and acceptance number.

    1 query.
    """
    rows = fetch_all(
        statement("find_events"),
        {
            "leaderboard_id": rules.leaderboard_id,
            "indexes": array_of_numbers(range(len(items))),
            "match_ids": array_of_ids(item.submission.match_id for item in items),
            "players": array_of_numbers(players[item.submission.player_id] for item in items),
        },
    )
    return {items[position].place: (units, accept_no) for position, units, accept_no in rows}


def load_totals(players: Iterable[int], period_ids: Iterable[int]) -> dict[tuple[int, int], int]:
    """Totals in units by (player, period), of those that exist. 1 query."""
    parameters = {"players": array_of_numbers(players), "period_ids": array_of_numbers(period_ids)}
    return {(player, period_id): units for player, period_id, units in fetch_all(statement("load_totals"), parameters)}
