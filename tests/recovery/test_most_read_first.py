"""Reads are counted, kept in PostgreSQL, and tell in which order lost boards are rebuilt."""

import math
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NoReturn

import pytest
import redis
from django.contrib.auth import get_user_model
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from boards import read_counts as counting
from boards.models import BoardReads
from boards.read_counts import load_heats, load_reads_a_minute, read_counts, save_counted_reads
from leaderboard_site.door.read_saver import ReadSaver
from rebuilds.models import BoardJob
from rebuilds.selection import all_boards, most_read_first
from tests.api import get, post
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.recovery.by_hand import go_on, look, noted

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
HYD, PUNE, EVERYBODY = "quiz:all:city:hyd", "quiz:all:city:pune", "quiz:all:global"


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    read_counts.take()
    yield
    read_counts.take()


@pytest.fixture
def quiz() -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", segments={"city": "hyd"}), score("bob", segments={"city": "pune"}))
    deliver()


def read(board_id: str, times: int, now: Any = NOW) -> None:
    read_counts.count(board_id, times)
    save_counted_reads(now)


def order() -> list[str]:
    return [board.id for board in most_read_first(all_boards(NOW), NOW)]


def test_every_question_about_a_board_is_counted_under_its_full_id(quiz: None) -> None:
    for path in ("", "/top", "/top", "/players/ann", "/players/nobody"):
        get(f"leaderboards/{HYD}{path}")
    post(f"leaderboards/{HYD}/ranks", {"player_ids": ["ann"]})
    post(f"leaderboards/{HYD}/friends", {"player_id": "ann", "friend_ids": []})
    get("leaderboards/quiz:nothing:global/top")

    assert read_counts.take() == {HYD: 7}


def test_closed_boards_are_not_counted() -> None:
    LeaderboardFactory.create(period_kinds=["day"])
    get("leaderboards/quiz:day:2026-01-01:global/top")
    get("leaderboards/quiz:day:global/top")

    assert len(read_counts.take()) == 1


def test_boards_are_rebuilt_in_the_order_of_their_reads_and_the_rest_as_usual(quiz: None) -> None:
    assert order() == [EVERYBODY, HYD, PUNE]
    read(PUNE, 2)
    assert order() == [PUNE, EVERYBODY, HYD]
    read(EVERYBODY, 3)
    assert order() == [EVERYBODY, PUNE, HYD]


def test_an_emptied_redis_takes_no_counts_along(quiz: None, boards_redis: redis.Redis) -> None:
    look()
    read(PUNE, 20)
    read(HYD, 10)
    boards_redis.flushall()
    noted()
    go_on()

    assert list(BoardJob.objects.order_by("id").values_list("board", flat=True)) == [PUNE, HYD, EVERYBODY]


def test_what_several_processes_count_adds_up_in_any_order(quiz: None) -> None:
    read(HYD, 70)
    read(PUNE, 100)
    # Of a process whose clock is behind.
    read(HYD, 70, NOW - timedelta(seconds=1))

    assert order() == [HYD, PUNE, EVERYBODY]


def test_yesterdays_favourite_fades(quiz: None) -> None:
    read(HYD, 1_000_000, NOW - 24 * HOUR)
    read(PUNE, 1)
    assert order() == [PUNE, EVERYBODY, HYD]


def test_a_read_counts_half_after_an_hour(quiz: None) -> None:
    read(HYD, 30, NOW - HOUR)
    read(PUNE, 16)
    assert order()[0] == PUNE
    read(PUNE, 1, NOW - HOUR)
    read(HYD, 2)
    assert order()[0] == HYD


def test_boards_that_are_hardly_read_are_forgotten() -> None:
    read(HYD, 1, NOW - 3 * HOUR)
    read(PUNE, 9, NOW - 3 * HOUR)
    save_counted_reads(NOW)

    assert set(load_heats()) == {PUNE}


def test_boards_that_are_asked_for_at_random_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_BOARDS", 3)
    for board_id in ("a", "b", "a", "c", "d", "e", "a"):
        read_counts.count(board_id)

    assert read_counts.take() == {"a": 3, "b": 1, "c": 1}


def test_a_steady_pace_is_shown_as_it_is() -> None:
    for minute in range(12 * 60):
        read_counts.count(HYD, 40)
        read_counts.count("cup:all:global", 7)
        save_counted_reads(NOW + timedelta(minutes=minute))

    now = NOW + timedelta(minutes=12 * 60)
    assert load_reads_a_minute(now) == {"quiz": pytest.approx(40, rel=0.03), "cup": pytest.approx(7, rel=0.03)}


def test_operators_see_reads_a_minute(client: Client) -> None:
    read(HYD, 60_000, timezone.now())
    read(PUNE, 6_000, timezone.now())
    client.force_login(get_user_model().objects.create_superuser("admin"))

    page = client.get("/admin/boards/boardreads/").content.decode()
    figures = client.get("/metrics").content.decode()

    assert page.index(HYD) < page.index(PUNE)
    (pace,) = [line for line in figures.splitlines() if line.startswith("leaderboard_board_reads_per_minute{")]
    assert pace.startswith('leaderboard_board_reads_per_minute{leaderboard="quiz"} 7')


@pytest.mark.django_db(transaction=True)
def test_while_postgresql_is_away_reads_go_on_and_their_counts_are_kept(quiz: None) -> None:
    def away(*_: Any) -> NoReturn:
        raise OperationalError("away")

    with connection.execute_wrapper(away):
        assert get(f"leaderboards/{HYD}/top").status_code == 200
        with pytest.raises(OperationalError):
            save_counted_reads(NOW)
        get(f"leaderboards/{HYD}/top")
    save_counted_reads(NOW)

    assert load_heats() == {HYD: pytest.approx(math.log2(2) + NOW.timestamp() / 3600)}


@pytest.mark.django_db(transaction=True)
def test_a_web_process_saves_once_in_a_while_and_goes_on_after_a_failure(
    quiz: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([OperationalError("away"), RuntimeError("whatever")])

    def save(now: Any) -> None:
        for failure in failures:
            raise failure
        save_counted_reads(now)

    monkeypatch.setattr("leaderboard_site.door.read_saver.save_counted_reads", save)
    read_counts.count(HYD, 5)
    saver = ReadSaver(every_seconds=0.01)
    try:
        eventually(BoardReads.objects.exists, "the counts are not saved")
    finally:
        saver.close()
        saver._thread.join()

    assert set(load_heats()) == {HYD}
