"""The Celery app. Its options stand in settings under ``CELERY_…``; each task names its queue."""

import os
from functools import cached_property
from typing import Any

from celery import Celery
from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections

from leaderboard_site import broker_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard_site.settings")

broker_transport.install()


class Leaderboard(Celery):
    @cached_property
    def Beat(self) -> type:  # noqa: N802 - Celery's name
        # A name, so that only beat imports it; the stubs want a class.
        return self.subclass_with_self("leaderboard_site.beat:Beat")  # type: ignore[arg-type]


app = Leaderboard("leaderboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
@task_postrun.connect
def hand_back_connections(**_: Any) -> None:
    """As Django does around a request: the connection goes back to the pool, a broken one is thrown away."""
    close_old_connections()
