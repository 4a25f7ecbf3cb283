"""Periodic tasks: shipped ones are installed, an operator's changes stay."""

import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

from leaderboard_site.celery import app
from leaderboard_site.schedule import install_schedule

pytestmark = pytest.mark.django_db

SHIPPED: dict[str, dict[str, Any]] = {
    "sweep": {
        "task": "boards.relay_outbox",
        "every_seconds": 1,
        "queue": "live",
        "kwargs": {"queue": "live"},
        "expires_seconds": 5,
    },
}
CHANGED = {"sweep": {**SHIPPED["sweep"], "every_seconds": 2}}


def sweep() -> PeriodicTask:
    return PeriodicTask.objects.get(name="sweep")


def test_a_missing_entry_is_created() -> None:
    done = install_schedule(SHIPPED)

    row = sweep()
    assert done.created == ["sweep"]
    assert (row.task, row.queue, row.expire_seconds, row.enabled) == ("boards.relay_outbox", "live", 5, True)
    assert (row.interval.every, row.interval.period) == (1, "seconds")
    assert json.loads(row.kwargs) == {"queue": "live"}


def test_installing_again_changes_nothing() -> None:
    install_schedule(SHIPPED)
    before = sweep().date_changed

    done = install_schedule(SHIPPED)

    assert (done.created, done.updated, done.kept, done.disabled) == ([], [], [], [])
    assert sweep().date_changed == before


@pytest.mark.parametrize("change", ["enabled", "interval", "kwargs"])
def test_an_operators_change_stays(change: str) -> None:
    install_schedule(SHIPPED)
    row = sweep()
    if change == "enabled":
        row.enabled = False
    elif change == "interval":
        row.interval = IntervalSchedule.objects.create(every=7, period=IntervalSchedule.SECONDS)
    else:
        row.kwargs = '{"queue": "other"}'
    row.save()

    done = install_schedule(CHANGED)

    after = sweep()
    assert done.kept == ["sweep"]
    assert (after.enabled, after.interval, after.kwargs) == (row.enabled, row.interval, row.kwargs)


def test_an_untouched_entry_gets_a_new_default() -> None:
    install_schedule(SHIPPED)

    done = install_schedule(CHANGED)

    assert done.updated == ["sweep"]
    assert sweep().interval.every == 2
    assert install_schedule(CHANGED).kept == []


def test_an_entry_no_longer_shipped_is_disabled_and_comes_back_when_it_is() -> None:
    install_schedule(SHIPPED)

    assert install_schedule({}).disabled == ["sweep"]
    assert not sweep().enabled
    assert install_schedule({}).disabled == []
    assert install_schedule(SHIPPED).updated == ["sweep"]
    assert sweep().enabled


def test_an_operators_own_entry_is_left_alone() -> None:
    interval = IntervalSchedule.objects.create(every=1, period=IntervalSchedule.HOURS)
    PeriodicTask.objects.create(name="report", task="reports.send", interval=interval)

    install_schedule({})

    assert PeriodicTask.objects.get(name="report").enabled


# Beat opens connections as it likes, which a test inside of a transaction does not allow.
@pytest.mark.django_db(transaction=True)
def test_beat_itself_overwrites_nothing() -> None:
    install_schedule(SHIPPED)
    PeriodicTask.objects.filter(name="sweep").update(enabled=False)
    names = set(PeriodicTask.objects.values_list("name", flat=True))

    DatabaseScheduler(app=app, lazy=False)

    assert not sweep().enabled
    assert set(PeriodicTask.objects.values_list("name", flat=True)) == names


def test_every_shipped_task_exists_and_its_queue_too() -> None:
    app.loader.import_default_modules()
    queues = {queue.name for queue in settings.CELERY_TASK_QUEUES}

    for options in settings.PERIODIC_TASKS.values():
        assert options["task"] in app.tasks
        assert options["queue"] in queues


def test_the_command_tells_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("install_schedule")

    assert "periodic tasks created: relay-live, relay-corrections" in capsys.readouterr().out
