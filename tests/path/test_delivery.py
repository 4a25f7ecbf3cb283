"""From intake to the boards: whatever was accepted is shown, also when one event is poisoned."""

import random
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards.relay import portions
from scoring.models import OutboxEvent, Player, ReviewState, Total
from scoring.outbox import Claim, retry_set_aside
from tests.api import get
from tests.boards_truth import differences, shown_boards
from tests.delivery import MAX_ATTEMPTS, deliver, relay
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, score, total

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(min_points=-100, scopes=["city"], period_kinds=["day", "week", "all"])


def test_one_score_reaches_all_boards_of_its_player() -> None:
    accept_all(score("ann", segments={"city": "hyd", "clan": "red"}))
    deliver()

    assert shown_boards("quiz").keys() == {
        f"quiz:{period}:{scope}"
        for period in ("day:2026-10-19", "week:2026-w43", "all")
        for scope in ("global", "city:hyd")
    }
    assert differences() == []
    assert not OutboxEvent.objects.waiting()


def test_a_repeat_moves_nothing_on_any_board() -> None:
    repeated = score("ann", 10)
    accept_all(repeated, score("bob", 10))
    deliver()
    before = shown_boards("quiz")

    accept(repeated, score("bob", 11, repeated.match_id), repeated)
    accept_all(repeated, score("ann", 0))
    deliver()

    after = shown_boards("quiz")["quiz:all:global"]
    assert dict(after)["ann"] == dict(before["quiz:all:global"])["ann"]


def test_a_penalty_lowers_and_a_move_changes_boards() -> None:
    accept_all(score("ann", 50, segments={"city": "hyd"}), score("bob", 40, segments={"city": "hyd"}))
    deliver()

    accept_all(score("ann", -20), score("bob", 1, segments={"city": "pune"}))
    deliver()

    assert differences() == []
    assert [player_id for player_id, _ in shown_boards("quiz")["quiz:all:city:hyd"]] == ["ann"]


def test_who_is_flagged_is_on_no_board_whatever_arrives_and_comes_back_exactly() -> None:
    accept_all(score("ann", 50, segments={"city": "hyd"}), score("bob", 40))
    deliver()
    flagged = Player.objects.get(player_id="ann")
    flagged.review_state, flagged.epoch = ReviewState.FLAGGED, flagged.epoch + 1
    flagged.save()

    accept_all(score("ann", 5))
    deliver()
    assert "quiz:all:city:hyd" not in shown_boards("quiz")
    assert differences() == []

    flagged.review_state, flagged.epoch = ReviewState.CLEAR, flagged.epoch + 1
    flagged.save()
    accept_all(score("ann", -1))
    deliver()
    assert differences() == []
    assert get("leaderboards/quiz:all:global/players/ann").json()["points"] == 54


events = st.tuples(
    st.sampled_from(["ann", "bob", "eve"]),
    st.integers(-10, 10),
    st.none() | st.sampled_from([{"city": "hyd"}, {"city": "pune"}, {"city": None}]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(events, min_size=1, max_size=4), max_size=5), st.integers(0, 2**32))
def test_any_batches_delivered_in_any_order_end_at_the_totals(
    batches: list[list[tuple[str, int, dict[str, str | None] | None]]], seed: int
) -> None:
    from boards.apply import apply_events

    for batch in batches:
        accept_all(*(score(player_id, points, segments=segments) for player_id, points, segments in batch))
    ids = [event_id for queue in ("live", "corrections") for ids in relay(queue, batch_players=1) for event_id in ids]
    # By a seed: how many there are depends on what the players have been told before.
    random.Random(seed).shuffle(ids)
    for event_id in ids:
        apply_events([event_id], lambda: NOW)

    assert differences() == []


def poison(player_id: str) -> None:
    """Give a player totals that fit into no score, and let his events carry nothing else."""
    Total.objects.filter(player__player_id=player_id).update(points=2_000_000)
    player = Player.objects.get(player_id=player_id)
    for event in OutboxEvent.objects.filter(player_ids__contains=[player.pk]):
        place = event.player_ids.index(player.pk)
        assert event.points is not None
        assert event.period_ids is not None
        event.points[place :: event.player_count] = [2_000_000] * len(event.period_ids)
        event.save()


def test_a_poisoned_event_is_set_aside_and_the_others_go_on() -> None:
    accept_all(score("ann"))
    accept_all(score("bob"))
    poison("ann")
    accept_all(score("eve"))

    deliver()

    assert [player_id for player_id, _ in shown_boards("quiz")["quiz:all:global"]] == ["bob", "eve"]
    (poisoned,) = OutboxEvent.objects.waiting()
    assert (poisoned.attempts, "2000000 points" in poisoned.problem) == (1, True)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        deliver(NOW + timedelta(seconds=600 * attempt))
    assert [event.pk for event in OutboxEvent.objects.set_aside()] == [poisoned.pk]
    assert not OutboxEvent.objects.waiting()

    Total.objects.filter(player__player_id="ann").update(points=10)
    retry_set_aside([poisoned.pk])
    deliver()
    assert differences() == []
    assert total("ann")[0] == 10


def test_a_poisoned_player_does_not_hold_up_others_of_the_same_event() -> None:
    accept_all(score("ann"), score("bob"))
    poison("ann")

    for attempt in range(MAX_ATTEMPTS + 2):
        deliver(NOW + timedelta(seconds=600 * attempt))

    assert [player_id for player_id, _ in shown_boards("quiz")["quiz:all:global"]] == ["bob"]


def test_portions_keep_the_order_and_hold_what_was_asked_for() -> None:
    claims = [Claim(event_id, players) for event_id, players in enumerate([3, 3, 4, 50, 1, 1])]

    assert portions(claims, 10) == [[0, 1, 2], [3], [4, 5]]
    assert portions([], 10) == []


@given(st.lists(st.integers(0, 30), max_size=30), st.integers(1, 40))
def test_every_claim_is_in_one_portion(counts: list[int], batch_players: int) -> None:
    cut = portions([Claim(event_id, players) for event_id, players in enumerate(counts)], batch_players)

    assert [event_id for portion in cut for event_id in portion] == list(range(len(counts)))
    assert all(len(portion) == 1 or sum(counts[i] for i in portion) <= batch_players for portion in cut)
