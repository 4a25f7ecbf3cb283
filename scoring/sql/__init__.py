"""Set-based SQL, one statement a file, loaded by name. Each file opens with what it takes and gives.

Rows are looked up by key in `LATERAL (… OFFSET 0)`, which PostgreSQL never turns into another kind of join. Left free, the
planner at times reads a table of millions to find two thousand rows of it: 250 µs a player instead of 8 (measured with
300,000 players and 900,000 totals).
"""

from functools import cache
from pathlib import Path
from typing import Protocol


class Statement(Protocol):
    def __call__(self, name: str, **fragments: str) -> str:
        """The text of `{name}.sql`, with `/*{fragment}*/` places filled from the fragment files named; others stay empty."""


def statements(folder: Path) -> Statement:
    """What gives the statements of this folder; each is put together once a process."""

    def read(name: str) -> str:
        return (folder / f"{name}.sql").read_text(encoding="utf-8")

    @cache
    def statement(name: str, **fragments: str) -> str:
        text = read(name)
        for place, fragment in fragments.items():
            text = text.replace(f"/*{place}*/", read(fragment))
        return text

    return statement


statement = statements(Path(__file__).parent)
