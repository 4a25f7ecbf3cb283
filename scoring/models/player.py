from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Collate, Upper


class ReviewState(models.IntegerChoices):
    CLEAR = 0, "clear"
    FLAGGED = 1, "flagged: on no board"
    ERASED = 2, "erased: a person who is forgotten"


class Player(models.Model):
    """Whoever is ranked, under the game's own id, over all leaderboards."""

    player_id = models.CharField(max_length=64, db_collation="C")
    name = models.CharField(max_length=64, blank=True)
    segments = models.JSONField(default=dict, blank=True, help_text='{"city": "hyd"}')
    former_scopes = ArrayField(
        models.CharField(max_length=97),
        default=list,
        blank=True,
        help_text="Scopes the player once was in and has left (city:hyd). Whoever applies the row removes him there.",
    )
    review_state = models.PositiveSmallIntegerField(choices=ReviewState, default=ReviewState.CLEAR)
    epoch = models.IntegerField(
        default=0, help_text="Grows with each flag, unflag, erasure and change of segment; added to the total's own."
    )
    name_version = models.IntegerField(
        default=0, help_text="Grows with each change of name, so that late writers lose."
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged",
        db_index=False,
        help_text="The account that this one became part of: scores sent for it count there.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["merged_into"], name="player_merged_into", condition=models.Q(merged_into__isnull=False)
            ),
            models.Index(
                fields=["review_state", "id"], name="player_review_state", condition=~models.Q(review_state=0)
            ),
            # For the review queue: a name's beginning in any case, and who has a segment.
            models.Index(Collate(Upper("name"), "C"), name="player_name_prefix"),
            GinIndex(fields=["segments"], opclasses=["jsonb_path_ops"], name="player_segments"),
        ]
        constraints = [
            # With all that intake asks of most scores' players, so that it need not read their rows.
            models.UniqueConstraint(fields=["player_id"], include=["id", "merged_into"], name="player_by_id"),
        ]
        permissions = [("review_player", "Can flag, unflag, void and adjust")]
        # No fillfactor: player rows change rarely, and are read with every event.
        ordering = ("player_id",)

    def __str__(self) -> str:
        return self.player_id
