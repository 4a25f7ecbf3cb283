"""A period that has begun since PostgreSQL last counted rows, as each day does: it expects one total in it, whatever there are."""

from datetime import timedelta

import pytest
from django.utils import timezone

from rebuilds.archiving import archive_again
from rebuilds.closing import close_periods
from rebuilds.snapshots import take_snapshot
from scoring.models import Leaderboard, Period
from tests.comparisons import Comparisons
from tests.factories import LeaderboardFactory
from tests.rebuilds.crowd import fill, fill_unnoticed

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 1_000
FEW = 10 * PLAYERS
"""Each with each are a million."""


@pytest.fixture
def today() -> Period:
    before, today = (_period(slug) for slug in ("yesterday", "today"))
    fill(before.leaderboard.slug, PLAYERS, before.label)
    fill_unnoticed(today.leaderboard.slug, PLAYERS, today.label)
    return today


def _period(slug: str) -> Period:
    quiz = LeaderboardFactory.create(slug=slug, period_kinds=["day"], scopes=["city"])
    now = timezone.now()
    return Period.objects.create(
        leaderboard=quiz,
        kind="day",
        label=f"day:{now:%Y-%m-%d}",
        starts_at=now,
        ends_at=now + timedelta(hours=1),
        first_accept_no=0,
    )


def test_a_snapshot_compares_no_totals_with_all_others(today: Period, monkeypatch: pytest.MonkeyPatch) -> None:
    comparisons = Comparisons()
    comparisons.watch(monkeypatch, "rebuilds.snapshots")

    snapshot = take_snapshot(Leaderboard.objects.get(slug="today"), timezone.now)

    assert snapshot is not None
    assert snapshot.player_count == PLAYERS
    assert max(comparisons) < FEW


def test_an_archive_made_anew_compares_no_totals_with_all_it_had(
    today: Period, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    comparisons = Comparisons()
    comparisons.watch(monkeypatch, "rebuilds.archiving")
    assert close_periods(lambda: tomorrow) == 2
    assert archive_again(today.pk)

    assert close_periods(lambda: tomorrow) == 1

    assert max(comparisons) < FEW
