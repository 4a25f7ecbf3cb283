"""Finding what came after an acceptance number without reading the ledger from its beginning."""

from django.contrib.postgres.indexes import BrinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    # Built beside running intake.
    atomic = False

    dependencies = [("scoring", "0008_snapshots")]

    operations = [
        AddIndexConcurrently(
            "scoreevent",
            BrinIndex(fields=["accept_no"], name="events_by_number", pages_per_range=32, autosummarize=True),
        ),
    ]
