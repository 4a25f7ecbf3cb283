"""The rebuilding worker dies by SIGKILL at random moments, again and again."""

import os
import random
import signal
import time
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
import redis
from django.db import connection
from django.utils import timezone

from boards.keys import board_keys
from rebuilds.models import BoardJob
from scoring.period_rows import open_period
from scoring.periods import ALL_TIME
from tests.boards_truth import differences
from tests.factories import LeaderboardFactory
from tests.faults.waiting import eventually
from tests.rebuilds.crowd import fill
from tests.rebuilds.mortal_workers import nursery
from tests.rebuilds.working import ask

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BOARD = "quiz:all:global"
KEYS = board_keys(BOARD)
KILLS = 20
PLAYERS = 30_000
OLD_BOARD = {"quiz-1": 5.0, "quiz-2": 6.0, "ghost": 7.0}


def database_url() -> str:
    """Of the database that the tests are in."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    return urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))


def unbounded(client: redis.Redis) -> list[str]:
    """Keys of the board that are not its own two, and would stay for ever."""
    return [key for key in client.scan_iter("*lb:*") if key not in (KEYS.live, KEYS.fence) and client.ttl(key) == -1]


def test_the_live_board_is_untouched_nothing_is_left_for_ever_and_the_rebuild_ends_clean(
    boards_redis: redis.Redis,
) -> None:
    leaderboard = LeaderboardFactory.create()
    open_period(leaderboard.pk, ALL_TIME)
    fill("quiz", PLAYERS)
    boards_redis.zadd(KEYS.live, OLD_BOARD)
    moments = random.Random(11)
    (job,) = ask(BOARD, now=timezone.now())
    turns = 0

    def has_gone_on() -> bool:
        return bool(BoardJob.objects.filter(pk=job.pk, turn__gt=turns).exclude(state="waiting"))

    with nursery(database_url()) as workers:
        for _ in range(KILLS):
            worker = workers.start_worker()
            eventually(has_gone_on, "nobody works on the rebuild")
            time.sleep(moments.uniform(0, 0.4))
            os.kill(worker, signal.SIGKILL)
            job.refresh_from_db()
            shown: Any = boards_redis.zrange(KEYS.live, 0, -1, withscores=True)
            assert dict(shown) == OLD_BOARD or len(shown) == PLAYERS
            assert unbounded(boards_redis) == []
            if job.finished_at is not None:
                # Quicker than death, or killed too often to get on: the next one is asked for.
                (job,) = ask(BOARD, now=timezone.now())
            turns = job.turn
        workers.start_worker()
        eventually(lambda: BoardJob.objects.get(pk=job.pk).finished_at, "the rebuild does not end")

    job.refresh_from_db()
    assert (job.state, job.difference_count, job.verified) == ("done", 0, PLAYERS)
    assert differences() == []
    assert list(boards_redis.scan_iter("{lb:*")) == []
