"""Outbox events carry the totals that they are about. Old ones do not, and are applied as before."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

POINTS = ArrayField(
    models.BigIntegerField(null=True),
    null=True,
    editable=False,
    help_text="The totals, period by period, in each player by player; null for one with an epoch or details.",
)
# To tell how often each number occurs in long lists takes ANALYZE a second of CPU, and as long it keeps old versions of all
# tables from being cleared away. Nobody asks for the lists' contents.
LISTS = ("player_ids", "period_ids", "points", "accept_nos")
NO_STATISTICS = "; ".join(f"ALTER TABLE scoring_outboxevent ALTER COLUMN {name} SET STATISTICS 0" for name in LISTS)

ACCEPT_NOS = ArrayField(models.BigIntegerField(), null=True, editable=False, help_text="Their acceptance numbers.")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0011_players_by_id")]

    operations = [
        migrations.AddField("outboxevent", "points", POINTS),
        migrations.AddField("outboxevent", "accept_nos", ACCEPT_NOS),
        migrations.RunSQL(NO_STATISTICS, migrations.RunSQL.noop),
    ]
