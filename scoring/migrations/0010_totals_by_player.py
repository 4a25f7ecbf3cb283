"""The key of totals by player first, and room in their pages; see docs/decisions/0030-a-score-writes-to-few-pages.md."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# Built beside running intake, then exchanged in a moment.
BY_PLAYER = """
ALTER TABLE scoring_total DROP CONSTRAINT scoring_total_pkey;
ALTER TABLE scoring_total ADD CONSTRAINT scoring_total_pkey PRIMARY KEY USING INDEX scoring_total_new_pkey
"""
BY_PERIOD = """
ALTER TABLE scoring_total DROP CONSTRAINT scoring_total_pkey;
ALTER TABLE scoring_total ADD CONSTRAINT scoring_total_pkey PRIMARY KEY USING INDEX scoring_total_old_pkey
"""

# A new total takes 24 bytes more than it needs, and gives them up when it is raised for the first time. A page that is full up
# to the fillfactor so gets room for several new versions of its rows, until PostgreSQL must clear it of old ones.
ROOM = """
ALTER TABLE scoring_total ADD COLUMN room bytea DEFAULT '\\x000000000000000000000000000000000000000000000000'
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("scoring", "0009_events_by_number")]

    operations = [
        AddIndexConcurrently("total", models.Index(fields=["period", "player"], name="totals_by_period")),
        migrations.RunSQL(
            "CREATE UNIQUE INDEX CONCURRENTLY scoring_total_new_pkey ON scoring_total (player_id, period_id)",
            "DROP INDEX IF EXISTS scoring_total_new_pkey",
        ),
        migrations.RunSQL(
            BY_PLAYER,
            BY_PERIOD,
            state_operations=[
                migrations.AlterField("total", "pk", models.CompositePrimaryKey("player_id", "period_id", serialize=False)),
            ],
        ),
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "CREATE UNIQUE INDEX CONCURRENTLY scoring_total_old_pkey ON scoring_total (period_id, player_id)",
        ),
        migrations.RunSQL(ROOM, "ALTER TABLE scoring_total DROP COLUMN room"),
    ]
