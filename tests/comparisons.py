"""How many pairs of rows a statement compares in vain: what grows with the square of a leaderboard, and no test waits for."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db import transaction

from scoring.database import fetch_all


class Comparisons(list[int]):
    """One entry a statement of a module, in their order; those that compare nothing in vain have 0."""

    def watch(self, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
        """Count those of the statements that this module runs from now on. Each of them is run twice, and undone once."""
        monkeypatch.setattr(f"{module}.fetch_all", self._fetch_all)

    def _fetch_all(self, sql: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with transaction.atomic():
            (([explained],),) = fetch_all(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters)
            transaction.set_rollback(True)
        self.append(
            sum(
                int(step.get("Rows Removed by Join Filter", 0) * step["Actual Loops"])
                for step in _steps(explained["Plan"])
            )
        )
        return fetch_all(sql, parameters)


def _steps(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield step
    for part in step.get("Plans", []):
        yield from _steps(part)
