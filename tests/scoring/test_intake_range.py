"""Totals that no board could show are refused at intake: exactly the scores that don't fit, and nothing beside them."""

import pytest

from scoring.acceptance import Outcome, Stored
from scoring.models import OutboxEvent, ScoreEvent, Total
from scoring.packing import EXACT, MAX_DECIMAL
from scoring.ranking import Operator, Order, Ties
from scoring.submissions import Submission
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score, total

pytestmark = pytest.mark.django_db

MOST = MAX_DECIMAL


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(min_points=-1_000_000, max_points=1_000_000)


def numbers(outcomes: list[Outcome]) -> list[int]:
    return [outcome.accept_no for outcome in outcomes if isinstance(outcome, Stored)]


def test_points_outside_the_rules_of_one_event_are_refused() -> None:
    outcomes = accept(score("ann", 1_000_001), score("ann", -1_000_001), score("ann", 10**30), score("ann", 1))

    assert codes(outcomes) == ["points_out_of_range"] * 3 + ["accepted"]


def test_the_largest_total_is_taken() -> None:
    assert MOST == 900_718
    accept_all(score("ann", MOST), score("bob", -MOST))

    assert (total("ann")[0], total("bob")[0]) == (MOST, -MOST)


@pytest.mark.parametrize("points", [MOST + 1, -MOST - 1])
def test_a_score_beyond_it_is_refused_and_leaves_no_trace_in_ledger_totals_and_outbox(points: int) -> None:
    assert codes(accept(score("ann", points))) == ["points_out_of_range"]

    assert not ScoreEvent.objects.exists()
    assert not Total.objects.exists()
    assert not OutboxEvent.objects.exclude(period_ids=[]).exists()


def test_a_refused_score_does_not_stop_its_neighbours() -> None:
    accept_all(score("ann", MOST))

    outcomes = accept(score("bob", 1), score("ann", 1), score("eve", 2))

    assert codes(outcomes) == ["accepted", "points_out_of_range", "accepted"]
    assert (total("ann")[0], total("bob")[0], total("eve")[0]) == (MOST, 1, 2)
    assert ScoreEvent.objects.count() == 3


def test_each_score_of_a_player_at_the_limit_is_judged_in_order() -> None:
    accept_all(score("ann", MOST - 10))

    outcomes = accept(
        score("ann", 8), score("ann", 3), score("ann", 2), score("ann", 1), score("ann", -5), score("ann", 5)
    )

    refused = "points_out_of_range"
    assert codes(outcomes) == ["accepted", refused, "accepted", refused, "accepted", "accepted"]
    assert total("ann")[0] == MOST
    last = outcomes[-1]
    assert isinstance(last, Stored)
    assert last.totals == {"all": MOST}


def test_a_refused_score_may_be_sent_again_once_it_fits() -> None:
    accept_all(score("ann", MOST))
    refused = score("ann", 5)
    assert codes(accept(refused)) == ["points_out_of_range"]

    accept_all(score("ann", -10))

    assert codes(accept(refused)) == ["accepted"]


def test_repeats_and_conflicts_of_a_player_at_the_limit_are_told_apart() -> None:
    first = score("ann", MOST, "m1")
    accept_all(first)

    outcomes = accept(first, score("ann", 5, "m1"), score("ann", 5, "m2"), score("ann", 5, "m2"))

    assert codes(outcomes) == ["duplicate", "match_conflict", "points_out_of_range", "points_out_of_range"]


def test_each_leaderboard_has_its_own_limit() -> None:
    LeaderboardFactory.create(slug="race", max_points=1_000_000)
    accept_all(score("ann", MOST))

    outcomes = accept(score("ann", 1), score("ann", MOST, leaderboard="race"), score("ann", 1, leaderboard="race"))

    assert codes(outcomes) == ["points_out_of_range", "accepted", "points_out_of_range"]


def test_acceptance_numbers_grow_in_batch_order_though_a_player_is_at_the_limit() -> None:
    accept_all(score("ann", MOST))

    outcomes = accept(score("ann", -7), score("bob", 10), score("ann", 8), score("eve", 10))

    assert codes(outcomes) == ["accepted", "accepted", "points_out_of_range", "accepted"]
    assert numbers(outcomes) == sorted(numbers(outcomes))


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize("order", Order)
def test_events_near_the_end_of_the_integers_are_refused_like_any_other(operator: Operator, order: Order) -> None:
    widest = {"min_points": -EXACT, "max_points": EXACT}
    LeaderboardFactory.create(slug="huge", operator=operator, order=order, **widest)

    def huge(points: int) -> Submission:
        return score("ann", points, leaderboard="huge")

    outcomes = accept(*map(huge, (2**63 - 1, 2**63, -(2**63), EXACT, -EXACT, 10**400, 5)))

    assert codes(outcomes) == ["points_out_of_range"] * 6 + ["accepted"]


def test_a_batch_whose_sum_is_no_64_bit_integer_is_judged_one_by_one() -> None:
    """Where equal points share a rank, one event may bring 2^53: 1,024 of them overflow what a total is stored in."""
    widest = {"min_points": -EXACT, "max_points": EXACT, "min_total": -EXACT, "max_total": EXACT}
    LeaderboardFactory.create(slug="huge", ties=Ties.SHARED, **widest)

    outcomes = accept(
        *(score("ann", EXACT, leaderboard="huge") for _ in range(2_000)),
        *(score("bob", -EXACT, leaderboard="huge") for _ in range(2_000)),
    )

    assert codes(outcomes) == (["accepted"] + ["points_out_of_range"] * 1_999) * 2
    assert [total(player_id, leaderboard="huge")[0] for player_id in ("ann", "bob")] == [EXACT, -EXACT]
