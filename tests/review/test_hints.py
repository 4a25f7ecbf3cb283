"""Hints: what they say of a player's latest events, and how they follow what moves."""

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.db import connection

from scoring import hints
from scoring.hints import LATEST_EVENTS, SETTLED_AFTER, Pair, refresh_hints, save_hints
from scoring.models import Hint, HintProgress, Leaderboard, Player
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import Decision
from scoring.moderation.voiding import void_match
from scoring.rules import get_rules
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

LATER = NOW + 2 * SETTLED_AFTER


def hint(player_id: str = "ann", leaderboard: str = "quiz") -> Hint:
    return Hint.objects.get(player__player_id=player_id, leaderboard__slug=leaderboard)


def refresh(now: datetime = LATER) -> int:
    return refresh_hints(lambda: now)


def play(player_id: str, *points: int, apart: timedelta = timedelta(minutes=1)) -> None:
    """Scores of matches that nobody else played, so far apart."""
    start = NOW - len(points) * apart
    accept_all(*(score(player_id, each, occurred_at=start + n * apart) for n, each in enumerate(points)))


@pytest.fixture
def quiz() -> Leaderboard:
    return LeaderboardFactory.create(max_points=100)


@pytest.mark.usefixtures("quiz")
def test_the_share_is_of_all_that_so_many_events_can_bring() -> None:
    play("ann", 100, 50, 100, 50, 75)

    refresh()

    assert hint().share_of_max == pytest.approx(0.75)


@pytest.mark.usefixtures("quiz")
def test_points_per_minute_are_of_the_time_played() -> None:
    play("ann", 10, 10, 10, 10, 10)

    refresh()

    # Five times 10 points, in the four minutes between the first and the last.
    assert hint().points_per_minute == pytest.approx(50 / 4)


@pytest.mark.usefixtures("quiz")
def test_a_week_without_playing_does_not_slow_anybody_down() -> None:
    play("ann", 10, 10, 10, 10, 10, apart=timedelta(days=7))

    refresh()

    assert hint().points_per_minute == pytest.approx(50 / 40)


@pytest.mark.usefixtures("quiz")
def test_the_lead_is_over_the_others_of_the_match() -> None:
    accept_all(score("ann", 90, "final"), score("bob", 20, "final"), score("cid", 40, "final"))

    refresh()

    assert (hint("ann").lead_in_match, hint("bob").lead_in_match) == (60, -45)


@pytest.mark.usefixtures("quiz")
def test_a_few_events_tell_no_habit_and_a_match_alone_no_lead() -> None:
    play("ann", 100, 100)

    refresh()

    assert (hint().event_count, hint().share_of_max, hint().points_per_minute, hint().lead_in_match) == (
        2,
        None,
        None,
        None,
    )


def test_where_fewer_is_better_fewer_leads() -> None:
    LeaderboardFactory.create(
        operator="best", order="low", scale=3, min_points=20, max_points=120, min_total=0, max_total=300
    )
    accept_all(score("ann", 30, "lap"), score("bob", 70, "lap"))
    accept_all(*(score("ann", 45) for _ in range(4)))

    refresh()

    assert hint("ann").lead_in_match == pytest.approx(40)
    assert hint("ann").share_of_max == pytest.approx((90 + 4 * 75) / 500)
    assert hint("ann").points_per_minute is None


def test_what_no_longer_counts_and_what_was_corrected_is_left_out(quiz: Leaderboard) -> None:
    play("ann", 10, 10, 10, 10, 10)
    accept_all(score("ann", 100, "cheated"), score("bob", 0, "cheated"))
    decision = Decision("a test", "caught", NOW)
    void_match(get_rules("quiz"), "cheated", decision, player_id="ann")
    adjust(get_rules("quiz"), "ann", 500, decision)

    refresh()

    assert hint().event_count == 5
    assert hint().share_of_max == pytest.approx(0.1)
    assert hint().lead_in_match is None


def test_only_the_latest_events_are_looked_at(quiz: Leaderboard) -> None:
    play("ann", *[100] * 40)
    play("ann", *[20] * LATEST_EVENTS)

    refresh()

    assert hint().event_count == LATEST_EVENTS
    assert hint().share_of_max == pytest.approx(0.2)


