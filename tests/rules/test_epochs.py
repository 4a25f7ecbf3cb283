"""Within one epoch a packed score only rises, whatever the rules: what a board refuses as late is late."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.models import Total
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from tests.rules.game import RANGES, Game
from tests.rules.histories import batches

pytestmark = pytest.mark.django_db


def packed_totals(slug: str) -> dict[Any, tuple[int, float]]:
    """Epoch and score of each total."""
    pack = get_rules(slug).packing.pack
    rows = Total.objects.filter(period__leaderboard__slug=slug).select_related("period")
    return {row.pk: (row.epoch, float(pack(row.points, row.accept_no - row.period.first_accept_no))) for row in rows}


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("operator", Operator)
def test_a_score_falls_only_into_a_new_epoch(operator: Operator, order: Order, ties: Ties) -> None:
    @settings(max_examples=15)
    @given(st.lists(batches, min_size=2, max_size=6))
    def check(history: list[list[dict[str, Any]]]) -> None:
        game = Game(operator, order, ties, RANGES["decimal"])
        before: dict[Any, tuple[int, float]] = {}
        for batch in history:
            game.play(batch)
            after = packed_totals(game.slug)
            # Epoch first: of equal ones the score decides.
            assert all(after[key] >= before[key] for key in before)
            before = after

    check()
