"""Acceptance numbers at the end of a period's slot: the last one fits, the next is refused and nothing is saved."""

import pytest
from django.db import connection

from scoring.models import OutboxEvent, Period, ScoreEvent, Total
from scoring.packing import SLOT
from scoring.period_rows import forget_periods
from scoring.ranking import Operator, Ties
from tests.api import get
from tests.boards_truth import shown_boards
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score

pytestmark = pytest.mark.django_db

KEEPS_NUMBERS = [Ties.FIRST, Ties.LATEST_FIRST]


def newest_number() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM scoring_accept_no")
        (number,) = cursor.fetchone()
    return int(number)


def leave(count: int, label: str = "all") -> None:
    """Let the period have begun so long ago that only so many numbers are left, beginning with the next."""
    Period.objects.filter(label=label).update(first_accept_no=newest_number() + count + 1 - SLOT)
    forget_periods()


def saved() -> tuple[object, ...]:
    return tuple(
        sorted(map(str, objects.values_list())) for objects in (ScoreEvent.objects, Total.objects, OutboxEvent.objects)
    )


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize("ties", KEEPS_NUMBERS)
def test_the_last_number_is_taken_and_the_next_refused(operator: Operator, ties: Ties) -> None:
    LeaderboardFactory.create(operator=operator, ties=ties)
    accept_all(score("bob", 10))
    leave(1)

    assert codes(accept(score("ann", 10))) == ["accepted"]
    before = saved()
    assert codes(accept(score("eve", 10), score("bob", 20))) == ["points_out_of_range"] * 2

    assert saved() == before
    deliver()
    shown = [entry["player_id"] for entry in get("leaderboards/quiz:all:global/top").json()["entries"]]
    assert shown == (["bob", "ann"] if ties is Ties.FIRST else ["ann", "bob"])


def test_the_last_number_ranks_last_among_equals() -> None:
    LeaderboardFactory.create()
    accept_all(score("early", 10))
    leave(1)
    accept_all(score("late", 10))
    Period.objects.filter(label="all").update(first_accept_no=newest_number() + 1 - SLOT)

    deliver()

    (early, early_score), (late, late_score) = shown_boards("quiz")["quiz:all:global"]
    assert (early, late, late_score) == ("early", "late", 10 * SLOT)
    assert early_score > late_score


def test_who_moves_no_total_needs_no_number() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 10))
    leave(0)

    assert codes(accept(score("ann", 0), score("bob", 1))) == ["accepted", "points_out_of_range"]


def test_a_repeat_is_a_duplicate_though_the_numbers_are_used_up() -> None:
    LeaderboardFactory.create()
    first = score("ann", 10)
    accept_all(first)
    leave(0)

    assert codes(accept(first, score("ann", 1), score("bob", 1))) == ["duplicate"] + ["points_out_of_range"] * 2


def test_other_leaderboards_and_periods_go_on() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"])
    LeaderboardFactory.create(slug="race")
    accept_all(score("ann", 10), score("ann", 10, leaderboard="race"))
    Period.objects.filter(label="all", leaderboard__slug="quiz").update(first_accept_no=newest_number() + 1 - SLOT)
    forget_periods()

    assert codes(accept(score("ann", 1), score("ann", 1, leaderboard="race"))) == ["points_out_of_range", "accepted"]


def test_where_ranks_are_shared_numbers_never_run_out() -> None:
    LeaderboardFactory.create(ties=Ties.SHARED)
    accept_all(score("ann", 10))
    leave(-5)

    assert codes(accept(score("ann", 1), score("bob", 1))) == ["accepted"] * 2
    deliver()
    assert [points for _, points in shown_boards("quiz")["quiz:all:global"]] == [11, 1]


def test_a_closed_period_in_the_same_call_uses_up_no_numbers() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"])
    yesterday = NOW.replace(day=18)

    assert codes(accept(score("ann", 1, occurred_at=yesterday), score("bob", 1))) == ["period_closed", "accepted"]
