"""Small boards at the edges: nothing but zero, a single player, ids that differ in case, the smallest decimal."""

from decimal import Decimal
from typing import Any

import pytest

from scoring.packing import EXACT, MAX_DECIMAL, WIDE_SPAN
from scoring.ranking import Operator, Order, Ties
from tests.api import get
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score

pytestmark = pytest.mark.django_db

TOP = "leaderboards/quiz:all:global/top"


def lines() -> list[tuple[int, str, Any]]:
    deliver()
    return [(e["rank"], e["player_id"], e["points"]) for e in get(TOP).json(parse_float=Decimal)["entries"]]


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("operator", Operator)
def test_zero_as_the_only_score_is_ranked(operator: Operator, order: Order, ties: Ties) -> None:
    LeaderboardFactory.create(operator=operator, order=order, ties=ties)
    accept_all(score("ann", 0))

    assert lines() == [(1, "ann", 0)]
    mine = get("leaderboards/quiz:all:global/players/ann").json()
    assert (mine["rank"], mine["points"], mine["players"], mine["top_percent"]) == (1, 0, 1, 100.0)
    assert [entry["rank"] for entry in mine["neighbours"]] == [1]


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("scale", [6, 3])
def test_the_smallest_negative_decimal_comes_out_as_it_went_in(operator: Operator, ties: Ties, scale: int) -> None:
    smallest = Decimal(-1).scaleb(-scale)
    LeaderboardFactory.create(
        operator=operator, ties=ties, scale=scale, min_points=-1, min_total=-1, max_points=1, max_total=1
    )
    accept_all(score("ann", smallest), score("bob", Decimal("0.0")), score("eve", -smallest))

    assert lines() == [(1, "eve", -smallest), (2, "bob", 0), (3, "ann", smallest)]
    assert f'"points":{"-0.000001" if scale == 6 else "-0.001"}'.encode() in get(TOP).content


def test_ids_that_differ_only_in_case_are_different_players() -> None:
    LeaderboardFactory.create()
    accept_all(score("Ann", 10), score("ann", 20), score("ANN", 30), score("aNN", 5, "m1"), score("Ann", 5, "m1"))

    assert lines() == [(1, "ANN", 30), (2, "ann", 20), (3, "Ann", 15), (4, "aNN", 5)]


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize(
    ("ties", "least", "most"),
    [
        (Ties.FIRST, -MAX_DECIMAL, MAX_DECIMAL),
        (Ties.FIRST, 0, WIDE_SPAN),
        (Ties.LATEST_FIRST, -WIDE_SPAN + 5, 5),
        (Ties.SHARED, -EXACT, EXACT),
    ],
)
def test_totals_at_both_ends_are_taken_and_shown_and_beyond_them_refused(
    operator: Operator, ties: Ties, least: int, most: int
) -> None:
    LeaderboardFactory.create(
        operator=operator,
        ties=ties,
        min_points=least - 1 if least > -EXACT else least,
        max_points=most + 1 if most < EXACT else most,
        min_total=least,
        max_total=most,
    )
    beyond = [score("low", least - 1), score("high", most + 1)]
    near = [score("c", least + 1), score("b", most - 1)] if least + 1 < 0 or operator is not Operator.ADD else []

    assert codes(accept(*beyond)) == ["points_out_of_range"] * 2
    accept_all(score("d", least), score("a", most), *near)

    expected = [("a", most), ("b", most - 1), ("c", least + 1), ("d", least)] if near else [("a", most), ("d", least)]
    assert [(player_id, points) for _, player_id, points in lines()] == expected