@pytest.mark.usefixtures("quiz")
def test_what_has_just_moved_waits_until_it_has_settled() -> None:
    play("ann", 10)

    assert refresh(NOW + SETTLED_AFTER / 2) == 0
    assert refresh(LATER) == 1


@pytest.mark.usefixtures("quiz")
def test_a_player_of_many_events_is_looked_at_once_for_all_that_were_seen() -> None:
    for minute in range(10):
        accept_all(score("ann", 10), now=NOW + timedelta(seconds=minute))

    assert refresh() == 1
    assert hint().event_count == 10
    assert refresh() == 0


@pytest.mark.usefixtures("quiz")
def test_a_later_event_is_seen_by_a_later_run() -> None:
    play("ann", 10)
    refresh()
    accept_all(score("ann", 10), now=LATER)

    assert refresh(LATER + 2 * SETTLED_AFTER) == 1
    assert hint().event_count == 2


def test_a_void_of_all_takes_the_hint_down(quiz: Leaderboard) -> None:
    accept_all(score("ann", 90, "final"), score("bob", 20, "final"))
    refresh()
    void_match(get_rules("quiz"), "final", Decision("a test", "a bug", LATER))

    refresh(LATER + 2 * SETTLED_AFTER)

    assert (hint().event_count, hint().lead_in_match) == (0, None)


def test_each_leaderboard_has_its_own_and_only_where_the_player_scored(quiz: Leaderboard) -> None:
    LeaderboardFactory.create(slug="laps")
    accept_all(score("ann", 10, segments={"city": "hyd"}), score("bob", 10, leaderboard="laps"))
    # Moving touches the periods of all leaderboards.
    accept_all(score("ann", 10, segments={"city": "blr"}))

    refresh()

    found = Hint.objects.order_by("player_id").values_list("player__player_id", "leaderboard__slug")
    assert list(found) == [("ann", "quiz"), ("bob", "laps")]


@pytest.mark.usefixtures("quiz")
def test_a_run_stops_in_time_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "CHUNK", 2)
    accept_all(*(score(f"player-{n}", 10) for n in range(6)))

    def clock() -> Iterator[datetime]:
        # Asked at the start, before the slice, for what has settled, and twice for each chunk.
        yield from [LATER] * 5
        while True:
            yield LATER + timedelta(hours=1)

    ticks = clock()
    assert refresh_hints(lambda: next(ticks)) == 2
    assert HintProgress.objects.get().event_id == 0

    # Those of the first run are found fresh.
    assert refresh() == 4
    assert Hint.objects.count() == 6


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize(("accepted_meanwhile", "written"), [(0, 6), (1_000, 2)], ids=["quiet", "scores pour in"])
def test_while_scores_pour_in_a_run_is_short(
    monkeypatch: pytest.MonkeyPatch, accepted_meanwhile: int, written: int
) -> None:
    monkeypatch.setattr(hints, "CHUNK", 2)
    accept_all(*(score(f"player-{n}", 10) for n in range(6)))
    numbers = itertools.chain([0], itertools.repeat(accepted_meanwhile))
    monkeypatch.setattr("scoring.traffic.newest_accept_no", lambda: next(numbers))
    # Asked at the start, before the slice, for what has settled, and twice for each chunk.
    ticks = itertools.chain([LATER] * 5, itertools.repeat(LATER + timedelta(seconds=0.3)))

    assert refresh_hints(lambda: next(ticks)) == written


def test_no_plan_is_kept_from_when_there_were_no_hints(quiz: Leaderboard) -> None:
    """It would look through all of them for each player."""
    for _ in range(8):
        play("ann", 10)
        HintProgress.objects.all().delete()
        refresh()

    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        kept = [statement for (statement,) in cursor.fetchall()]
    assert any("find_settled_events" in statement for statement in kept)
    assert not any("find_stale_hints" in statement for statement in kept)


def test_an_older_hint_does_not_take_the_place_of_a_newer_one(quiz: Leaderboard) -> None:
    play("ann", 10)
    pair = Pair(Player.objects.get().pk, quiz.pk)

    assert save_hints([pair], LATER) == 1
    assert save_hints([pair], NOW) == 0
    assert hint().computed_at == LATER
