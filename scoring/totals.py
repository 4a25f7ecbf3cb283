"""Reading totals for the boards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.db.models import Q

from scoring.database import array_of_numbers, fetch_all
from scoring.models import FormerId, Period, Player, ReviewState, Total
from scoring.periods import PeriodKind
from scoring.sql import statement

MOST_PERIODS = 8
"""In one query: as many as a leaderboard has open at a time, and no more joins than are planned quickly."""

_TOTAL_JOIN = """LEFT JOIN LATERAL (
    SELECT * FROM scoring_total WHERE period_id = %(period_{n})s AND player_id = wanted.id OFFSET 0
) t{n} ON true"""


@dataclass(frozen=True, slots=True)
class PeriodInfo:
    """What never changes about a period's row."""

    leaderboard_slug: str
    label: str
    first_accept_no: int


def load_rows(players: Iterable[int], period_ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """The players' rows with their totals of up to MOST_PERIODS periods, in one snapshot; see load_rows.sql.

    1 query; an index look-up a player and one a total. Plain tuples: this is read 25,000 times a second.
    """
    parameters: dict[str, Any] = {f"period_{n}": period_id for n, period_id in enumerate(period_ids)}
    parameters["players"] = array_of_numbers(players)
    return fetch_all(_rows_statement(len(period_ids)), parameters)


def load_plain(players: Iterable[int]) -> tuple[list[int], list[str], list[str]]:
    """Of which of these players boards need to know id and segments only: places in `players`, ids, segments (JSON text).

    1 query; an index look-up a player.
    """
    ((places, player_ids, segments),) = fetch_all(statement("load_plain"), {"players": array_of_numbers(players)})
    return places or [], player_ids or [], segments or []


def with_former_ids(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of `load_rows`, with those of erased players under the ids and scopes that boards know them by.

    Those whose former ids are forgotten by now are left out: no board has them. No query if nobody is erased.
    """
    erased = [row[0] for row in rows if row[3] == ReviewState.ERASED]
    if not erased:
        return rows
    found = FormerId.objects.filter(player__player_id__in=erased).select_related("player")
    former = {former.player.player_id: former for former in found}
    kept = [row for row in rows if row[3] != ReviewState.ERASED]
    return kept + [_former_row(row, former[row[0]]) for row in rows if row[0] in former]


def _former_row(row: tuple[Any, ...], former: FormerId) -> tuple[Any, ...]:
    """The row as of the erasure, whatever happens to the totals later: below a new player's of the same id."""
    _, _, _, review_state, _, *totals = row
    totals[2::4] = [None if epoch is None else 0 for epoch in totals[2::4]]
    return (former.former_id, "{}", former.scopes, review_state, former.next_epoch - 1, *totals)


@cache
def _rows_statement(period_count: int) -> str:
    if period_count > MOST_PERIODS:
        raise ValueError(f"{period_count} periods at once, {MOST_PERIODS} at the most")
    numbers = range(period_count)
    columns = "".join(f", t{n}.points, t{n}.accept_no, t{n}.epoch, t{n}.details::text" for n in numbers)
    joins = "\n".join(_TOTAL_JOIN.format(n=n) for n in numbers)
    return statement("load_rows").replace("/*columns*/", columns).replace("/*joins*/", joins)


def load_names(players: Iterable[int]) -> list[tuple[str, int, str]]:
    """player_id, version and name of these players. 1 query."""
    parameters = {"players": array_of_numbers(players)}
    return [(player_id, version, name) for player_id, version, name in fetch_all(statement("load_names"), parameters)]


def load_next_names(after: int, limit: int) -> list[tuple[int, str, int, str]]:
    """Primary key, player_id, version and name of the next players that have a name, from `after` on. 1 query."""
    named = Player.objects.filter(pk__gt=after).exclude(name="").exclude(review_state=ReviewState.ERASED)
    return list(named.order_by("pk").values_list("pk", "player_id", "name_version", "name")[:limit])


def load_segments(player_id: str) -> dict[str, str]:
    """A player's segments, none for an unknown player. 1 query."""
    return Player.objects.filter(player_id=player_id).values_list("segments", flat=True).first() or {}


def load_recent_period_ids(now: datetime, longest_kept: timedelta) -> list[int]:
    """Every period whose boards may still exist: without end, seasons, and those that ended a short while ago."""
    recent = Q(ends_at__isnull=True) | Q(kind=PeriodKind.SEASON) | Q(ends_at__gt=now - longest_kept)
    return list(Period.objects.filter(recent).values_list("id", flat=True))


@lru_cache(maxsize=10_000)
def load_period(period_id: int) -> PeriodInfo:
    """A period by primary key. No query once this process has seen it. Period.DoesNotExist."""
    period = Period.objects.select_related("leaderboard").get(id=period_id)
    return PeriodInfo(period.leaderboard.slug, period.label, period.first_accept_no)


class Selection(NamedTuple):
    """Whose totals make up one board: all of a period, or those of the players with one value of a segment."""

    period_id: int
    segment: str | None = None
    value: str | None = None


class BoardRows(NamedTuple):
    """Rows of a board by column, in the order of the players' primary keys. `details` as JSON text.

    `last`: the primary key of the last player looked at, who may not be on the board; None if there was none.
    """

    last: int | None
    player_ids: list[str]
    epochs: list[int]
    points: list[int]
    accept_nos: list[int]
    details: list[str | None]


def load_board(selection: Selection, after: int, totals: int) -> BoardRows:
    """The rows of a board among the next `totals` totals of its period, by the players' primary keys from `after` on.

    1 query, a snapshot of its own; 1.4 microseconds a total, of which a tenth is this process's.
    """
    return _load_board(_next_totals_statement(totals), selection, {"after": after})


def load_board_of(selection: Selection, players: Sequence[int]) -> BoardRows:
    """The rows of a board among the totals of these players, given by primary key, the last one last. Likewise."""
    if not players:
        return BoardRows(None, [], [], [], [], [])
    sql = statement("load_board", chunk="chunk_of_players")
    return _load_board(sql, selection, {"players": array_of_numbers(players)})._replace(last=players[-1])


@lru_cache(maxsize=100)
def _next_totals_statement(totals: int) -> str:
    return statement("load_board", chunk="chunk_of_period").replace("/*totals*/", str(int(totals)))


def _load_board(sql: str, selection: Selection, parameters: Mapping[str, Any]) -> BoardRows:
    ((last, *columns),) = fetch_all(sql, {**selection._asdict(), **parameters})
    return BoardRows(last, *(column or [] for column in columns))


def load_members(segment: str, value: str, after: int, limit: int) -> list[int]:
    """The primary keys of the next players with this value of a segment, from `after` on, in their order.

    1 query, which looks at all of that segment by its index; 0.5 microseconds each.
    """
    members = Player.objects.filter(segments__contains={segment: value}, pk__gt=after)
    return list(members.order_by("pk").values_list("pk", flat=True)[:limit])


def load_board_players(selection: Selection, player_ids: Iterable[str]) -> list[tuple[Any, ...]]:
    """The rows of these players on a board; see load_board_players.sql. 1 query, two index look-ups a player."""
    return fetch_all(statement("load_board_players"), {**selection._asdict(), "player_ids": list(player_ids)})


def load_scopes(period_id: int, segments: Iterable[str]) -> list[str]:
    """Every scope, apart from the global one, that players with totals in this period are or were in; sorted."""
    parameters = {"period_id": period_id, "segments": list(segments)}
    return sorted(scope for (scope,) in fetch_all(statement("load_scopes"), parameters))


def count_board(selection: Selection) -> int:
    """How many totals a board is made of, those of flagged players included. Reads the index of all totals of the period,
    and the players if it is a segment's."""
    totals = Total.objects.filter(period_id=selection.period_id)
    if selection.segment is not None:
        totals = totals.filter(**{f"player__segments__{selection.segment}": selection.value})
    return totals.count()


def count_segment(selection: Selection) -> int:
    """The same for a segment's board, at an index look-up for each player of the segment."""
    ((count,),) = fetch_all(statement("count_segment"), selection._asdict())
    return int(count)


def has_more_totals(period_id: int, count: int) -> bool:
    """Whether a period has more totals than this. Reads that many entries of their index."""
    return Total.objects.filter(period_id=period_id)[: count + 1].count() > count


def load_sample(period_id: int, draws: int) -> list[tuple[str, str]]:
    """player_id and segments (JSON text) of up to `draws` players with totals in this period, at random. 1 query."""
    parameters = {"period_id": period_id, "draws": draws}
    return [(player_id, segments) for player_id, segments in fetch_all(statement("sample_totals"), parameters)]
