"""Verification and rebuilds while scores are accepted and applied, always a little late: no false alarms, nothing lost."""

import contextlib
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from django.db import connection
from django.utils import timezone

from boards.board_ids import find_board
from boards.keys import board_keys
from rebuilds.comparing import Difference
from rebuilds.truth import Truth
from rebuilds.verifying import verify_live
from scoring.moderation.decisions import Decision
from scoring.moderation.flagging import flag_player, unflag_player
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask, work

pytestmark = pytest.mark.django_db(transaction=True)

BOARD = "quiz:all:global"
KEYS = board_keys(BOARD)
PLAYERS = 400


@pytest.fixture
def quiz(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> redis.Redis:
    LeaderboardFactory.create(min_points=-1000)
    accept_all(*(score(f"player-{n}", 1000) for n in range(PLAYERS)), score("still", 5000), now=timezone.now())
    deliver(timezone.now())
    monkeypatch.setattr("rebuilds.truth.TOTALS_AT_ONCE", 40)
    return boards_redis


@contextlib.contextmanager
def playing() -> Iterator[None]:
    """Scores, penalties, flags and new players, applied after every third batch; begun when the block does."""
    stopped, begun = threading.Event(), threading.Event()
    choice = random.Random(3)

    def play() -> None:
        try:
            number = 0
            while not stopped.is_set():
                number += 1
                now = timezone.now()
                drawn = [f"player-{choice.randrange(PLAYERS)}" for _ in range(20)]
                accept_all(
                    *(score(player, choice.choice([5, 7, -3])) for player in drawn), score(f"new-{number}"), now=now
                )
                decision = Decision("a test", "a whim", now)
                flag_player(drawn[0], decision)
                unflag_player(drawn[1], decision)
                if number % 3 == 0:
                    deliver(timezone.now())
                    begun.set()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(play)
        try:
            assert begun.wait(30)
            yield
        finally:
            stopped.set()
        running.result()
    deliver(timezone.now())


def verify() -> list[Difference]:
    truth = Truth(find_board(BOARD, timezone.now()))
    return [one for findings in verify_live(truth, timezone.now()) for one in findings.differences]


def test_there_are_no_false_alarms(quiz: redis.Redis) -> None:
    with playing():
        found = [verify() for _ in range(5)]

    assert found == [[]] * 5
    assert verify() == []


def test_what_is_wrong_is_found_all_the_same(quiz: redis.Redis) -> None:
    with playing():
        quiz.zadd(KEYS.live, {"ghost": 5})
        quiz.zincrby(KEYS.live, 1, "still")
        found = verify()

    assert sorted((one.player_id, str(one.kind)) for one in found) == [("ghost", "extra"), ("still", "different")]


def test_rebuilds_end_verified_and_equal_to_the_totals(quiz: redis.Redis) -> None:
    quiz.zadd(KEYS.live, {"ghost": 5})
    with playing():
        asked = []
        for _ in range(3):
            asked += ask(BOARD, now=timezone.now())
            work(timezone.now())

    for job in asked:
        job.refresh_from_db()
        assert (job.state, job.problem, job.difference_count) == ("done", "", 0)
    assert differences() == []
    assert list(quiz.scan_iter("{lb:*}:new*")) == []
