"""What a correction would change is told without changing anything, not even what the process remembers."""

from datetime import timedelta

import pytest

from scoring.models import Correction, OutboxEvent, Period, ScoreEvent, Total
from scoring.moderation.decisions import Change
from scoring.moderation.previews import preview
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts

pytestmark = pytest.mark.django_db(transaction=True)

TOMORROW = NOW + timedelta(days=1)


def test_a_preview_tells_the_changes_and_saves_nothing() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"), score("ann", 12, "m2"), score("bob", 5, "m1"))
    before = [list(model.objects.values_list()) for model in (ScoreEvent, Total, OutboxEvent)]

    told = preview(lambda: acts.void("m1"))

    assert told == [Change("ann", "all", 42, 12), Change("bob", "all", 5, None)]
    assert [list(model.objects.values_list()) for model in (ScoreEvent, Total, OutboxEvent)] == before
    assert not Correction.objects.exists()
    assert acts.changes(acts.void("m1")) == [(42, 12), (5, None)]


def test_a_preview_on_a_new_day_leaves_no_period_behind_that_scores_are_lost_in() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"])
    accept_all(score("ann", 30))
    deliver()

    told = preview(lambda: acts.adjust("ann", -20, now=TOMORROW))
    assert sorted(told) == [Change("ann", "all", 30, 10), Change("ann", "day:2026-10-20", None, -20)]
    assert not Period.objects.filter(label="day:2026-10-20").exists()

    accept_all(score("ann", 5), now=TOMORROW)
    deliver(TOMORROW)
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert acts.board("quiz:day:2026-10-20:global", TOMORROW) == [(1, "ann", 5)]
    assert differences() == []
