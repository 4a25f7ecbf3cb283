"""SQL that reads the archive, one statement a file. Each file opens with what it takes and gives."""

from collections.abc import Callable
from functools import cache
from pathlib import Path


def statements(folder: Path) -> Callable[[str], str]:
    """What gives the text of `{name}.sql` in this folder; each file is read once a process."""

    @cache
    def statement(name: str) -> str:
        return (folder / f"{name}.sql").read_text(encoding="utf-8")

    return statement


statement = statements(Path(__file__).parent)
