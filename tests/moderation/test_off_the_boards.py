"""Who is flagged is off every board and stays off, whatever comes; who is back is there once, with the totals of now."""

from datetime import timedelta
from typing import Any

import pytest
import redis
import time_machine

from boards.apply import apply_players
from scoring.models import OutboxEvent, Period, Player, Total
from tests.api import get, post
from tests.boards_truth import differences, shown_boards
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score, total
from tests.moderation import acts
from tests.moderation.workers import Worker

pytestmark = pytest.mark.django_db

TOMORROW = NOW + timedelta(days=1)
ALL = "quiz:all:global"


@pytest.fixture(autouse=True)
def _quiz() -> None:
    """ann leads before bob in hyd and eve in pune, and is flagged then."""
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"], min_points=-100)
    LeaderboardFactory.create(slug="race", operator="best")
    accept_all(
        score("ann", 30, "m1", segments={"city": "hyd"}, name="Ann"),
        score("bob", 20, "m1", segments={"city": "hyd"}),
        score("eve", 10, "m1", segments={"city": "pune"}),
        score("ann", 9, leaderboard="race"),
    )
    deliver()
    acts.flag()
    deliver()


def shown_to(player_id: str) -> set[str]:
    """The boards of both leaderboards that hold the player."""
    boards = {**shown_boards("quiz"), **shown_boards("race")}
    return {board for board, lines in boards.items() if player_id in dict(lines)}


def test_a_flag_takes_a_player_off_every_board_of_every_leaderboard() -> None:
    assert shown_to("ann") == set()
    assert acts.board() == [(1, "bob", 20), (2, "eve", 10)]
    assert acts.board("quiz:day:city:hyd") == [(1, "bob", 20)]
    assert total("ann")[0] == 30


@pytest.mark.parametrize("points", [5, -5, 1_000])
def test_the_next_answers_are_recorded_and_do_not_bring_a_flagged_player_back(points: int) -> None:
    (stored,) = accept_all(score("ann", points))
    deliver()

    assert stored.totals["all"] == total("ann")[0] == 30 + points
    assert shown_to("ann") == set()


def test_a_flagged_player_is_not_on_boards_that_did_not_exist_then() -> None:
    accept_all(score("ann", 5), score("bob", 5), now=TOMORROW)
    accept_all(score("ann", 0, segments={"city": "goa"}), now=TOMORROW)
    LeaderboardFactory.create(slug="new")
    accept_all(score("ann", 5, leaderboard="new"), now=TOMORROW)
    deliver(TOMORROW)

    assert acts.board("quiz:day:2026-10-20:global", TOMORROW) == [(1, "bob", 5)]
    assert shown_to("ann") == set()
    assert shown_boards("new") == {}


def test_a_redis_that_lost_everything_does_not_get_a_flagged_player_back(boards_redis: redis.Redis) -> None:
    boards_redis.flushall()
    accept_all(score("ann", 5), score("bob", 5))
    deliver()
    apply_players(Player.objects.values_list("pk", flat=True), list(Period.objects.values_list("pk", flat=True)), NOW)

    assert shown_to("ann") == set()
    assert differences() == []


def test_what_was_read_before_the_flag_comes_too_late() -> None:
    acts.unflag()
    accept_all(score("ann", 50))
    slow = Worker("quiz")
    acts.flag()
    deliver()

    slow.write()

    assert shown_to("ann") == set()


def test_an_unflag_brings_back_exactly_the_totals_of_now() -> None:
    accept_all(score("ann", 5), score("ann", -10))
    acts.unflag()
    deliver()

    assert acts.board() == [(1, "ann", 25), (2, "bob", 20), (3, "eve", 10)]
    assert differences() == differences("race") == []


@pytest.mark.parametrize("is_delivered", [True, False])
def test_who_moves_while_flagged_comes_back_in_one_city(is_delivered: bool) -> None:
    """Unbanning once left two entries: one in the old list, one in the new."""
    accept_all(score("ann", 1, segments={"city": "pune"}))
    if is_delivered:
        deliver()
    acts.unflag()
    deliver()

    assert {board for board in shown_to("ann") if "city" in board} == {
        "quiz:all:city:pune",
        "quiz:day:2026-10-19:city:pune",
    }
    assert acts.board("quiz:all:city:hyd") == [(1, "bob", 20)]


def test_a_second_flag_is_noted_and_changes_nothing() -> None:
    epoch = Player.objects.get(player_id="ann").epoch
    OutboxEvent.objects.all().delete()

    assert acts.flag().correction.player_count == 0

    assert Player.objects.get(player_id="ann").epoch == epoch
    assert not OutboxEvent.objects.exists()


@time_machine.travel(NOW, tick=False)
def test_the_hidden_are_not_counted_in_ranks_totals_or_lists() -> None:
    assert get(f"leaderboards/{ALL}/top").json()["players"] == 2
    standing = get(f"leaderboards/{ALL}/players/bob?around=5").json()
    assert (standing["rank"], standing["players"], standing["top_percent"]) == (1, 2, 50.0)
    assert [entry["player_id"] for entry in standing["neighbours"]] == ["bob", "eve"]
    ranks = post(f"leaderboards/{ALL}/ranks", {"player_ids": ["eve", "ann"]}).json()
    assert [(entry["rank"], entry["points"]) for entry in ranks["entries"]] == [(2, 10), (None, None)]
    friends = post(f"leaderboards/{ALL}/friends", {"player_id": "eve", "friend_ids": ["ann", "bob"]}).json()
    assert [(entry["rank"], entry["board_rank"], entry["player_id"]) for entry in friends["entries"]] == [
        (1, 1, "bob"),
        (2, 2, "eve"),
    ]
    assert get(f"leaderboards/{ALL}").json()["players"] == 2
    boards = get("players/bob").json()["boards"]
    assert {(board["rank"], board["players"]) for board in boards} == {(1, 2), (1, 1)}


@time_machine.travel(NOW, tick=False)
def test_who_is_not_ranked_has_no_rank_rather_than_rank_0() -> None:
    assert get(f"leaderboards/{ALL}/players/ann").json()["code"] == "player_not_ranked"
    assert get("players/ann").json()["boards"] == []
    own = post(f"leaderboards/{ALL}/ranks", {"player_ids": ["ann", "nobody"]}).json()["entries"]
    assert [entry["rank"] for entry in own] == [None, None]


@pytest.mark.parametrize(
    "leave", [acts.flag, acts.erase, lambda who: acts.merge(who, "eve", keep="into"), lambda who: acts.void("m1", who)]
)
def test_whoever_goes_is_left_on_no_kind_of_board(leave: Any) -> None:
    acts.unflag()
    deliver()
    assert len(shown_to("ann")) == 5

    leave("ann")
    deliver()

    assert {board for board in shown_to("ann") if board.startswith("quiz")} == set()


def test_when_the_leader_goes_the_next_one_leads() -> None:
    acts.flag("bob")
    deliver()
    assert acts.board() == [(1, "eve", 10)]
    acts.flag("eve")
    deliver()
    assert acts.board() == []
    assert Total.objects.filter(period__label="all", period__leaderboard__slug="quiz").count() == 3
