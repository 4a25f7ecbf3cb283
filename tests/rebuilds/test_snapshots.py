"""Snapshots: of one moment between two transactions of the ledger, exactly one of them, never half of one."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from rebuilds import snapshot_pruning, snapshots
from rebuilds.snapshots import SnapshotUnderWay, finish_snapshots, take_due_snapshots, take_snapshot
from scoring.models import Leaderboard, SnapshotEntry, SnapshotPeriod, StandingsSnapshot, Total
from scoring.setup import open_season
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.moderation import acts
from tests.rebuilds.test_killed import database_url
from tests.waiting_locks import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
HYD, PNQ = {"city": "hyd"}, {"city": "pnq"}


@pytest.fixture
def quiz() -> Leaderboard:
    quiz = LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"])
    accept_all(score("ann", 30, segments=HYD), score("bob", 20, segments=PNQ), score("eve", 20, segments=HYD))
    return quiz


def take(quiz: Leaderboard) -> StandingsSnapshot:
    snapshot = take_snapshot(quiz, lambda: NOW)
    assert snapshot is not None
    return snapshot


def standings(snapshot: StandingsSnapshot, label: str = "all") -> dict[str, tuple[int, int, dict[str, int]]]:
    """Points, acceptance number and rank by scope of each player."""
    entries = SnapshotEntry.objects.filter(snapshot_period__snapshot=snapshot, snapshot_period__period__label=label)
    return {
        entry.player.player_id: (entry.points, entry.accept_no, dict(zip(entry.scopes, entry.ranks, strict=True)))
        for entry in entries.select_related("player")
    }


def in_a_thread(act: Callable[[], Any]) -> Any:
    def call() -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()


def test_it_holds_totals_and_the_rank_on_each_board(quiz: Leaderboard) -> None:
    snapshot = take(quiz)

    numbers = dict(Total.objects.filter(period__label="all").values_list("player__player_id", "accept_no"))
    assert (
        standings(snapshot)
        == standings(snapshot, "day:2026-10-19")
        == {
            "ann": (30, numbers["ann"], {"global": 1, "city:hyd": 1}),
            "bob": (20, numbers["bob"], {"global": 2, "city:pnq": 1}),
            "eve": (20, numbers["eve"], {"global": 3, "city:hyd": 2}),
        }
    )
    assert snapshot.accept_no == max(numbers.values())
    assert (snapshot.player_count, snapshot.entry_count, snapshot.finished_at) == (3, 6, NOW)


def test_the_flagged_keep_their_total_and_have_no_rank(quiz: Leaderboard) -> None:
    acts.flag("ann")

    found = standings(take(quiz))

    assert found["ann"][0] == 30
    assert found["ann"][2] == {}
    assert found["bob"][2] == {"global": 1, "city:pnq": 1}


def test_periods_that_are_over_are_left_to_the_archive(quiz: Leaderboard) -> None:
    snapshot = take_snapshot(quiz, lambda: NOW + timedelta(days=1))

    assert [one.period.label for one in SnapshotPeriod.objects.filter(snapshot=snapshot)] == ["all"]


def test_of_two_workers_one_takes_it(quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch) -> None:
    original = snapshots._copy

    def copy_beside_another(*given: Any) -> None:
        with pytest.raises(SnapshotUnderWay):
            in_a_thread(lambda: take_snapshot(quiz, lambda: NOW, HOUR))
        assert in_a_thread(lambda: take_due_snapshots(lambda: NOW, HOUR)) == 0
        original(*given)

    monkeypatch.setattr(snapshots, "_copy", copy_beside_another)

    assert take_due_snapshots(lambda: NOW, HOUR) == 1
    monkeypatch.undo()
    assert take_snapshot(quiz, lambda: NOW, HOUR) is None
    assert StandingsSnapshot.objects.count() == 1


def test_a_worker_that_dies_while_copying_leaves_nothing(quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch) -> None:
    original = snapshots._copy

    def copy_and_die(*given: Any) -> None:
        original(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "_copy", copy_and_die)
        with pytest.raises(KeyboardInterrupt):
            take(quiz)

    assert not StandingsSnapshot.objects.exists()
    assert not SnapshotEntry.objects.exists()
    assert take_due_snapshots(lambda: NOW, HOUR) == 1


@pytest.mark.slow
def test_a_process_that_is_killed_while_copying_holds_up_nobody(quiz: Leaderboard) -> None:
    command = [sys.executable, "manage.py", "take_snapshot", "quiz"]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE scoring_snapshotperiod IN EXCLUSIVE MODE")
        worker = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": database_url()})
        eventually(waiting_for_a_lock, "nothing is copied")
        assert in_a_thread(lambda: accept_all(score("meanwhile", 5)))
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    eventually(lambda: take_due_snapshots(lambda: NOW, HOUR), "the dead worker is in the way")

    assert StandingsSnapshot.objects.count() == 1
    assert "meanwhile" in standings(StandingsSnapshot.objects.get())


def test_one_that_was_not_finished_is_not_whole_until_another_worker_finishes_it(
    quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "finish_snapshot", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            take(quiz)
    assert not StandingsSnapshot.objects.whole()

    assert finish_snapshots(NOW) == 1

    assert StandingsSnapshot.objects.whole().count() == 1
    assert finish_snapshots(NOW) == 0


def test_it_is_taken_again_when_it_is_old_enough(quiz: Leaderboard) -> None:
    assert take_due_snapshots(lambda: NOW, HOUR) == 1
    assert take_due_snapshots(lambda: NOW + HOUR / 2, HOUR) == 0
    assert take_due_snapshots(lambda: NOW + HOUR, HOUR) == 1


def test_who_is_erased_leaves_no_details_in_snapshots_old_and_new(
    quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the erasure comes while the copy, which sees the moment before, is being made."""
    accept_all(score("ann", 50, details={"by": "bicycle"}), score("zoe", 60, details={"by": "boat"}))
    accept_all(score("eve", 1, details={"by": "foot"}))
    take(quiz)
    original = snapshots._copy

    erased: list[Any] = []

    def copy_while_one_is_erased(*given: Any) -> None:
        if not erased:
            erased.append(in_a_thread(lambda: acts.merge("eve", "zoe")))
            erased.append(in_a_thread(lambda: acts.erase("zoe")))
        original(*given)

    proof = acts.erase("ann").correction.erasure.proof
    monkeypatch.setattr(snapshots, "_copy", copy_while_one_is_erased)
    take(quiz)

    assert proof["snapshot_details"] == 2
    assert erased
    assert not SnapshotEntry.objects.filter(details__isnull=False).exists()


