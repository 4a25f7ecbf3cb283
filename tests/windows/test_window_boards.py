"""A custom window from the first question to its end: asked for, built, read, following what happens, gone."""

from datetime import timedelta

import pytest
import redis
from msgspec import UNSET, Raw

from boards.reads import Top
from boards.windows import BoardBuilding
from rebuilds.models import BoardJob
from rebuilds.windows import ask_builds
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts
from tests.rebuilds.working import work
from tests.windows.asking import DAY, HYD, WINDOW, build, lines, top

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    """Three players of two cities and two days; the boards have nothing of a window yet."""
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], min_points=-1000)
    accept_all(score("ann", 30, segments={"city": "hyd"}, details={"n": 1}), score("bob", 20), now=NOW - DAY)
    accept_all(score("bob", 15, segments={"city": "hyd"}), score("eve", 10, segments={"city": "pune"}))
    deliver()
    return boards_redis


def test_the_first_question_has_it_built_and_the_next_is_answered(quiz: redis.Redis) -> None:
    with pytest.raises(BoardBuilding):
        top()
    assert ask_builds(NOW) == 1
    work()

    assert lines() == [(1, "bob", 35), (2, "ann", 30), (3, "eve", 10)]
    assert BoardJob.objects.get().board == WINDOW
    with pytest.raises(BoardBuilding):
        top(HYD)


def test_a_window_is_built_once_however_often_it_is_asked_for(quiz: redis.Redis) -> None:
    for _ in range(3):
        with pytest.raises(BoardBuilding):
            top()
        ask_builds(NOW)

    assert BoardJob.objects.count() == 1


def test_a_window_of_days_that_nobody_has_scored_on_is_there_and_empty(quiz: redis.Redis) -> None:
    empty = "quiz:window:2020-01-01..2020-01-03:global"

    build(empty)

    assert top(empty) == Top(0, [])
    assert [job.state for job in BoardJob.objects.all()] == ["done"]


def test_the_first_score_of_a_day_is_followed_into_an_empty_window(quiz: redis.Redis) -> None:
    tomorrow = "quiz:window:2026-10-19..2026-10-25:city:goa"
    build(tomorrow)

    accept_all(score("gil", 5, segments={"city": "goa"}), now=NOW + DAY)
    deliver()

    assert lines(tomorrow) == [(1, "gil", 5)]


def test_details_are_those_of_the_event_that_moved_the_points_last(quiz: redis.Redis) -> None:
    build(WINDOW)

    def details() -> list[object]:
        return [None if entry.details is UNSET else entry.details for entry in top().entries]

    assert details() == [None, Raw(b'{"n": 1}'), None]
    accept_all(score("eve", 50, details={"n": 2}), score("ann", 10))
    deliver()
    assert details() == [Raw(b'{"n": 2}'), None, None]


def test_scores_and_corrections_of_its_days_are_followed(quiz: redis.Redis) -> None:
    build(WINDOW, HYD)

    accept_all(score("ann", 100, "m-1"), score("new", 1, segments={"city": "hyd"}))
    deliver()
    assert lines() == [(1, "ann", 130), (2, "bob", 35), (3, "eve", 10), (4, "new", 1)]
    assert lines(HYD) == [(1, "ann", 130), (2, "bob", 35), (3, "new", 1)]
    acts.void("m-1")
    acts.flag("bob")
    accept_all(score("new", 0, segments={"city": "pune"}))
    deliver()
    assert lines() == [(1, "ann", 30), (2, "eve", 10), (3, "new", 1)]
    assert lines(HYD) == [(1, "ann", 30)]
    acts.unflag("bob")
    deliver()
    assert lines(HYD) == [(1, "bob", 35), (2, "ann", 30)]


def test_accounts_that_become_one_and_people_who_are_forgotten(quiz: redis.Redis) -> None:
    build(WINDOW, HYD)

    acts.merge("ann", "bob", reopen=True)
    deliver()
    assert lines() == [(1, "bob", 65), (2, "eve", 10)]
    assert lines(HYD) == [(1, "bob", 65)]
    acts.erase("bob")
    accept_all(score("bob", 1))
    deliver()
    assert lines() == [(1, "eve", 10), (2, "bob", 1)]
    assert lines(HYD) == []


def test_corrections_of_closed_days_are_followed(quiz: redis.Redis) -> None:
    later = NOW + 5 * DAY
    build(WINDOW, HYD, now=later)

    acts.adjust("ann", -20, now=later, occurred_at=NOW - DAY, reopen=True)
    deliver(later)

    assert lines(now=later) == [(1, "bob", 35), (2, "eve", 10), (3, "ann", 10)]


def test_who_moves_after_all_of_its_days_have_closed_moves_on_a_window_too(quiz: redis.Redis) -> None:
    later = NOW + 5 * DAY
    build(WINDOW, HYD, now=later)

    accept_all(score("ann", 1, segments={"city": "pune"}), now=later)
    deliver(later)

    assert lines(HYD, later) == [(1, "bob", 35)]
    assert lines(now=later)[1] == (2, "ann", 30)


def test_sums_that_fit_into_no_score_are_not_shown_until_they_do(quiz: redis.Redis) -> None:
    LeaderboardFactory.create(slug="rich", period_kinds=["day"], max_points=900_718)
    rich = "rich:window:2026-10-13..2026-10-19:global"
    accept_all(score("ann", 900_718, "m-1", leaderboard="rich"), now=NOW - DAY)
    accept_all(score("ann", 900_718, leaderboard="rich"), score("bob", 5, leaderboard="rich"))
    build(rich)

    assert lines(rich) == [(1, "bob", 5)]
    assert BoardJob.objects.get(board=rich).unshown == 1
    acts.void("m-1", slug="rich", reopen=True)
    deliver()
    assert lines(rich) == [(1, "ann", 900_718), (2, "bob", 5)]
    accept_all(score("bob", 900_000, leaderboard="rich"), now=NOW - DAY + timedelta(seconds=1))
    accept_all(score("bob", 900_000, leaderboard="rich"))
    deliver()
    assert lines(rich) == [(1, "ann", 900_718)]
