"""The web process's garbage collector."""

import subprocess
import sys

LOOK = "import gc, leaderboard_site.asgi; print(len(gc.get_objects()), gc.get_freeze_count())"


def test_no_collection_looks_at_what_was_imported() -> None:
    told = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)

    looked_at, left_out = (int(count) for count in told.stdout.split()[-2:])
    assert left_out > 50_000
    assert looked_at < left_out / 100
