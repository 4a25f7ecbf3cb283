from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q

from scoring.periods import CUSTOM

WHOLE = 100.0


class BoardJobQuerySet(models.QuerySet["BoardJob"]):
    def unfinished(self) -> Self:
        return self.filter(finished_at__isnull=True)

    def running(self) -> Self:
        return self.unfinished().exclude(state=BoardJob.State.WAITING)

    def abandoned(self, now: datetime) -> Self:
        """Running, but nobody has touched them for a while: whoever worked on them is dead, or waits for better times."""
        return self.running().filter(claimed_until__lte=now)

    def of_kept_boards(self) -> Self:
        """Not of custom windows, which are built whenever somebody asks for them."""
        return self.exclude(board__regex=rf"^[^:]+:{CUSTOM}:")


class BoardJob(models.Model):
    """One rebuild or verification of one board, done in steps by whoever claims it (`rebuilds.running`).

    Everything that a step needs to go on where the last one was stands in the row, so a worker may die at any moment.
    """

    class Kind(models.TextChoices):
        REBUILD = "rebuild"
        VERIFY = "verify"

    class State(models.TextChoices):
        WAITING = "waiting"
        LOADING = "loading"
        VERIFYING = "verifying"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    kind = models.CharField(max_length=8, choices=Kind)
    board = models.CharField(max_length=160, help_text="The board's full id.")
    request = models.UUIDField(help_text="What was asked for at once; the id of a rebuild in the API.")
    asked_by = models.CharField(max_length=100)
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    expected = models.BigIntegerField(default=0, help_text="Players on the board, counted at the start.")
    loaded = models.BigIntegerField(default=0, help_text="Rows written into the staging copy so far.")
    verified = models.BigIntegerField(default=0, help_text="Rows compared with the copy so far.")
    missing = models.BigIntegerField(default=0)
    extra = models.BigIntegerField(default=0)
    different = models.BigIntegerField(default=0)
    unshown = models.BigIntegerField(default=0, help_text="Totals that fit into no score, and are left out.")
    problem = models.CharField(max_length=500, blank=True)

    token = models.CharField(max_length=32, blank=True, help_text="What the lease in Redis says while it is ours.")
    position = models.BigIntegerField(default=0, help_text="The last player read, or where the scan of the copy is.")
    phase = models.CharField(max_length=8, default="rows", help_text="Of a verification.")
    matched = models.BigIntegerField(default=0, help_text="Rows compared that the copy has an entry for.")
    turn = models.IntegerField(default=0, help_text="Grows with each step; a message of an earlier turn is void.")
    claimed_until = models.DateTimeField(null=True, blank=True, help_text="Whoever has the turn keeps it until then.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Steps without progress, one after the other.")
    restarts = models.PositiveSmallIntegerField(
        default=0, help_text="How often the lease was lost, and all began anew."
    )

    objects = BoardJobQuerySet.as_manager()

    class Meta:
        verbose_name = "board job"
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["request"], name="board_job_request"),
            models.Index(fields=["id"], name="board_job_unfinished", condition=Q(finished_at__isnull=True)),
            models.Index(fields=["board", "-id"], name="board_job_board"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["board"],
                name="one_rebuild_a_board",
                condition=Q(kind="rebuild", state__in=["loading", "verifying"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.board}"

    @property
    def is_rebuild(self) -> bool:
        return self.kind == self.Kind.REBUILD

    @property
    def difference_count(self) -> int:
        return self.missing + self.extra + self.different

    @property
    def percent(self) -> float:
        """How much of the work is done. Rows are read twice by a rebuild: to load them, and to verify."""
        if self.state == self.State.DONE:
            return WHOLE
        work = self.expected * (2 if self.is_rebuild else 1)
        return min(round(WHOLE * (self.loaded + self.verified) / work, 1), WHOLE) if work else 0.0

    def rate(self, now: datetime) -> float:
        """Rows read a second since it started."""
        if self.started_at is None:
            return 0.0
        seconds = ((self.finished_at or now) - self.started_at).total_seconds()
        return round((self.loaded + self.verified) / seconds, 1) if seconds > 0 else 0.0
