"""A rebuild, worked on by hand: whatever the board was, it is what the totals say, and nothing else is left."""

import json
from datetime import timedelta
from typing import Any

import pytest
import redis

from boards.keys import board_keys
from scoring.models import OutboxEvent, Player, ReviewState, Total
from scoring.ranking import Operator
from scoring.setup import open_season
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask, rebuild, work

pytestmark = pytest.mark.django_db

KEYS = board_keys("quiz:all:global")
DAY_KEYS = board_keys("quiz:day:2026-10-19:global")
HYD = "quiz:all:city:hyd"
DAY_SECONDS = 691_200


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    """Three players of two cities, all boards as they should be."""
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], min_points=-1000)
    accept_all(
        score("ann", 30, segments={"city": "hyd"}),
        score("bob", 20, segments={"city": "hyd"}),
        score("eve", 10, segments={"city": "pune"}, details={"car": "red"}),
    )
    deliver()
    assert not differences()
    return boards_redis


def everything(client: redis.Redis) -> dict[str, Any]:
    """All that Redis holds of boards, by key, with what is left of its life in seconds."""
    found: dict[str, Any] = {}
    for key in client.scan_iter("*lb:*"):
        value = client.zrange(key, 0, -1, withscores=True) if client.type(key) == "zset" else client.hgetall(key)
        found[key] = (value, client.ttl(key))
    return found


def test_a_board_that_is_right_stays_as_it_is(quiz: redis.Redis) -> None:
    before = everything(quiz)

    job = rebuild()

    assert (job.state, job.problem) == ("done", "")
    assert (job.loaded, job.verified, job.expected, job.percent) == (3, 3, 3, 100.0)
    assert everything(quiz) == before


def test_missing_extra_and_different_entries_are_put_right(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "ann")
    quiz.zadd(KEYS.live, {"bob": 10**15, "nobody": 5})
    quiz.hset(KEYS.details, "eve", '{"car": "blue"}')

    assert rebuild().state == "done"

    assert not differences()
    assert quiz.hgetall(KEYS.details) == {"eve": '{"car": "red"}'}


def test_a_lost_board_comes_back_and_lives_as_long_as_its_kind_says(quiz: redis.Redis) -> None:
    quiz.flushdb()

    for board_id in ("quiz:day:2026-10-19:global", "quiz:all:global", HYD):
        assert rebuild(board_id).state == "done"

    assert quiz.ttl(DAY_KEYS.live) == quiz.ttl(DAY_KEYS.details) == DAY_SECONDS
    assert quiz.ttl(KEYS.live) == quiz.ttl(KEYS.details) == -1
    assert {difference.board for difference in differences()} == {
        "quiz:all:city:pune",
        "quiz:day:2026-10-19:city:hyd",
        "quiz:day:2026-10-19:city:pune",
    }


def test_the_remaining_time_of_an_expiring_board_stays(quiz: redis.Redis) -> None:
    quiz.zrem(DAY_KEYS.live, "ann")
    quiz.expire(DAY_KEYS.live, 1000)

    assert rebuild("quiz:day:2026-10-19:global").state == "done"

    assert 998 <= quiz.ttl(DAY_KEYS.live) <= 1000
    assert 998 <= quiz.ttl(DAY_KEYS.details) <= 1000


def test_a_segments_board_has_its_players_alone(quiz: redis.Redis) -> None:
    quiz.zadd(board_keys(HYD).live, {"eve": 1})

    assert rebuild(HYD).loaded == 2

    assert not differences()


def test_flagged_players_are_not_loaded(quiz: redis.Redis) -> None:
    Player.objects.filter(player_id="ann").update(review_state=ReviewState.FLAGGED)

    assert rebuild().loaded == 2

    assert quiz.zrange(KEYS.live, 0, -1) == ["eve", "bob"]


def test_the_fence_stays_and_late_writers_are_still_refused(quiz: redis.Redis) -> None:
    accept_all(score("ann", -5))
    deliver()
    assert quiz.hgetall(KEYS.fence) == {"ann": "1"}

    rebuild()

    assert quiz.hgetall(KEYS.fence) == {"ann": "1"}
    assert not differences()


def test_a_board_that_nobody_is_on_any_more_goes(quiz: redis.Redis) -> None:
    Player.objects.update(review_state=ReviewState.FLAGGED, epoch=1)
    quiz.hset(DAY_KEYS.fence, "ann", 1)
    quiz.expire(DAY_KEYS.fence, 500)

    assert rebuild("quiz:day:2026-10-19:global").state == "done"

    assert not quiz.exists(DAY_KEYS.live, DAY_KEYS.details, DAY_KEYS.staging, DAY_KEYS.lease)
    assert quiz.ttl(DAY_KEYS.fence) in (499, 500)


def test_a_board_that_nobody_has_scored_on_yet_is_empty_afterwards(quiz: redis.Redis) -> None:
    keys = board_keys("quiz:day:2026-10-20:global")
    quiz.zadd(keys.live, {"nobody": 5})

    assert rebuild("quiz:day:2026-10-20:global").state == "done"

    assert not quiz.exists(keys.live)


@pytest.mark.parametrize("operator", Operator)
def test_every_operator_with_corrections_on_the_way(boards_redis: redis.Redis, operator: Operator) -> None:
    LeaderboardFactory.create(operator=operator, min_points=-1000)
    for points in (10, 30, -5, 20):
        accept_all(*(score(f"player-{n}", points + n, details={"n": n}) for n in range(50)))
    deliver()
    before = everything(boards_redis)
    boards_redis.flushdb()

    assert rebuild().state == "done"

    board, details = (everything(boards_redis)[key] for key in (KEYS.live, KEYS.details))
    assert board == before[KEYS.live]
    assert {player: json.loads(text) for player, text in details[0].items()} == {
        f"player-{n}": {"n": n} for n in range(50)
    }


def test_scores_that_still_wait_are_loaded_and_applied_later(quiz: redis.Redis) -> None:
    accept_all(score("ann", 5), score("new", 7))

    deliver()
    rebuild()

    assert not OutboxEvent.objects.waiting().exists()
    assert not differences()


def test_a_total_that_fits_into_no_score_is_left_out_and_said(quiz: redis.Redis) -> None:
    Total.objects.filter(player__player_id="ann").update(points=10**8)

    job = rebuild()

    assert (job.state, job.unshown, job.loaded) == ("done", 1, 2)
    assert job.problem == "1 totals fit into no score and are not shown"
    assert quiz.zrange(KEYS.live, 0, -1) == ["eve", "bob"]


def test_a_season_is_rebuilt_too(quiz: redis.Redis) -> None:
    LeaderboardFactory.create(slug="race", period_kinds=["season"])
    open_season("race", "s1", NOW - timedelta(days=1))
    accept_all(score("ann", 5, leaderboard="race"))
    deliver()
    quiz.delete("lb:race:s1:global")

    assert rebuild("race:s1:global").state == "done"

    assert quiz.zrange("lb:race:s1:global", 0, -1) == ["ann"]


def test_many_boards_of_one_request(quiz: redis.Redis) -> None:
    quiz.flushdb()

    asked = ask("quiz:all:global", HYD, "quiz:all:city:pune", "quiz:day:global")
    work()

    assert len({job.request for job in asked}) == 1
    for job in asked:
        job.refresh_from_db()
        assert job.state == "done"
