"""Which periods a score counts in: those of the moment it happened."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from scoring.models import Period, ScoreEvent
from scoring.setup import open_season
from scoring.submissions import Submission
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score, total

pytestmark = pytest.mark.django_db

KOLKATA = ZoneInfo("Asia/Kolkata")
MIDNIGHT = datetime(2026, 10, 20, tzinfo=KOLKATA)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def quiz(**fields: object) -> None:
    LeaderboardFactory.create(
        **{"timezone": "Asia/Kolkata", "period_kinds": ["day", "week", "month", "season", "all"], **fields}
    )


def test_one_score_counts_in_all_periods() -> None:
    quiz()
    open_season("quiz", "s42", starts_at=NOW - timedelta(days=1))

    (stored,) = accept_all(score("ann", 10))

    assert stored.totals == dict.fromkeys(["day:2026-10-19", "week:2026-w43", "month:2026-10", "s42", "all"], 10)
    assert stored.totals.keys() == set(Period.objects.values_list("label", flat=True))


def test_a_late_score_counts_in_its_own_day() -> None:
    quiz()

    (stored,) = accept_all(score("ann", 10, occurred_at=MIDNIGHT - SECOND), now=MIDNIGHT + 9 * MINUTE)

    assert "day:2026-10-19" in stored.totals
    assert "day:2026-10-20" not in stored.totals


def test_a_batch_around_midnight_is_cut_at_midnight() -> None:
    quiz(period_kinds=["day", "week"])
    scores = [score("ann", 1, occurred_at=MIDNIGHT + offset) for offset in (-MINUTE, -SECOND, 0 * SECOND, MINUTE)]

    stored = accept_all(*scores, now=MIDNIGHT + 2 * MINUTE)

    yesterday, today = {"day:2026-10-19": 2, "week:2026-w43": 4}, {"day:2026-10-20": 2, "week:2026-w43": 4}
    assert [one.totals for one in stored] == [yesterday, yesterday, today, today]
    assert total("ann", "week:2026-w43")[0] == 4


def test_a_period_takes_scores_until_its_grace_is_over() -> None:
    quiz()

    def last() -> Submission:
        return score(occurred_at=MIDNIGHT - SECOND)

    assert codes(accept(last(), now=MIDNIGHT + 10 * MINUTE - SECOND)) == ["accepted"]
    assert codes(accept(last(), now=MIDNIGHT + 10 * MINUTE)) == ["period_closed"]


def test_a_score_for_a_closed_period_counts_nowhere() -> None:
    quiz()

    outcomes = accept(score("ann", occurred_at=MIDNIGHT - SECOND), score("ann", 5), now=MIDNIGHT + 11 * MINUTE)

    assert codes(outcomes) == ["period_closed", "accepted"]
    assert ScoreEvent.objects.count() == 1
    assert not Period.objects.filter(label="day:2026-10-19").exists()
    assert total("ann")[0] == 5


def test_a_leaderboard_may_close_at_once() -> None:
    quiz(grace_seconds=0)

    assert codes(accept(score(occurred_at=MIDNIGHT - SECOND), now=MIDNIGHT)) == ["period_closed"]


def test_all_time_never_closes() -> None:
    quiz(period_kinds=["all"])

    assert codes(accept(score(occurred_at=NOW - timedelta(days=4000)))) == ["accepted"]


def test_a_clock_may_be_a_minute_fast() -> None:
    quiz()

    assert codes(accept(score(occurred_at=NOW + MINUTE))) == ["accepted"]
    assert codes(accept(score(occurred_at=NOW + MINUTE + SECOND))) == ["in_the_future"]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
@pytest.mark.parametrize("kinds", [["day"], ["all"]])
@pytest.mark.parametrize(
    "occurred_at",
    [
        "0001-01-01T00:00:00+00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59+00:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_the_ends_of_the_calendar_are_refused_or_stored_like_any_time(
    zone: str, kinds: list[str], occurred_at: str
) -> None:
    quiz(timezone=zone, period_kinds=kinds)

    (code,) = codes(accept(score(occurred_at=datetime.fromisoformat(occurred_at))))

    assert code in {"period_closed", "in_the_future", "accepted", "invalid"}


def test_between_two_seasons_scores_count_in_the_other_periods() -> None:
    quiz(period_kinds=["season", "all"])
    open_season("quiz", "s1", NOW - timedelta(days=9), NOW - timedelta(days=2))
    open_season("quiz", "s2", NOW + timedelta(days=2))

    (stored,) = accept_all(score("ann", 10))

    assert stored.totals == {"all": 10}


def test_a_batch_over_the_end_of_a_season_is_cut_there() -> None:
    quiz(period_kinds=["season", "all"])
    open_season("quiz", "s1", NOW - timedelta(days=9), NOW - 4 * MINUTE)
    open_season("quiz", "s2", NOW - 2 * MINUTE)
    times = [NOW - 5 * MINUTE, NOW - 3 * MINUTE, NOW - MINUTE, NOW - 5 * MINUTE]

    stored = accept_all(*(score("ann", 1, occurred_at=time) for time in times))

    assert [sorted(one.totals) for one in stored] == [["all", "s1"], ["all"], ["all", "s2"], ["all", "s1"]]


def test_several_leaderboards_share_a_batch() -> None:
    quiz(period_kinds=["all"])
    LeaderboardFactory.create(slug="race", operator="best", period_kinds=["day"])

    stored = accept_all(
        score("ann", 10), score("ann", 7, leaderboard="race"), score("ann", 5), score("ann", 9, leaderboard="race")
    )

    assert [one.totals for one in stored] == [{"all": 15}, {"day:2026-10-19": 9}] * 2
    assert [one.leaderboard for one in stored] == ["quiz", "race"] * 2
