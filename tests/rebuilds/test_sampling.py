"""Random samples each minute, and the verification of every night: drift becomes a figure."""

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone

from boards.keys import board_keys
from rebuilds.models import BoardJob, Sample
from rebuilds.nightly import ask_nightly_verification
from rebuilds.sampling import sample_boards
from scoring.models import Leaderboard, Player, ReviewState
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import work

pytestmark = pytest.mark.django_db

KEYS = board_keys("quiz:all:global")
FOUR = NOW.replace(hour=4)


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"])
    Leaderboard.objects.update(created_at=FOUR - timedelta(days=30))
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd"}) for n in range(4)))
    deliver()
    return boards_redis


def sample() -> tuple[int, int]:
    sample_boards(NOW)
    row = Sample.objects.get(leaderboard__slug="quiz")
    return row.compared, row.differing


def metrics() -> dict[str, float]:
    response: Any = Client().get("/metrics")
    lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_boards_that_are_right_have_no_differing_entries(quiz: redis.Redis) -> None:
    assert sample() == (16, 0)


def test_missing_and_extra_entries_are_drawn_from_rows_and_board(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-1")
    quiz.zadd(board_keys("quiz:all:city:hyd").live, {"ghost": 5})

    assert sample() == (17, 2)


def test_a_flagged_player_that_is_still_shown_differs(quiz: redis.Redis) -> None:
    Player.objects.filter(player_id="player-1").update(review_state=ReviewState.FLAGGED)

    assert sample()[1] == 4


def test_of_many_players_some_are_drawn(quiz: redis.Redis) -> None:
    accept_all(*(score(f"other-{n}", n) for n in range(500)))
    deliver()
    quiz.delete(KEYS.live)

    compared, differing = sample()

    assert 50 < differing < 110
    assert compared < 700


def test_samples_are_metrics(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-1")
    sample()

    figures = metrics()

    assert figures['leaderboard_sample_entries{leaderboard="quiz"}'] == 16
    assert figures['leaderboard_sample_differing_entries{leaderboard="quiz"}'] == 1
    assert figures['leaderboard_sample_age_seconds{leaderboard="quiz"}'] > 0


@pytest.mark.usefixtures("quiz")
def test_every_board_is_verified_once_a_night() -> None:
    assert ask_nightly_verification(FOUR, hour=3) == 4
    assert ask_nightly_verification(FOUR + timedelta(minutes=5), hour=3) == 0
    assert ask_nightly_verification(FOUR + timedelta(hours=22), hour=3) == 0
    assert ask_nightly_verification(FOUR + timedelta(days=1), hour=3) > 0


@pytest.mark.usefixtures("quiz")
def test_a_night_without_the_site_is_made_up_for() -> None:
    ask_nightly_verification(FOUR - timedelta(days=2), hour=3)

    assert ask_nightly_verification(FOUR.replace(hour=1), hour=3) > 0


@pytest.mark.usefixtures("quiz")
def test_a_night_before_the_site_is_not() -> None:
    Leaderboard.objects.update(created_at=FOUR.replace(hour=0))

    assert ask_nightly_verification(FOUR.replace(hour=1), hour=3) == 0
    assert ask_nightly_verification(FOUR, hour=3) > 0


def test_what_a_night_finds_is_a_metric_until_it_is_put_right(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-1")
    now = FOUR + timedelta(days=60)
    ask_nightly_verification(now, hour=3)
    work(now)
    BoardJob.objects.update(finished_at=timezone.now())

    assert metrics()['leaderboard_verified_differing_entries{leaderboard="quiz"}'] == 1


@pytest.mark.usefixtures("quiz")
def test_old_jobs_are_forgotten() -> None:
    ask_nightly_verification(FOUR, hour=3)
    work(FOUR)

    ask_nightly_verification(FOUR + timedelta(days=31), hour=3)

    assert not BoardJob.objects.filter(asked_at=FOUR).exists()


@pytest.mark.usefixtures("quiz")
def test_unfinished_and_failed_jobs_are_metrics() -> None:
    ask_nightly_verification(FOUR, hour=3)
    BoardJob.objects.filter(board="quiz:all:global").update(state="failed", finished_at=timezone.now())

    figures = metrics()

    assert figures['leaderboard_board_jobs_unfinished{kind="verify"}'] == 3
    assert figures['leaderboard_board_jobs_failed{kind="verify"}'] == 1
    assert figures['leaderboard_board_jobs_unfinished{kind="rebuild"}'] == 0
