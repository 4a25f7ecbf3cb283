"""beat is told to end while it is in the midst of something."""

import os
import signal

import pytest
from django.db import connection, transaction

from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow


def someone_waits_for_the_schedule() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'django_celery_beat_periodictask'::regclass"
        )
        (waiting,) = cursor.fetchone()
    return bool(waiting)


def test_told_amid_a_query_of_its_start_it_ends_without_a_word(site: RunningSite) -> None:
    site.kill("beat")
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE django_celery_beat_periodictask")
        site.start("beat")
        eventually(someone_waits_for_the_schedule, "beat does not read its schedule")
        process_id = site.process_ids()["beat"]
        assert process_id is not None

        os.kill(process_id, signal.SIGTERM)

    eventually(lambda: site.process_ids()["beat"] is None, "beat does not end", 10)
    # Neither a traceback nor a connection that was broken off; when all is well, beat says nothing.
    assert (site.directory / "beat.log").read_text() == ""
