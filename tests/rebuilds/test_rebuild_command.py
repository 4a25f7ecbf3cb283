"""manage.py rebuild_board: works by itself, without any worker."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NoReturn

import pytest
import redis
from django.core.management import call_command
from django.core.management.base import CommandError

from rebuilds import driving
from rebuilds.models import BoardJob
from rebuilds.running import Turn, run_turn
from scoring.models import Total
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "quiz:all:global"


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd"}) for n in range(5)))
    deliver()
    boards_redis.flushdb()
    return boards_redis


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize("arguments", [(BOARD, "quiz:all:city:hyd"), ("--leaderboard", "quiz"), ("--all",)])
def test_boards_are_rebuilt_with_a_line_for_each(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    call_command("rebuild_board", *arguments)

    lines = sorted(capsys.readouterr().out.splitlines())
    assert [line.partition(":")[2].split(" players")[0] for line in lines] == [
        "all:city:hyd done: 5",
        "all:global done: 5",
    ]
    assert not differences()


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), "name boards, or --leaderboard, or --all"),
        ((BOARD, "--all"), "name boards, or --leaderboard, or --all"),
        (("quiz:s9:global",), "quiz has no period 's9'"),
        (("--leaderboard", "nothing"), "there is no leaderboard 'nothing'"),
    ],
)
def test_what_can_not_be_is_one_sentence(arguments: tuple[str, ...], error: str) -> None:
    with pytest.raises(CommandError, match=error):
        call_command("rebuild_board", *arguments)

    assert not BoardJob.objects.exists()


@pytest.mark.usefixtures("quiz")
def test_one_that_fails_is_told_and_the_others_are_done() -> None:
    Total.objects.update(points=0)
    (job,) = BoardJob.objects.bulk_create(
        [BoardJob(kind="rebuild", board="gone:all:global", request="0" * 32, asked_by="x", asked_at=NOW)]
    )

    call_command("rebuild_board", BOARD)

    assert BoardJob.objects.get(board=BOARD).state == "done"
    # Whatever else waits is worked on too.
    job.refresh_from_db()
    assert job.state == "failed"


@pytest.mark.usefixtures("quiz")
def test_a_failed_rebuild_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rebuilds.running.MOST_ATTEMPTS", 0)

    with pytest.raises(CommandError, match=r"quiz:all:global failed: no progress in 0 attempts"):
        call_command("rebuild_board", BOARD)


def test_ctrl_c_cancels_and_leaves_nothing(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(turn: Turn, clock: Callable[[], datetime], claim: timedelta, seconds: float) -> NoReturn:
        run_turn(turn, clock, claim, 0)
        assert quiz.exists(f"{{lb:{BOARD}}}:lease")
        raise KeyboardInterrupt

    monkeypatch.setattr(driving, "run_turn", interrupted)

    with pytest.raises(SystemExit):
        call_command("rebuild_board", BOARD)

    assert BoardJob.objects.get().state == "cancelled"
    assert quiz.keys() == []
