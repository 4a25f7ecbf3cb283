"""The second net: what boards took is applied once more some seconds later, once; with Redis away it comes again."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards import store
from boards.confirming import CONFIRMED_AFTER, confirm_corrections
from boards.store import BoardsUnavailable
from scoring.models import OutboxEvent
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts

pytestmark = pytest.mark.django_db

LATER = NOW + CONFIRMED_AFTER + timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _quiz() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"), score("bob", 20, "m1"), score("bob", 1))
    deliver()


def spoil(client: redis.Redis, *, points: int = 99) -> None:
    """ann is on the board as she must not be."""
    client.zadd("lb:quiz:all:global", {"ann": points * 10**10})


@pytest.mark.parametrize(
    "correct",
    [lambda: acts.flag("ann"), lambda: acts.void("m1"), lambda: acts.erase("ann")],
    ids=["flag", "void", "erase"],
)
def test_a_correction_is_applied_once_more_and_then_never_again(boards_redis: redis.Redis, correct: Any) -> None:
    correct()
    deliver()
    spoil(boards_redis)

    assert confirm_corrections(NOW) == 0, "too early"
    assert confirm_corrections(LATER) == 1
    assert "ann" not in boards_redis.zrange("lb:quiz:all:global", 0, -1)

    spoil(boards_redis)
    assert confirm_corrections(LATER + timedelta(hours=1)) == 0


def test_what_the_boards_have_not_taken_yet_is_not_confirmed() -> None:
    acts.flag("ann")

    assert confirm_corrections(LATER) == 0
    assert not OutboxEvent.objects.filter(confirmed_at__isnull=False).exists()


def test_scores_are_not_applied_twice() -> None:
    accept_all(score("ann", 5))
    deliver()

    assert confirm_corrections(LATER) == 0


def test_with_redis_away_it_comes_again(settings: Any) -> None:
    acts.flag("ann")
    deliver()
    url = settings.REDIS_URL
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    store.forget_server()
    with pytest.raises(BoardsUnavailable):
        confirm_corrections(LATER)
    settings.REDIS_URL = url
    store.forget_server()

    assert confirm_corrections(LATER) == 1
    assert differences() == []