def test_older_ones_go_in_small_steps_and_the_newest_stay(quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_pruning, "ENTRIES_A_STEP", 2)
    oldest, *newest = (take(quiz) for _ in range(3))

    assert snapshot_pruning.prune_snapshots(NOW, kept=2, seconds=-1) == 2
    assert list(StandingsSnapshot.objects.whole()) == newest[::-1]
    assert SnapshotEntry.objects.filter(snapshot_period__snapshot=oldest).count() == 4

    assert snapshot_pruning.prune_snapshots(NOW, kept=2, seconds=5) == 4
    assert list(StandingsSnapshot.objects.order_by("pk")) == newest
    assert SnapshotEntry.objects.count() == 12
    assert snapshot_pruning.prune_snapshots(NOW, kept=2, seconds=5) == 0


def test_the_newest_whole_one_stays_while_a_newer_one_is_not_finished(quiz: Leaderboard) -> None:
    older, whole, newer = (take(quiz) for _ in range(3))
    StandingsSnapshot.objects.filter(pk=newer.pk).update(finished_at=None)

    snapshot_pruning.prune_snapshots(NOW, kept=1, seconds=5)

    assert list(StandingsSnapshot.objects.order_by("pk")) == [whole, newer]
    assert older.pk < whole.pk


def test_operators_see_them_in_the_admin(quiz: Leaderboard, admin_client: Client) -> None:
    snapshot = take(quiz)

    for page in ("", f"{snapshot.pk}/change/"):
        response = admin_client.get(f"/admin/scoring/standingssnapshot/{page}")
        assert response.status_code == 200
        assert str(snapshot.accept_no) in response.content.decode()


def test_metrics_tell_how_old_the_newest_whole_one_is(quiz: Leaderboard, client: Client) -> None:
    now = timezone.now()
    for age, finished_at in ((2 * HOUR, now), (HOUR, now), (HOUR / 2, None)):
        snapshot = take(quiz)
        StandingsSnapshot.objects.filter(pk=snapshot.pk).update(taken_at=now - age, finished_at=finished_at)

    lines = client.get("/metrics").content.decode().splitlines()

    (line,) = [line for line in lines if line.startswith('leaderboard_snapshot_age_seconds{leaderboard="quiz"}')]
    assert float(line.rpartition(" ")[2]) == pytest.approx(3600, abs=60)


def test_seasons_that_begin_later_are_in_it_with_nobody() -> None:
    quiz = LeaderboardFactory.create(period_kinds=["season"])
    open_season("quiz", "s42", NOW + HOUR, NOW + 2 * HOUR)

    assert take(quiz).entry_count == 0
    assert SnapshotPeriod.objects.count() == 1


def test_the_command_says_what_it_took(quiz: Leaderboard) -> None:
    out = StringIO()

    call_command("take_snapshot", "quiz", stdout=out)

    assert out.getvalue().startswith("quiz: snapshot")
    assert "3 totals of up to 3 players" in out.getvalue()


@pytest.mark.parametrize("arguments", [(), ("quiz", "--all"), ("nothing",)])
def test_the_command_refuses_what_it_does_not_understand(quiz: Leaderboard, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"name leaderboards, or --all|no leaderboard 'nothing'"):
        call_command("take_snapshot", *arguments)
