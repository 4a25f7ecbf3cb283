"""Players' rows as calls of the apply script. Pure.

Rows of which nothing is special, nearly all, are translated by column, in a third of the time that row by row takes.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from boards.board_ids import GLOBAL
from boards.store import Call
from boards.writes import Members, PeriodBoards, ShownPlayer, scopes_of
from scoring.models import ReviewState
from scoring.packing import Unpackable

Row = tuple[Any, ...]
"""As `load_rows` gives it."""

Totals = tuple[list[int], list[int]]
"""Points and acceptance numbers of one period, player by player."""

SHOWN = (ReviewState.CLEAR.value, 0)
"""Review state and epoch of a player of whom nothing is special."""


def calls_of(
    rows: Iterable[Row], periods: Sequence[PeriodBoards], *, totals_removed: bool = False
) -> tuple[list[Call], list[str]]:
    """One call for each board that the rows touch; and what is wrong with rows that can't be shown, a sentence each.

    `rows` as `load_rows` gives them for these periods. `totals_removed`: who has no total in one of them had one before.
    """
    plain, special = _apart(rows, len(periods))
    if plain:
        try:
            columns: list[Any] = [list(column) for column in zip(*plain, strict=True)]
            totals = [(columns[5 + 4 * number], columns[6 + 4 * number]) for number in range(len(periods))]
            show_all(columns[0], columns[1], totals, periods)
        except Unpackable:
            special += plain
    problems: list[str] = []
    for player_id, segments, former_scopes, review_state, player_epoch, *of_periods in special:
        player = ShownPlayer(player_id, segments, former_scopes or (), review_state != ReviewState.CLEAR)
        for number, period in enumerate(periods):
            points, accept_no, epoch, details = of_periods[4 * number : 4 * number + 4]
            if points is not None:
                try:
                    period.show(player, points, accept_no, player_epoch + epoch, details)
                except Unpackable as error:
                    problems.append(f"{player_id}: {error}")
            elif totals_removed and player_epoch:
                period.remove(player, player_epoch)
    return [call for period in periods for call in period.calls()], problems


def _apart(rows: Iterable[Row], period_count: int) -> tuple[list[Row], list[Row]]:
    """The rows of which nothing is special, and the others: epochs above 0, players who moved or are hidden, totals that are
    not there or have details."""
    epochs, no_details = (0,) * period_count, (None,) * period_count
    plain: list[Row] = []
    special: list[Row] = []
    for row in rows:
        is_plain = row[2] is None and row[3:5] == SHOWN and row[7::4] == epochs and row[8::4] == no_details
        (plain if is_plain else special).append(row)
    return plain, special


def show_all(
    player_ids: Sequence[str], segments: Sequence[str], totals: Sequence[Totals], periods: Sequence[PeriodBoards]
) -> None:
    """Write raises of rows of which nothing is special, given by column. Unpackable, and then nothing is written."""
    packed = [period.pack_all(*columns) for columns, period in zip(totals, periods, strict=True)]
    members: dict[tuple[str, ...], Members] = {}
    for scores, period in zip(packed, periods, strict=True):
        ranked = period.ranked_segments
        if ranked not in members:
            members[ranked] = _members_of(segments, ranked)
        period.raise_all(scores, player_ids, members[ranked])


def _members_of(segments: Sequence[str], ranked: tuple[str, ...]) -> Members:
    by_segments: dict[str, list[int]] = {}
    for place, text in enumerate(segments):
        by_segments.setdefault(text, []).append(place)
    members: Members = {GLOBAL: list(range(len(segments)))}
    for text, places in by_segments.items():
        for scope in scopes_of(text, ranked)[1:]:
            members.setdefault(scope, []).extend(places)
    return members
