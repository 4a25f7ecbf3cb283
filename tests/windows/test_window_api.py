"""Custom windows over HTTP: what a studio sees from the first question on."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone

from rebuilds.models import BoardJob
from rebuilds.windows import ask_builds
from scoring.rules import get_rules
from tests.api import get, post, problem
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.rebuilds.working import run, sweep, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def window(boards_redis: redis.Redis, settings: Any) -> str:
    """The id of one that holds today and yesterday, and has not been asked for."""
    settings.TOP_CACHE_SECONDS = 0
    now = timezone.now()
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"], day_starts_at_hour=(now.hour + 12) % 24)
    accept_all(score("ann", 30, name="Ann"), score("bob", 20, segments={"city": "hyd"}), now=now - timedelta(days=1))
    accept_all(score("bob", 15), score("eve", 10), now=now)
    deliver(now)
    return id_of(now)


def id_of(now: datetime, scope: str = "global", days: int = 2) -> str:
    today = get_rules("quiz").calendar.day_of(now)
    return f"quiz:window:{today - timedelta(days=days - 1)}..{today}:{scope}"


def build() -> None:
    assert ask_builds(timezone.now()) == 1
    work(timezone.now())


def test_every_question_says_that_it_is_being_built_until_it_is(window: str) -> None:
    questions: tuple[Callable[[], Any], ...] = (
        lambda: get(f"leaderboards/{window}/top"),
        lambda: get(f"leaderboards/{window}/players/bob"),
        lambda: post(f"leaderboards/{window}/ranks", {"player_ids": ["bob"]}),
        lambda: post(f"leaderboards/{window}/friends", {"player_id": "bob", "friend_ids": ["eve"]}),
    )
    for ask in questions:
        refused = ask()
        assert problem(refused) == (503, "board_building")
        assert refused["Retry-After"] == "1"
        assert window in refused.json()["detail"]
    build()

    top, standing, ranks, friends = (ask().json() for ask in questions)

    assert [(entry["rank"], entry["player_id"], entry["points"]) for entry in top["entries"]] == [
        (1, "bob", 35),
        (2, "ann", 30),
        (3, "eve", 10),
    ]
    assert top["entries"][1]["name"] == "Ann"
    assert (top["board"], top["players"]) == (window, 3)
    assert "closed" not in top
    assert (standing["rank"], standing["points"], standing["players"]) == (1, 35, 3)
    assert ranks["entries"] == [{"rank": 1, "player_id": "bob", "name": None, "points": 35}]
    assert [(one["rank"], one["board_rank"]) for one in friends["entries"]] == [(1, 1), (2, 3)]


def test_the_board_itself_says_how_far_it_is(window: str) -> None:
    def state() -> tuple[str, float | None]:
        answer = get(f"leaderboards/{window}").json()
        return answer["state"], answer.get("progress")

    assert state() == ("building", None)
    assert ask_builds(timezone.now()) == 1
    assert state() == ("building", 0.0)
    (turn,) = sweep(timezone.now())
    following = run(turn, timezone.now(), seconds=0)
    BoardJob.objects.update(expected=3, loaded=3, verified=0)
    assert state() == ("building", 50.0)
    while following:
        following = run(following, timezone.now())

    assert state() == ("live", None)
    answer = get(f"leaderboards/{window}").json()
    assert (answer["players"], answer["period"], answer["closes_at"]) == (3, window.split(":", 1)[1][:-7], None)


def test_one_too_many_is_told_so(window: str, settings: Any) -> None:
    settings.WINDOWS_AT_ONCE = 1
    assert problem(get(f"leaderboards/{window}/top")) == (503, "board_building")

    refused = get(f"leaderboards/{id_of(timezone.now(), 'city:hyd')}/top")

    assert problem(refused) == (503, "too_many_windows")
    assert refused["Retry-After"] == "60"


@pytest.mark.parametrize(
    ("board", "status", "code"),
    [
        ("quiz:window:2026-10-19..2026-10-13:global", 404, "board_not_found"),
        ("quiz:window:2026-02-30..2026-03-13:global", 404, "board_not_found"),
        ("quiz:window:2020-01-01..2026-10-13:global", 400, "window_too_long"),
        ("quiz:window:2999-01-01..2999-01-02:global", 400, "window_in_the_future"),
        ("nothing:window:2026-10-13..2026-10-19:global", 404, "leaderboard_not_found"),
    ],
)
def test_what_can_be_no_window_is_refused(window: str, board: str, status: int, code: str) -> None:
    assert problem(get(f"leaderboards/{board}/top")) == (status, code)
    assert problem(get(f"leaderboards/{board}")) == (status, code)


def test_windows_are_on_no_list_of_boards(window: str) -> None:
    get(f"leaderboards/{window}/top")
    build()

    assert "window" not in get("leaderboards").content.decode()
    assert [one["board"].split(":")[1] for one in get("players/bob").json()["boards"]] == ["day", "day"]


def test_how_many_there_are_is_a_metric(window: str, settings: Any) -> None:
    settings.WINDOWS_AT_ONCE = 7
    get(f"leaderboards/{window}/top")

    figures = Client().get("/metrics").content.decode().splitlines()

    assert "leaderboard_windows 1.0" in figures
    assert "leaderboard_windows_limit 7.0" in figures
