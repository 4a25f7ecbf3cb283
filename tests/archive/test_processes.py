"""Closing by real processes, which race and are killed."""

import os
import re
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, transaction

from boards.models import ArchivedBoard, ArchivedEntry, ArchivedPeriod
from rebuilds.models import PeriodNotice
from scoring.models import Period
from tests.archive.past import DAY, closing_of
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.waiting_locks import waiting_for_a_lock

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

DAYS = 5
PLAYERS = 20


@pytest.fixture
def after_the_outage() -> datetime:
    """Five days that ended while nothing ran."""
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"])
    for number in range(DAYS):
        scores = (score(f"player-{player}", player, segments={"city": "hyd"}) for player in range(PLAYERS))
        accept_all(*scores, now=NOW + number * DAY)
    return closing_of(Period.objects.order_by("starts_at").last() or Period()) + 30 * DAY


def start(now: datetime) -> subprocess.Popen[str]:
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{settings.DATABASES['default']['NAME']}").geturl()
    return subprocess.Popen(
        [sys.executable, "-m", "tests.archive.closer", now.isoformat()],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url},
        stdout=subprocess.PIPE,
        text=True,
    )


def archived_by(process: subprocess.Popen[str]) -> int:
    output, _ = process.communicate(timeout=60)
    found = re.search(r"^archived: (\d+)$", output, re.MULTILINE)
    assert process.returncode == 0, output
    assert found, output
    return int(found[1])


def assert_all_archived_once() -> None:
    assert PeriodNotice.objects.filter(kind="period.closed").count() == PeriodNotice.objects.count() == DAYS
    assert ArchivedPeriod.objects.filter(archived_at__isnull=False).count() == DAYS
    assert ArchivedBoard.objects.count() == 2 * DAYS
    assert ArchivedEntry.objects.count() == 2 * DAYS * PLAYERS


def test_periods_that_ended_while_everything_was_off_are_archived_exactly_once_by_two_racing_processes(
    after_the_outage: datetime,
) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        # Both get to the first period, and wait there for each other's start.
        cursor.execute("LOCK TABLE boards_archivedperiod IN EXCLUSIVE MODE")
        processes = [start(after_the_outage) for _ in range(2)]
        eventually(lambda: waiting_for_a_lock() == 2, "the two did not get going")

    assert sum(archived_by(process) for process in processes) == DAYS
    assert_all_archived_once()


def test_a_process_that_is_killed_at_work_leaves_nothing_half(after_the_outage: datetime) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        # The entries of the first period can't be written: it is killed right there.
        cursor.execute("LOCK TABLE boards_archivedentry IN SHARE MODE")
        killed = start(after_the_outage)
        eventually(lambda: waiting_for_a_lock() > 0, "it did not get to the entries")
        killed.send_signal(signal.SIGKILL)
        killed.communicate(timeout=60)
    eventually(lambda: not at_work(), "its transaction did not end")

    assert not ArchivedBoard.objects.exists()
    assert not ArchivedEntry.objects.exists()
    assert not PeriodNotice.objects.exists()
    assert archived_by(start(after_the_outage + timedelta(seconds=2))) == DAYS
    assert_all_archived_once()


def at_work() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '-- archive_period%' AND state <> 'idle')"
        )
        (works,) = cursor.fetchone()
    return bool(works)
