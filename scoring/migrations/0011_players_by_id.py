"""Players by the game's id: one index that answers intake alone, instead of two that do not."""

from django.db import migrations, models

CONSTRAINT = models.UniqueConstraint(fields=["player_id"], include=["id", "merged_into"], name="player_by_id")


class Migration(migrations.Migration):
    # Built beside running intake.
    atomic = False

    dependencies = [("scoring", "0010_totals_by_player")]

    operations = [
        migrations.RunSQL(
            "CREATE UNIQUE INDEX CONCURRENTLY player_by_id ON scoring_player (player_id) INCLUDE (id, merged_into_id)",
            "DROP INDEX player_by_id",
            state_operations=[migrations.AddConstraint("player", CONSTRAINT)],
        ),
        migrations.AlterField("player", "player_id", models.CharField(db_collation="C", max_length=64)),
    ]
