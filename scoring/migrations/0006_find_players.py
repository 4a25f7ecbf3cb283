"""How reviewers find players: by the beginning of a name, by a segment. Ids have an index that knows beginnings already."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Collate, Upper


class Migration(migrations.Migration):
    # Built beside running intake, which goes on creating players meanwhile.
    atomic = False

    dependencies = [("scoring", "0005_hints")]

    operations = [
        AddIndexConcurrently("player", models.Index(Collate(Upper("name"), "C"), name="player_name_prefix")),
        AddIndexConcurrently(
            "player", GinIndex(fields=["segments"], opclasses=["jsonb_path_ops"], name="player_segments")
        ),
    ]
