"""Any history of batches: ledger and totals are what ten lines of Python, and the ledger folded by SQL, say."""

import itertools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.acceptance import Stored
from scoring.models import OutboxEvent, ScoreEvent, Total
from tests.factories import NOW, LeaderboardFactory, accept, codes, score
from tests.ledger_truth import folded_ledger, stored_totals

pytestmark = pytest.mark.django_db

slugs = itertools.count(1)

events = st.fixed_dictionaries(
    {
        "player_id": st.sampled_from(["ann", "bob", "eve"]),
        "match_id": st.integers(1, 6).map("m{}".format),
        "points": st.sampled_from([-10, -1, 0, 0, 1, 10]),
        "occurred_at": st.sampled_from([NOW, NOW - timedelta(minutes=2), NOW + timedelta(minutes=1)]),
    },
    optional={"name": st.sampled_from(["A", "B"]), "segments": st.sampled_from([{"city": "hyd"}, {"city": None}])},
)
histories = st.lists(st.lists(events, min_size=1, max_size=6), min_size=1, max_size=5)

Fold = Callable[[list[tuple[int, int]]], tuple[int, int]]


def add(scores: list[tuple[int, int]]) -> tuple[int, int]:
    """Points and acceptance number of a total, from those of its events."""
    moving = [accept_no for points, accept_no in scores if points]
    return sum(points for points, _ in scores), max(moving) if moving else min(number for _, number in scores)


def best(scores: list[tuple[int, int]]) -> tuple[int, int]:
    return max(scores, key=lambda one: (one[0], -one[1]))


class Model:
    """One player and match is stored once, by whoever came first."""

    def __init__(self) -> None:
        self.ledger: dict[tuple[str, str], tuple[int, int]] = {}

    def expected(self, event: dict[str, Any]) -> str:
        known = self.ledger.get((event["player_id"], event["match_id"]))
        if known is None:
            self.ledger[event["player_id"], event["match_id"]] = (event["points"], 0)
            return "accepted"
        return "duplicate" if known[0] == event["points"] else "match_conflict"

    def totals(self, fold: Fold) -> dict[tuple[str, str], tuple[int, int]]:
        players = {player for player, _ in self.ledger}
        return {("all", p): fold([one for (player, _), one in self.ledger.items() if player == p]) for p in players}


@pytest.mark.parametrize(("operator", "fold"), [("add", add), ("best", best)])
def test_totals_are_the_fold_of_what_was_accepted(operator: str, fold: Fold) -> None:
    @settings(max_examples=60)
    @given(histories)
    def check(history: list[list[dict[str, Any]]]) -> None:
        slug = f"{operator}-{next(slugs)}"
        leaderboard = LeaderboardFactory.create(
            slug=slug, operator=operator, min_points=-100, timezone="Asia/Kolkata", period_kinds=["all", "day"]
        )
        model = Model()
        newest = 0
        for batch in history:
            expected = [model.expected(event) for event in batch]
            outcomes = accept(*(score(leaderboard=slug, **event) for event in batch), now=NOW)
            assert codes(outcomes) == expected
            for event, outcome in zip(batch, outcomes, strict=True):
                if not isinstance(outcome, Stored):
                    continue
                key = (event["player_id"], event["match_id"])
                if outcome.duplicate:
                    assert outcome.accept_no == model.ledger[key][1]
                else:
                    assert outcome.accept_no > newest
                    newest = outcome.accept_no
                    model.ledger[key] = (event["points"], newest)
        stored = ScoreEvent.objects.filter(leaderboard=leaderboard)
        ledger = {(e.player.player_id, e.match_id): (e.points, e.accept_no) for e in stored.select_related("player")}
        assert ledger == model.ledger
        totals = stored_totals(slug)
        assert {key: total for key, total in totals.items() if key[0] == "all"} == model.totals(fold)
        assert totals == folded_ledger(slug, operator)

    check()


def test_whoever_moved_is_in_the_outbox_with_the_periods() -> None:
    @settings(max_examples=30)
    @given(histories)
    def check(history: list[list[dict[str, Any]]]) -> None:
        slug = f"outbox-{next(slugs)}"
        LeaderboardFactory.create(slug=slug, min_points=-100, timezone="Asia/Kolkata", period_kinds=["all", "day"])
        for batch in history:
            OutboxEvent.objects.all().delete()
            before = set(Total.objects.values_list())
            accept(*(score(leaderboard=slug, **event) for event in batch))
            moved = set(Total.objects.values_list()) - before
            events = OutboxEvent.objects.exclude(period_ids=[]).filter(queue="live")
            told = {(period, player) for e in events for period in e.period_ids or () for player in e.player_ids}
            assert {(period, player) for period, player, *_ in moved} <= told

    check()
