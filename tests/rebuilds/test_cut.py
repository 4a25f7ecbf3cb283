"""The cut of a snapshot falls between two transactions of the ledger, and hardly anybody waits for it."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Max, Sum

from rebuilds import snapshots
from rebuilds.snapshots import take_due_snapshots
from scoring.ledger_locks import LedgerBusy
from scoring.models import Leaderboard, ScoreEvent, SnapshotEntry, StandingsSnapshot
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.rebuilds.test_snapshots import HOUR, in_a_thread, standings, take
from tests.waiting_locks import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

SERVERS = 3
SNAPSHOTS = 8


@pytest.fixture
def quiz() -> Leaderboard:
    return LeaderboardFactory.create(period_kinds=["day", "all"])


class HeldBack:
    """A score whose transaction ends when it may."""

    def __init__(self) -> None:
        self.is_written = threading.Event()
        self.may_commit = threading.Event()

    def accept(self) -> int:
        try:
            with transaction.atomic():
                (stored,) = accept_all(score("slow", 50))
                self.is_written.set()
                assert self.may_commit.wait(10)
            return stored.accept_no
        finally:
            connection.close()


def test_a_score_that_is_being_accepted_is_waited_for_and_one_that_comes_later_is_not_in_it(
    quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cut falls between two transactions: the one under way is in it with its number, the next one has a larger number."""
    held_back = HeldBack()
    original = snapshots._copy
    later: list[int] = []

    def copy_while_scores_arrive(*given: Any) -> None:
        if not later:
            later.append(in_a_thread(lambda: accept_all(score("late", 99)))[0].accept_no)
        original(*given)

    monkeypatch.setattr(snapshots, "_copy", copy_while_scores_arrive)
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(held_back.accept)
        assert held_back.is_written.wait(10)
        taking = pool.submit(in_a_thread, lambda: take(quiz))
        eventually(waiting_for_a_lock, "the snapshot does not wait for the score")
        held_back.may_commit.set()
        under_way = slow.result()
        snapshot = taking.result()

    assert under_way <= snapshot.accept_no < later[0]
    assert standings(snapshot)["slow"][1] == under_way
    assert "late" not in standings(snapshot)


def test_beside_servers_that_never_pause_each_holds_every_event_up_to_its_number_and_none_above(
    quiz: Leaderboard,
) -> None:
    """Numbers are not in the order of commits."""
    is_over = threading.Event()
    taken: list[StandingsSnapshot] = []

    def serve(seed: int) -> None:
        dice = random.Random(seed)
        try:
            while not is_over.is_set():
                with transaction.atomic():
                    accept_all(*(score(f"player-{dice.randrange(30)}", 1) for _ in range(dice.randrange(1, 9))))
        finally:
            connection.close()

    with ThreadPoolExecutor(SERVERS) as servers:
        serving = [servers.submit(serve, seed) for seed in range(SERVERS)]
        try:
            taken += [take(quiz) for _ in range(SNAPSHOTS)]
        finally:
            is_over.set()
        for one in serving:
            one.result()

    assert taken[0].accept_no < taken[-1].accept_no
    for snapshot in taken:
        events = ScoreEvent.objects.filter(accept_no__lte=snapshot.accept_no).order_by()
        true = events.values("player_id").annotate(points=Sum("points"), accept_no=Max("accept_no"))
        entries = SnapshotEntry.objects.filter(snapshot_period__snapshot=snapshot, snapshot_period__period__label="all")
        assert set(entries.values_list("player_id", "points", "accept_no")) == {
            (one["player_id"], one["points"], one["accept_no"]) for one in true
        }


def test_a_transaction_that_does_not_end_is_not_waited_for(quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that come meanwhile wait behind it."""
    monkeypatch.setattr(snapshots, "WRITERS_WAIT_MS", 50)
    stuck = HeldBack()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(stuck.accept)
        assert stuck.is_written.wait(10)
        with pytest.raises(LedgerBusy):
            take(quiz)
        assert take_due_snapshots(lambda: NOW, HOUR) == 0
        stuck.may_commit.set()
        slow.result()

    assert take_due_snapshots(lambda: NOW, HOUR) == 1
