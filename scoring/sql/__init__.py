"""Set-based SQL, one statement a file, loaded by name. Each file opens with what it takes and gives.

Rows are looked up by key in `LATERAL (… OFFSET 0)`, which PostgreSQL never turns into another kind of join. Left free, the
planner at times reads a table of millions to find two thousand rows of it: 250 µs a player instead of 8 (measured with
300,000 players and 900,000 totals).
"""

from functools import cache
from pathlib import Path


@cache
def statement(name: str, **fragments: str) -> str:
    """The text of `{name}.sql`, with `/*{fragment}*/` places filled from the fragment files named."""
    text = _read(name)
    for place, fragment in fragments.items():
        text = text.replace(f"/*{place}*/", _read(fragment))
    return text


def _read(name: str) -> str:
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")
