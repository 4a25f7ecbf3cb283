"""Install `settings.PERIODIC_TASKS` into django-celery-beat's tables, where operators change them.

Each entry remembers, in its description, a digest of what was shipped. As long as the row still
says what the digest says, nobody has touched it, and a new shipped default replaces it. Otherwise
the operator's version stays.
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django_celery_beat.models import IntervalSchedule, PeriodicTask

DIGEST_PREFIX = "shipped "


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of `settings.PERIODIC_TASKS`."""

    name: str
    task: str
    every_seconds: int
    queue: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    expires_seconds: int | None = None

    def digest(self) -> str:
        kwargs = json.dumps(self.kwargs, sort_keys=True)
        return _digest([self.task, self.every_seconds, self.queue, kwargs, self.expires_seconds, True])


@dataclass
class Installed:
    """Names of entries, by what was done with them."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    disabled: list[str] = field(default_factory=list)


def install_schedule(periodic_tasks: dict[str, dict[str, Any]]) -> Installed:
    """Bring the tables in line with `periodic_tasks`, atomically; may be repeated.

    Missing entries are created. Untouched ones get the new default. An operator's change stays.
    Entries that are no longer shipped are disabled, not deleted: their history may be wanted.
    """
    done = Installed()
    with transaction.atomic():
        rows = {row.name: row for row in PeriodicTask.objects.select_for_update().order_by("name")}
        for name, options in periodic_tasks.items():
            entry = Entry(name=name, **options)
            row = rows.get(name)
            if row is None:
                _write(PeriodicTask(name=name), entry)
                done.created.append(name)
            elif not _is_untouched(row):
                done.kept.append(name)
            elif _shipped_digest(row) != entry.digest():
                _write(row, entry)
                done.updated.append(name)
        for name, row in rows.items():
            if name not in periodic_tasks and _shipped_digest(row) and row.enabled:
                _disable(row)
                done.disabled.append(name)
    return done


def _write(row: PeriodicTask, entry: Entry) -> None:
    interval, _ = IntervalSchedule.objects.get_or_create(every=entry.every_seconds, period=IntervalSchedule.SECONDS)
    row.task = entry.task
    row.interval = interval
    row.crontab = row.solar = row.clocked = None
    row.queue = entry.queue
    row.kwargs = json.dumps(entry.kwargs, sort_keys=True)
    row.expire_seconds = entry.expires_seconds
    row.enabled = True
    row.description = DIGEST_PREFIX + entry.digest()
    row.save()


def _disable(row: PeriodicTask) -> None:
    if _is_untouched(row):
        # Disabled by us, not by an operator: it may come back by itself.
        row.enabled = False
        row.description = DIGEST_PREFIX + _row_digest(row)
    row.enabled = False
    row.save()


def _shipped_digest(row: PeriodicTask) -> str:
    """What the row was when we wrote it; empty for an entry that an operator made."""
    first_line = (row.description or "").split("\n", 1)[0]
    return first_line.removeprefix(DIGEST_PREFIX) if first_line.startswith(DIGEST_PREFIX) else ""


def _is_untouched(row: PeriodicTask) -> bool:
    return _shipped_digest(row) == _row_digest(row)


def _row_digest(row: PeriodicTask) -> str:
    interval = row.interval
    every = interval.every if interval and interval.period == IntervalSchedule.SECONDS else None
    return _digest([row.task, every, row.queue, row.kwargs, row.expire_seconds, row.enabled])


def _digest(values: list[Any]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]
