"""What nobody waits for makes room while scores pour in."""

import itertools
from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from rebuilds import snapshot_pruning
from rebuilds.jobs import load_request
from rebuilds.leisure import MOST_REST_SECONDS, Leisure
from rebuilds.models import BoardJob
from rebuilds.nightly import ASKED_BY, ask_nightly_verification
from rebuilds.previous_ranks import show_previous_ranks
from rebuilds.snapshots import take_snapshot
from scoring.models import Leaderboard
from scoring.traffic import Traffic
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.ten_players import BOARD, fresh, quiz_of_ten
from tests.rebuilds.working import ask, work

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of each rest, none of which is taken."""
    rests: list[float] = []
    monkeypatch.setattr("rebuilds.leisure.sleep", rests.append)
    return rests


def pour_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look finds a million scores more."""
    numbers = itertools.count(step=1_000_000)
    monkeypatch.setattr("scoring.traffic.newest_accept_no", lambda: next(numbers))


def ask_nightly() -> list[BoardJob]:
    Leaderboard.objects.update(created_at=NOW - timedelta(days=1))
    ask_nightly_verification(NOW, hour=4)
    return load_request(BoardJob.objects.filter(asked_by=ASKED_BY)[0].request)


@pytest.mark.usefixtures("quiz")
def test_a_nightly_verification_rests_after_each_step(monkeypatch: pytest.MonkeyPatch, rests: list[float]) -> None:
    jobs = ask_nightly()
    pour_in(monkeypatch)

    work(seconds=0)

    assert {fresh(job).state for job in jobs} == {"done"}
    # In steps of two of the ten players, on each of the boards.
    assert len(rests) >= 5 * len(jobs)
    assert max(rests) <= MOST_REST_SECONDS


@pytest.mark.usefixtures("quiz")
def test_it_does_not_when_all_is_quiet(rests: list[float]) -> None:
    jobs = ask_nightly()

    work(seconds=0)

    assert {fresh(job).state for job in jobs} == {"done"}
    assert rests == []


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize("kind", ["rebuild", "verify"])
def test_what_somebody_has_asked_for_does_not_rest(
    kind: str, monkeypatch: pytest.MonkeyPatch, rests: list[float]
) -> None:
    (job,) = ask(BOARD, kind=kind)
    pour_in(monkeypatch)

    work(seconds=0)

    assert fresh(job).state == "done"
    assert rests == []


@pytest.mark.usefixtures("quiz")
def test_a_nightly_step_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it rests in time, however long a step may be."""
    monkeypatch.setattr("rebuilds.running.WORK_SECONDS", 0)
    (job,) = (job for job in ask_nightly() if job.board == BOARD)

    work(seconds=60)

    # A turn for each portion of two, and some for the other phase.
    assert fresh(job).turn > 5


@pytest.mark.django_db(transaction=True)
def test_so_do_ranks_of_a_snapshot_and_its_pruning(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch, rests: list[float]
) -> None:
    quiz: Leaderboard = LeaderboardFactory.create(show_previous_rank=True)
    accept_all(*(score(f"player-{n}", 10) for n in range(6)), now=timezone.now())
    monkeypatch.setattr("rebuilds.previous_ranks.ENTRIES_AT_ONCE", 2)
    monkeypatch.setattr(snapshot_pruning, "ENTRIES_A_STEP", 2)
    pour_in(monkeypatch)

    for _ in range(2):
        assert take_snapshot(quiz, timezone.now)
    assert show_previous_ranks(timezone.now()) == 1
    assert len(rests) == 3

    assert snapshot_pruning.prune_snapshots(timezone.now(), kept=1, seconds=60) == 6
    assert len(rests) == 6


def test_a_rest_is_three_times_as_long_as_the_work(monkeypatch: pytest.MonkeyPatch, rests: list[float]) -> None:
    pour_in(monkeypatch)
    monkeypatch.setattr(Traffic, "seconds", 0.1)

    Leisure().rest()

    assert rests == [pytest.approx(0.3)]
