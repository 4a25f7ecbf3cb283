"""The ledger by player; see docs/decisions/0009-the-ledger-by-player.md."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Built beside running intake: the ledger is the one table that is too large to be closed meanwhile.
    atomic = False

    dependencies = [("scoring", "0002_storage")]

    operations = [
        AddIndexConcurrently("scoreevent", models.Index(fields=["player", "leaderboard"], name="events_by_player")),
    ]
