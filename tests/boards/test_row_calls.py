"""Rows by column and row by row: the same writes."""

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from boards.row_calls import Row, calls_of
from boards.store import Call
from boards.writes import PeriodBoards, ShownPlayer
from scoring.models import ReviewState
from scoring.packing import MAX_DECIMAL, SLOT, Unpackable
from scoring.periods import ALL_TIME
from scoring.totals import PeriodInfo
from tests.boards.bare_boards import NOW, RULES

FIRST_ACCEPT_NO = 1_000
LABELS = ("day:2026-10-19", ALL_TIME.label)

SEGMENTS = ("{}", '{"city": "hyd"}', '{"clan": "red", "city": "hyd"}', '{"city": "pune", "shoe": "42"}')

FITTING = st.tuples(
    st.integers(0, 50),
    st.integers(FIRST_ACCEPT_NO, FIRST_ACCEPT_NO + 50),
    st.sampled_from([0] * 9 + [1]),
    st.sampled_from([None] * 9 + ['{"deck": 1}']),
)
ODD = st.sampled_from(
    [(None, None, None, None), (MAX_DECIMAL + 1, FIRST_ACCEPT_NO, 0, None), (7, FIRST_ACCEPT_NO + SLOT, 0, None)]
)


def rows_of(totals: st.SearchStrategy[tuple[Any, ...]]) -> st.SearchStrategy[list[Row]]:
    columns = st.tuples(
        st.sampled_from(SEGMENTS),
        st.sampled_from([None] * 8 + [["city:hyd"], ["city:goa", "shoe:42"]]),
        st.sampled_from([ReviewState.CLEAR.value] * 9 + [ReviewState.FLAGGED.value]),
        st.sampled_from([0] * 9 + [2]),
        totals,
        totals,
    ).map(lambda drawn: (*drawn[:4], *drawn[4], *drawn[5]))
    return st.lists(columns, max_size=30).map(lambda rows: [(f"p{number}", *row) for number, row in enumerate(rows)])


def periods() -> list[PeriodBoards]:
    return [
        PeriodBoards(RULES, PeriodInfo("quiz", label, FIRST_ACCEPT_NO), NOW + timedelta(days=1)) for label in LABELS
    ]


def row_by_row(rows: list[Row], *, totals_removed: bool) -> tuple[list[Call], set[str]]:
    boards, unpackable = periods(), set()
    for player_id, segments, former_scopes, review_state, player_epoch, *totals in rows:
        player = ShownPlayer(player_id, segments, former_scopes or (), review_state != ReviewState.CLEAR)
        for number, period in enumerate(boards):
            points, accept_no, epoch, details = totals[4 * number : 4 * number + 4]
            if points is None:
                if totals_removed and player_epoch:
                    period.remove(player, player_epoch)
                continue
            try:
                period.show(player, points, accept_no, player_epoch + epoch, details)
            except Unpackable as error:
                unpackable.add(f"{player_id}: {error}")
    return [call for period in boards for call in period.calls()], unpackable


def writes(calls: list[Call]) -> dict[str, Any]:
    """What each board is told, whatever the order of its players."""
    told = {}
    for call in calls:
        kept_seconds, may_begin, raises, others, *arguments = call.arguments
        assert isinstance(raises, int)
        assert isinstance(others, int)
        ends = 2 * raises, 2 * raises + 3 * others
        assert call.keys[0] not in told
        told[call.keys[0]] = (
            (kept_seconds, may_begin),
            sorted(zip(arguments[: ends[0] : 2], arguments[1 : ends[0] : 2], strict=True), key=str),
            sorted(zip(*(arguments[ends[0] + place : ends[1] : 3] for place in range(3)), strict=True), key=str),
            sorted(zip(arguments[ends[1] :: 2], arguments[ends[1] + 1 :: 2], strict=True), key=str),
        )
    return told


# A single one that does not fit sends all of them the slow way.
@given(rows_of(FITTING) | rows_of(FITTING | ODD), st.booleans())
def test_by_column_rows_mean_what_they_mean_one_by_one(rows: list[Row], totals_removed: bool) -> None:
    calls, problems = calls_of(rows, periods(), totals_removed=totals_removed)
    expected, unpackable = row_by_row(rows, totals_removed=totals_removed)

    assert writes(calls) == writes(expected)
    assert set(problems) == unpackable


def test_one_that_does_not_fit_holds_up_none_of_those_beside_it() -> None:
    fits, too_much = (10, FIRST_ACCEPT_NO, 0, None), (MAX_DECIMAL + 1, FIRST_ACCEPT_NO, 0, None)
    rows: list[Row] = [
        ("ann", "{}", None, 0, 0, *fits, *too_much),
        ("bob", '{"city": "hyd"}', None, 0, 0, *fits, *fits),
    ]

    calls, problems = calls_of(rows, periods())

    shown = {
        key.removeprefix("lb:quiz:"): [name for _, name in raises] for key, (_, raises, _, _) in writes(calls).items()
    }
    assert shown == {
        "day:2026-10-19:global": ["ann", "bob"],
        "day:2026-10-19:city:hyd": ["bob"],
        "all:global": ["bob"],
        "all:city:hyd": ["bob"],
    }
    assert problems == [f"ann: {MAX_DECIMAL + 1} points can't be packed exactly"]
