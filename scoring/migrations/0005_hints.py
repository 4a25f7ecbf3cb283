"""Hints for reviewers, and who may act on them."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def hint_index(name: str) -> models.Index:
    best_first = models.OrderBy(models.F(name), descending=True, nulls_last=True)
    player = models.OrderBy(models.F("player_id"), descending=True)
    return models.Index(models.F("leaderboard_id"), best_first, player, name=f"hint_by_{name}")


def look_up(to: str, related_name: str) -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to=to,
    )


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_corrections")]

    operations = [
        migrations.CreateModel(
            name="Hint",
            fields=[
                ("pk", models.CompositePrimaryKey("player_id", "leaderboard_id", blank=True, editable=False, primary_key=True, serialize=False)),
                ("lead_in_match", models.FloatField(help_text="Most points above the average of others in one match.", null=True)),
                ("share_of_max", models.FloatField(help_text="Of all points that so many events can bring, 0 to 1.", null=True)),
                ("points_per_minute", models.FloatField(help_text="Where points add up.", null=True)),
                ("event_count", models.PositiveSmallIntegerField(help_text="How many events this was made from.")),
                ("computed_at", models.DateTimeField()),
                ("leaderboard", look_up("scoring.leaderboard", "+")),
                ("player", look_up("scoring.player", "hints")),
            ],
            options={"indexes": [hint_index(name) for name in ("lead_in_match", "share_of_max", "points_per_minute")]},
        ),
        migrations.CreateModel(
            name="HintProgress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("event_id", models.BigIntegerField(default=0, help_text="All outbox events up to this one are seen to.")),
            ],
        ),
        migrations.AlterModelOptions(
            name="player",
            options={"ordering": ("player_id",), "permissions": [("review_player", "Can flag, unflag, void and adjust")]},
        ),
    ]
