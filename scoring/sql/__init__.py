"""Set-based SQL, one statement a file, loaded by name. Each file opens with what it takes and gives."""

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
