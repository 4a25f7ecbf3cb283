"""Periods that are over: corrections leave them alone, unless they ask to reopen them."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from scoring.models import Correction, OutboxEvent, Period, ScoreEvent
from scoring.moderation import voiding
from scoring.moderation.refolding import PeriodClosed
from scoring.moderation.voiding import finish_voids
from scoring.setup import open_season
from tests.api import authorization, post, problem
from tests.boards_truth import differences, shown_board_ids
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts

pytestmark = pytest.mark.django_db

DAY = "day:2026-10-19"
MIDNIGHT = NOW.replace(hour=0, minute=0) + timedelta(days=1)
LAST_MOMENT, CLOSED = MIDNIGHT + timedelta(seconds=599), MIDNIGHT + timedelta(seconds=600)

corrections = pytest.mark.parametrize(
    "correct",
    [
        lambda **more: acts.void("m1", "ann", **more),
        lambda **more: acts.void("m1", **more),
        lambda **more: acts.adjust("ann", -20, occurred_at=NOW, **more),
        lambda **more: acts.merge("ann", "bob", **more),
    ],
    ids=["void for one", "void for all", "adjust", "merge"],
)


@pytest.fixture(autouse=True)
def _quiz() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"], min_points=-100)
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m2"), score("eve", 7, "m1"))
    deliver()


@corrections
def test_a_closed_period_is_refused_by_name_and_nothing_changes(correct: Any) -> None:
    before = stored_totals("quiz")

    with pytest.raises(PeriodClosed, match=DAY):
        correct(now=CLOSED)

    assert stored_totals("quiz") == before == folded_ledger("quiz", "add")
    assert not Correction.objects.exists()
    assert not ScoreEvent.objects.filter(voided_at__isnull=False).exists()
    assert not OutboxEvent.objects.waiting().exists()


@corrections
def test_until_the_end_of_its_grace_it_is_open(correct: Any) -> None:
    correct(now=LAST_MOMENT)
    deliver(LAST_MOMENT)

    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert differences() == []
    assert Period.objects.get(label=DAY).reopened_at is None


@corrections
def test_reopened_it_is_corrected_with_its_board_and_noted(correct: Any) -> None:
    correct(now=CLOSED, reopen=True)
    deliver(CLOSED)

    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert differences() == []
    assert Period.objects.get(label=DAY).reopened_at == CLOSED
    assert Period.objects.get(label="all").reopened_at is None
    assert Correction.objects.get().reopen


@corrections
def test_a_board_that_has_expired_is_not_begun_anew(boards_redis: redis.Redis, correct: Any) -> None:
    assert shown_board_ids("quiz") == set()

    correct(now=CLOSED, reopen=True)
    deliver(CLOSED)

    assert shown_board_ids("quiz") <= {"quiz:all:global"}


def test_a_void_touches_only_the_periods_that_the_match_was_played_in() -> None:
    accept_all(score("ann", 3, "m3"), now=CLOSED)
    acts.void("m3", "ann", now=CLOSED)

    assert stored_totals("quiz")[DAY, "ann"][0] == 30


def test_http_asks_for_reopen() -> None:
    """By the real clock, the day was over long ago."""
    moderator = authorization("moderate")
    body = {"leaderboard": "quiz", "kind": "void", "match_id": "m1", "reason": "bot"}
    refused = post("corrections", body, moderator)

    assert problem(refused) == (409, "period_closed")
    assert DAY in refused.json()["detail"]
    assert post("corrections", {**body, "reopen": True}, moderator).status_code == 202


def test_a_void_that_was_accepted_in_time_is_finished_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voiding, "PORTION", 1)
    monkeypatch.setattr(voiding, "PORTIONS_AT_ONCE", 1)
    correction = acts.void("m1", now=LAST_MOMENT).correction
    assert correction.finished_at is None

    assert finish_voids(CLOSED, portions=5) == 0

    correction.refresh_from_db()
    assert correction.problem == ""
    assert not ScoreEvent.objects.filter(match_id="m1", voided_at=None).exists()
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_a_season_that_began_before_its_events_were_sent_is_corrected_within_what_it_counts() -> None:
    """A season may be opened for a moment that is past: what had been sent before is not in its totals."""
    LeaderboardFactory.create(slug="cup", period_kinds=["season", "all"], operator="best")
    accept_all(score("ann", 90, "m1", leaderboard="cup"))
    open_season("cup", "s1", NOW - timedelta(hours=1))
    accept_all(score("ann", 50, "m2", leaderboard="cup"), score("ann", 40, "m3", leaderboard="cup"))
    before = stored_totals("cup")
    assert before["s1", "ann"][0] == 50

    acts.void("m3", "ann", "cup")
    deliver()

    assert stored_totals("cup") == before
    assert differences("cup") == []
