"""How far the building of a board is: asked of whoever builds boards, who imports this app and not the other way round."""

from collections.abc import Callable

_sources: list[Callable[[str], float | None]] = []


def on_progress(source: Callable[[str], float | None]) -> None:
    """Have `source(board_id)` asked: percent from 0 to 100, None if the board is not being built."""
    _sources.append(source)


def progress_of(board_id: str) -> float | None:
    """Percent; None if nobody says that it is being built."""
    return next((percent for source in _sources if (percent := source(board_id)) is not None), None)
