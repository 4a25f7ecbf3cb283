"""What a window shows is the fold of the ledger over its days: every operator, order, tie rule and range, with ties."""

import itertools
import random
from datetime import timedelta

import psycopg
import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards.board_ids import find_board
from boards.window_writes import days_of
from rebuilds import window_truth
from rebuilds.window_truth import WindowTruth
from scoring.points import from_units, to_units
from scoring.ranking import Operator, Order, Ties
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, score
from tests.rebuilds.test_killed import database_url
from tests.rules.game import RANGES
from tests.rules.model import Line
from tests.windows.asking import build, top
from tests.windows.ledger_fold import true_lines

pytestmark = pytest.mark.django_db(transaction=True)


PLAYERS = "abcd"
UNITS = (-1, 0, 0, 1, 1, 1, 2)
"""Few different points, for ties."""
MANY_UNITS = (*UNITS, 400_000, 460_000_000)
numbers = itertools.count(1)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(st.sampled_from(Operator), st.sampled_from(Order), st.sampled_from(Ties)),
    st.sampled_from(sorted(RANGES)),
    st.sampled_from([UNITS, MANY_UNITS]),
    st.integers(0, 2**32),
)
def test_a_window_is_the_fold_of_its_days(
    boards_redis: redis.Redis,
    rules: tuple[Operator, Order, Ties],
    range_name: str,
    units: tuple[int, ...],
    seed: int,
) -> None:
    boards_redis.flushdb()
    operator, order, ties = rules
    slug, (scale, least, most) = f"fold-{next(numbers)}", RANGES[range_name]
    LeaderboardFactory.create(
        slug=slug,
        operator=operator,
        order=order,
        ties=ties,
        scale=scale,
        period_kinds=["day"],
        grace_seconds=10**6,
        **dict.fromkeys(("min_points", "min_total"), from_units(least, scale)),
        **dict.fromkeys(("max_points", "max_total"), from_units(most, scale)),
    )
    dice = random.Random(seed)
    for _ in range(3):
        accept(
            *(
                score(
                    f"{slug}.{dice.choice(PLAYERS)}",
                    from_units(dice.choice(units), scale),
                    leaderboard=slug,
                    # The window's three days, and one on either side.
                    occurred_at=NOW - timedelta(days=dice.randrange(5)),
                )
                for _ in range(dice.randint(1, 10))
            )
        )
    window = f"{slug}:window:2026-10-16..2026-10-18:global"

    build(window)

    shown = [
        Line(entry.rank or 0, entry.player_id, to_units(entry.points or 0, scale)) for entry in top(window).entries
    ]
    assert shown == true_lines(find_board(window, NOW))


@pytest.mark.parametrize("operator", Operator)
def test_portions_of_any_size_hold_each_player_once(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch, operator: Operator
) -> None:
    """Some came on all days, some on one, and one day is emptier than the others."""
    LeaderboardFactory.create(operator=operator, period_kinds=["day"], grace_seconds=10**6)
    for days_ago, players in enumerate((range(40), range(20, 60), range(55, 58))):
        accept_all(*(score(f"p{n:02}", 10 + n) for n in players), now=NOW - timedelta(days=days_ago))
    truth = WindowTruth(find_board("quiz:window:2026-10-17..2026-10-19:global", NOW))
    for totals in (1, 3, 7, 30, 1_000):
        monkeypatch.setattr(window_truth, "TOTALS_AT_ONCE", totals)
        found: list[str] = []
        after = 0
        while (portion := truth.portion(after)).last is not None:
            assert portion.last > after
            found += portion.rows.player_ids
            after = portion.last
        assert sorted(found) == [f"p{n:02}" for n in range(60)], totals


def snapshot_no() -> int:
    days = days_of(find_board("quiz:window:2026-10-17..2026-10-19:global", NOW))
    (row,) = days.load_players(["ann"])
    return row.snapshot_no


def test_the_snapshot_number_grows_with_each_transaction_that_ends_and_with_nothing_else() -> None:
    """Also when one that began earlier ends later: by the newest transaction alone, its end would change nothing."""
    LeaderboardFactory.create(period_kinds=["day"])
    seen = [snapshot_no()]
    assert snapshot_no() == seen[0]
    with psycopg.connect(database_url()) as older:
        older.execute("SELECT pg_current_xact_id()")
        seen.append(snapshot_no())
        accept_all(score("ann"))
        seen.append(snapshot_no())
        older.commit()
        seen.append(snapshot_no())

    assert seen[0] == seen[1] < seen[2] < seen[3]
