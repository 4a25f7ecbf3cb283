"""The archive: final standings of periods that are over, kept for good. Written by `rebuilds.closing`, read by `boards.archive`.

And what is remembered of how much boards are read.
"""

from typing import Self

from django.db import models
from django.db.models import Q


class ArchivedPeriodQuerySet(models.QuerySet["ArchivedPeriod"]):
    def waiting(self) -> Self:
        """Periods whose standings have to be written, for the first time or anew."""
        return self.filter(Q(archived_at__isnull=True) | Q(is_outdated=True))


class ArchivedPeriod(models.Model):
    """A period that is over, grace included. Once `archived_at` is set, its boards are answered from the archive."""

    period = models.OneToOneField(
        "scoring.Period", primary_key=True, on_delete=models.CASCADE, related_name="archived_period"
    )
    closed_at = models.DateTimeField(help_text="Its end plus the grace, as they were when it was found to be over.")
    revision = models.PositiveSmallIntegerField(default=0, help_text="How many times the standings have been computed.")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="When the standings were computed.")
    is_outdated = models.BooleanField(
        default=False, help_text="The totals were changed since; what is here is shown until it is made anew."
    )
    reopened_at = models.DateTimeField(
        null=True, blank=True, help_text="The period's own, as it was when the standings were computed."
    )
    totals_digest = models.CharField(
        max_length=120, blank=True, help_text="Of the totals that the standings were computed from."
    )
    is_settled = models.BooleanField(default=False, help_text="A second look at the totals has found them unchanged.")
    is_open_again = models.BooleanField(
        default=False,
        help_text="Its end or the grace was moved, and its boards were rebuilt; it will be archived anew.",
    )
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Begun since the last success.")
    retry_at = models.DateTimeField(help_text="Nobody begins before.")
    problem = models.CharField(max_length=500, blank=True)

    objects = ArchivedPeriodQuerySet.as_manager()

    class Meta:
        ordering = ("-closed_at",)
        indexes = [
            models.Index(
                fields=["retry_at"],
                name="archive_waiting",
                condition=Q(archived_at__isnull=True) | Q(is_outdated=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period}"


class ArchivedBoard(models.Model):
    """One board of an archived period. A scope that nobody was in has no row: its board is empty."""

    archived_period = models.ForeignKey(ArchivedPeriod, on_delete=models.CASCADE, related_name="boards", db_index=False)
    scope = models.CharField(max_length=97, db_collation="C")
    revision = models.PositiveSmallIntegerField(
        help_text="Grows each time the standings are made anew; those of before are gone by the end of the transaction."
    )
    players = models.PositiveIntegerField(help_text="How many were ranked.")

    class Meta:
        ordering = ("archived_period", "scope")
        constraints = [
            models.UniqueConstraint(fields=["archived_period", "scope", "revision"], name="archived_board_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.archived_period_id}:{self.scope}"


class ArchivedEntry(models.Model):
    """One line of an archived board: places and ranks are stored, so that no read has to count.

    It names the player by primary key alone: a person who is erased needs no change here. No foreign key constraints:
    the one statement that writes a million of these has just read the players, and made the boards.
    """

    pk = models.CompositePrimaryKey("board_id", "place")
    board = models.ForeignKey(
        ArchivedBoard, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="entries"
    )
    place = models.IntegerField(help_text="From 1, best first; no two share one.")
    rank = models.IntegerField(help_text="From 1; equal points may share one.")
    player = models.ForeignKey(
        "scoring.Player", on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    points = models.BigIntegerField(help_text="In the leaderboard's smallest unit.")
    accept_no = models.BigIntegerField(help_text="Of the event that last moved the points.")
    details = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "archived entries"
        constraints = [
            models.UniqueConstraint(fields=["board", "player"], name="archived_entry_player_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.place}"


class BoardReads(models.Model):
    """How much one board is read (`boards.read_counts`); no row for one that hardly is."""

    board = models.CharField(primary_key=True, max_length=200)
    heat = models.FloatField(
        help_text="The binary logarithm of its reads, each weighed by 2 to the power of its time in half-lives since 1970."
    )

    class Meta:
        verbose_name = verbose_name_plural = "board reads"
        ordering = ("-heat",)

    def __str__(self) -> str:
        return self.board
