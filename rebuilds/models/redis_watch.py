from datetime import UTC, datetime

from django.db import models

from boards.heartbeat import Heartbeat

ONLY = 1
"""The primary key of its one row."""


class RedisWatch(models.Model):
    """What is remembered of the boards' Redis: how far its heartbeat has come, and which server it is. One row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    identity = models.CharField(max_length=100, blank=True, help_text="Of the server's process and its history.")
    number = models.BigIntegerField(default=0, help_text="The heartbeat. Redis is raised first, so it never has less.")
    beat_at = models.DateTimeField(default=datetime(1970, 1, 1, tzinfo=UTC))
    position = models.BigIntegerField(
        default=0, help_text="Every outbox event below it was on the boards when the heartbeat was that."
    )
    version = models.IntegerField(
        default=0, help_text="Grows when a loss is noted and when Redis goes on; who knows an older one writes nothing."
    )

    class Meta:
        verbose_name = verbose_name_plural = "Redis watch"

    def __str__(self) -> str:
        return f"heartbeat {self.number} of {self.identity or 'nobody'}"

    @property
    def heartbeat(self) -> Heartbeat:
        return Heartbeat(self.number, self.beat_at, self.position)
