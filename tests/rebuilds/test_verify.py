"""Verify: what differs is found and named, what is on its way is not, and --fix touches only what differs."""

import json
from io import StringIO
from typing import Any

import pytest
import redis
from django.core.management import call_command
from django.core.management.base import CommandError

from boards.keys import board_keys
from scoring.models import Player, ReviewState, Total
from scoring.ranking import Ties
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "quiz:all:global"
KEYS = board_keys(BOARD)


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(scopes=["city"], min_points=-1000)
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd" if n % 2 else "pune"}) for n in range(10)))
    accept_all(score("eve", 5, details={"car": "red"}))
    deliver()
    assert not differences()
    return boards_redis


def verify(*arguments: str) -> tuple[list[dict[str, Any]], str]:
    """The lines that the command prints, and its error, empty if all is well."""
    out, err = StringIO(), StringIO()
    error = ""
    try:
        call_command("verify_board", *(arguments or (BOARD,)), stdout=out, stderr=err)
    except CommandError as caught:
        error = str(caught)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


def test_a_board_that_is_right_has_no_differences(quiz: redis.Redis) -> None:
    assert verify() == ([], "")
    assert verify("--all") == ([], "")
    assert verify("--leaderboard", "quiz") == ([], "")


def test_differences_are_told_apart_as_lines_of_json(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-1")
    quiz.zadd(KEYS.live, {"ghost": 20 * 10**10, "player-2": 0})
    quiz.hset(KEYS.details, "eve", '{"car": "blue"}')

    lines, error = verify()

    assert error == "4 differences found"
    by_player = {line["player_id"]: line for line in lines}
    assert by_player["player-1"]["kind"] == "missing"
    assert by_player["player-1"]["shown"] is None
    assert by_player["player-1"]["true"]["points"] == 11
    assert by_player["ghost"] == {
        "board": BOARD,
        "player_id": "ghost",
        "kind": "extra",
        "shown": {"points": 20, "score": "200000000000"},
        "true": None,
    }
    assert by_player["player-2"]["kind"] == "different"
    assert (by_player["player-2"]["shown"]["points"], by_player["player-2"]["true"]["points"]) == (0, 12)
    assert by_player["eve"]["shown"]["details"] == {"car": "blue"}
    assert by_player["eve"]["true"]["details"] == {"car": "red"}


def test_only_looking_changes_nothing(quiz: redis.Redis) -> None:
    quiz.zadd(KEYS.live, {"ghost": 5})
    before = quiz.zrange(KEYS.live, 0, -1, withscores=True)

    verify()

    assert quiz.zrange(KEYS.live, 0, -1, withscores=True) == before


def test_flagged_players_and_those_of_another_city_are_extra(quiz: redis.Redis) -> None:
    hyd = board_keys("quiz:all:city:hyd").live
    quiz.zadd(hyd, {"player-2": 5})
    Player.objects.filter(player_id="player-1").update(review_state=ReviewState.FLAGGED)

    found = [(line["board"], line["player_id"], line["kind"]) for line in verify("--all")[0]]

    assert sorted(found) == [
        ("quiz:all:city:hyd", "player-1", "extra"),
        ("quiz:all:city:hyd", "player-2", "extra"),
        (BOARD, "player-1", "extra"),
    ]


def test_fix_puts_right_what_differs_and_nothing_else(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-1")
    quiz.zadd(KEYS.live, {"ghost": 5, "player-2": 0, "player-3": 10**15})
    quiz.hset(KEYS.details, "eve", '{"car": "blue"}')
    quiz.hset(KEYS.details, "player-4", "{}")
    before = dict(Total.objects.values_list("player__player_id", "epoch"))

    lines, error = verify(BOARD, "--fix")

    assert error == ""
    assert len(lines) == 6
    assert verify() == ([], "")
    assert not differences()
    assert quiz.hgetall(KEYS.details) == {"eve": '{"car": "red"}'}
    begun = {
        player for player, epoch in Total.objects.values_list("player__player_id", "epoch") if epoch > before[player]
    }
    assert begun == {"player-3"}


def test_fix_takes_off_who_should_not_be_there(quiz: redis.Redis) -> None:
    quiz.zadd(board_keys("quiz:all:city:hyd").live, {"player-2": 5, 'odd "name"\xff': 1})
    Player.objects.filter(player_id="player-1").update(review_state=ReviewState.FLAGGED, epoch=1)

    assert verify("--all", "--fix")[1] == ""

    assert verify("--all") == ([], "")
    assert not differences()


def test_a_board_that_is_gone_has_everyone_missing_and_is_fixed(quiz: redis.Redis) -> None:
    quiz.flushdb()

    lines, error = verify(BOARD, "--fix")

    assert [line["kind"] for line in lines] == ["missing"] * 11
    assert error == ""
    assert verify() == ([], "")


@pytest.mark.parametrize("ties", Ties)
def test_every_tie_rule_and_a_wide_board(boards_redis: redis.Redis, ties: Ties) -> None:
    LeaderboardFactory.create(ties=ties, max_total=900_000_000, min_total=0, max_points=900_000_000)
    accept_all(*(score(f"player-{n}", 10 * n * 8_000_000) for n in range(10)))
    deliver()
    assert verify() == ([], "")

    boards_redis.zadd(KEYS.live, {"player-3": 1.5})

    assert [line["player_id"] for line in verify()[0]] == ["player-3"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--leaderboard", "nothing"), "there is no leaderboard 'nothing'"),
        (("quiz:day:global",), "quiz has no current day"),
        (("quiz:all:global", "--all"), "name boards, or --leaderboard, or --all"),
    ],
)
def test_what_can_not_be_verified_is_said(quiz: redis.Redis, arguments: tuple[str, ...], error: str) -> None:
    assert verify(*arguments) == ([], error)


@pytest.mark.usefixtures("redis_away")
def test_without_redis_it_says_so() -> None:
    LeaderboardFactory.create()

    assert verify() == ([], "the boards can't be read or written at the moment")
