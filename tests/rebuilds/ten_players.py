"""Ten players of hyd, all boards as they should be but for a ghost; read in portions of two, so that a step of no time takes one."""

import pytest
import redis

from boards.keys import board_keys
from rebuilds.models import BoardJob
from rebuilds.running import Turn
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import CLAIM, ask, run, sweep

BOARD = "quiz:all:global"
HYD = "quiz:all:city:hyd"
KEYS = board_keys(BOARD)
LATER = NOW + CLAIM


@pytest.fixture(name="quiz")
def quiz_of_ten(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> redis.Redis:
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"])
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd"}) for n in range(10)))
    deliver()
    boards_redis.zadd(KEYS.live, {"ghost": 1})
    monkeypatch.setattr("rebuilds.truth.TOTALS_AT_ONCE", 2)
    return boards_redis


def fresh(job: BoardJob) -> BoardJob:
    return BoardJob.objects.get(pk=job.pk)


def begin(portions: int = 1) -> tuple[BoardJob, Turn]:
    """A rebuild of BOARD with so many portions loaded, and its next turn."""
    (job,) = ask(BOARD)
    (turn,) = sweep()
    for _ in range(portions):
        following = run(turn, seconds=0)
        assert following is not None
        turn = following
    return job, turn


def leftovers(client: redis.Redis) -> list[str]:
    """What rebuilds have left beside the boards, which have fences and details of their own."""
    return [key for key in client.scan_iter("{lb:*") if not key.endswith((":fence", ":details"))]
