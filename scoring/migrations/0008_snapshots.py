"""Snapshots of standings, and whether a leaderboard's entries show the rank of the newest."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_sealed_periods")]

    operations = [
        migrations.AddField(
            "leaderboard",
            "show_previous_rank",
            models.BooleanField(
                default=False,
                help_text="Entries carry the rank of the newest snapshot. About 70 bytes of Redis a player and board.",
            ),
        ),
        migrations.CreateModel(
            "StandingsSnapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "leaderboard",
                    models.ForeignKey(
                        "scoring.leaderboard", models.CASCADE, db_index=False, related_name="snapshots"
                    ),
                ),
                ("taken_at", models.DateTimeField()),
                ("accept_no", models.BigIntegerField(help_text="The last acceptance number that it holds up to.")),
                (
                    "last_correction",
                    models.BigIntegerField(help_text="Corrections with a larger number came later."),
                ),
                (
                    "unfinished_corrections",
                    ArrayField(
                        models.BigIntegerField(),
                        default=list,
                        help_text="Those that had begun before, and may have gone on later.",
                    ),
                ),
                (
                    "player_count",
                    models.PositiveIntegerField(default=0, help_text="Totals in the period that has the most."),
                ),
                ("entry_count", models.PositiveBigIntegerField(default=0, help_text="Totals of all periods.")),
                ("held_ms", models.FloatField(default=0, help_text="For how long scores had to wait.")),
                ("seconds", models.FloatField(default=0, help_text="How long the copying took.")),
                (
                    "finished_at",
                    models.DateTimeField(
                        null=True, help_text="Empty: not yet without those who were erased meanwhile."
                    ),
                ),
                (
                    "pruning_since",
                    models.DateTimeField(null=True, help_text="It is being deleted, and no longer whole."),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [models.Index(fields=["leaderboard", "-id"], name="snapshot_leaderboard")],
            },
        ),
        migrations.CreateModel(
            "SnapshotPeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "snapshot",
                    models.ForeignKey(
                        "scoring.standingssnapshot", models.CASCADE, db_index=False, related_name="periods"
                    ),
                ),
                (
                    "period",
                    models.ForeignKey("scoring.period", models.CASCADE, db_index=False, related_name="+"),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["snapshot", "period"], name="snapshot_period_unique")]
            },
        ),
        migrations.CreateModel(
            "SnapshotEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "snapshot_period_id",
                        "player_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "snapshot_period",
                    models.ForeignKey(
                        "scoring.snapshotperiod",
                        models.CASCADE,
                        db_constraint=False,
                        db_index=False,
                        related_name="entries",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        "scoring.player", models.PROTECT, db_constraint=False, db_index=False, related_name="+"
                    ),
                ),
                ("points", models.BigIntegerField()),
                ("accept_no", models.BigIntegerField()),
                ("occurred_at", models.DateTimeField(null=True)),
                ("details", models.JSONField(null=True)),
                (
                    "scopes",
                    ArrayField(
                        models.CharField(max_length=97),
                        default=list,
                        help_text="The boards that the player was on.",
                    ),
                ),
                (
                    "ranks",
                    ArrayField(
                        models.IntegerField(), default=list, help_text="The player's rank on each of them."
                    ),
                ),
            ],
            options={"verbose_name_plural": "snapshot entries"},
        ),
    ]
