"""Entries carry the rank of the newest snapshot, where the leaderboard wants it."""

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone

from boards.board_ids import find_board
from boards.clearing import clear_leftovers
from boards.erasure import finish_erasures
from boards.keys import board_keys
from boards.previous import fill_previous, swap_previous
from boards.top_cache import forget_top_pages
from rebuilds import previous_ranks
from rebuilds.audit import audit_expiry
from rebuilds.previous_ranks import show_previous_ranks
from rebuilds.snapshot_pruning import prune_snapshots
from rebuilds.snapshots import take_snapshot
from scoring.models import Leaderboard, Player
from scoring.moderation.erasing import REMEMBERED
from scoring.rules import forget_rules
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.moderation import acts
from tests.rebuilds.test_snapshots import in_a_thread

pytestmark = pytest.mark.django_db(transaction=True)

HYD, PNQ = {"city": "hyd"}, {"city": "pnq"}
GLOBAL, CITY = "quiz:all:global", "quiz:all:city:hyd"


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> Leaderboard:
    quiz = LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], show_previous_rank=True)
    play(score("ann", 30, segments=HYD), score("bob", 20, segments=PNQ), score("eve", 10, segments=HYD))
    return quiz


def play(*scores: Any) -> None:
    accept_all(*scores, now=timezone.now())
    deliver(timezone.now())
    forget_top_pages()


def take(quiz: Leaderboard) -> None:
    assert take_snapshot(quiz, timezone.now)
    show_previous_ranks(timezone.now())
    forget_top_pages()


def of(board_id: str = GLOBAL) -> dict[str, int | None]:
    return {entry.player_id: entry.previous_rank for entry in acts.entries(board_id, timezone.now())}  # type: ignore[misc]


def set_rule(shown: bool) -> None:
    Leaderboard.objects.update(show_previous_rank=shown)
    forget_rules()
    forget_top_pages()


def get(client: Client, path: str) -> Any:
    response = client.get(f"/v1/leaderboards/{path}")
    assert response.status_code == 200, response.content
    return response.json()


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    response = client.post(f"/v1/leaderboards/{path}", body, content_type="application/json")
    assert response.status_code == 200, response.content
    return response.json()


def test_every_answer_carries_it(quiz: Leaderboard, client: Client) -> None:
    take(quiz)
    play(score("eve", 25), score("new", 1, segments=HYD))

    entries = [(1, "eve", 3), (2, "ann", 1), (3, "bob", 2), (4, "new", None)]

    def shown(answer: list[dict[str, Any]]) -> list[tuple[Any, Any, Any]]:
        return [(entry["rank"], entry["player_id"], entry["previous_rank"]) for entry in answer]

    assert shown(get(client, f"{GLOBAL}/top")["entries"]) == entries
    player = get(client, f"{GLOBAL}/players/ann?around=1")
    assert (player["rank"], player["previous_rank"]) == (2, 1)
    assert shown(player["neighbours"]) == entries[:3]
    ranks = post(client, f"{GLOBAL}/ranks", {"player_ids": ["new", "nobody", "ann"]})["entries"]
    assert shown(ranks) == [entries[3], (None, "nobody", None), entries[1]]
    friends = post(client, f"{GLOBAL}/friends", {"player_id": "eve", "friend_ids": ["bob"]})["entries"]
    assert shown(friends) == [(1, "eve", 3), (2, "bob", 2)]
    assert shown(get(client, f"{CITY}/top")["entries"]) == [(1, "eve", 2), (2, "ann", 1), (3, "new", None)]
    assert shown(get(client, "quiz:day:global/top")["entries"]) == entries


def test_before_the_first_snapshot_it_is_null(quiz: Leaderboard) -> None:
    assert show_previous_ranks(timezone.now()) == 0
    assert of() == {"ann": None, "bob": None, "eve": None}


def test_leaderboards_that_do_not_want_it_leave_it_out(quiz: Leaderboard, client: Client, boards_redis: Any) -> None:
    set_rule(shown=False)
    take(quiz)

    assert "previous_rank" not in get(client, f"{GLOBAL}/top")["entries"][0]
    assert "previous_rank" not in get(client, f"{GLOBAL}/players/ann")
    assert not boards_redis.keys("*previous")

    set_rule(shown=True)
    assert show_previous_ranks(timezone.now()) == 2
    assert of() == {"ann": 1, "bob": 2, "eve": 3}

    set_rule(shown=False)
    audit_expiry(timezone.now)
    assert not boards_redis.keys("*previous")


def test_the_next_snapshot_replaces_them_on_boards_that_nobody_is_left_on_too(
    quiz: Leaderboard, boards_redis: Any
) -> None:
    take(quiz)
    pnq = board_keys("quiz:all:city:pnq").previous
    assert of("quiz:all:city:pnq") == {"bob": 1}
    play(score("bob", 50, segments=HYD))
    # Read before he left, and written after that.
    boards_redis.hset(pnq, mapping={"": 1, "bob": 1})
    take(quiz)
    assert not boards_redis.exists(pnq)
    play(score("bob", 1, segments=PNQ))

    assert of("quiz:all:city:pnq") == {"bob": None}
    assert of() == {"bob": 1, "ann": 2, "eve": 3}
    assert show_previous_ranks(timezone.now()) == 0


@pytest.mark.parametrize("lost", ["all of it", "one period's", "what a rebuild after a loss can not trust"])
def test_they_come_back_by_themselves(quiz: Leaderboard, boards_redis: Any, lost: str) -> None:
    take(quiz)
    before = {key: boards_redis.hgetall(key) for key in boards_redis.keys("*previous")}
    if lost == "all of it":
        boards_redis.flushall()
    elif lost == "one period's":
        boards_redis.delete(*boards_redis.keys("{lb:quiz:day:*previous"))
    else:
        boards_redis.hset(board_keys(GLOBAL).previous, "erased since", 1)
        clear_leftovers(fences=True)

    show_previous_ranks(timezone.now())

    assert len(before) == 6
    assert {key: boards_redis.hgetall(key) for key in boards_redis.keys("*previous")} == before


def test_a_worker_that_dies_at_the_swaps_is_followed_by_another(
    quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = swap_previous
    swaps: list[Any] = []

    def swap_and_die(*given: Any, **more: Any) -> bool:
        if len(swaps) == 2:
            raise KeyboardInterrupt
        swaps.append(given)
        return original(*given, **more)

    assert take_snapshot(quiz, timezone.now)
    with monkeypatch.context() as patch:
        patch.setattr(previous_ranks, "swap_previous", swap_and_die)
        with pytest.raises(KeyboardInterrupt):
            show_previous_ranks(timezone.now())
    assert of() == {"ann": None, "bob": None, "eve": None}
    monkeypatch.setattr("boards.previous.LEFT_ALONE_MS", 0)

    show_previous_ranks(timezone.now())

    for period in ("all", "day"):
        assert of(f"quiz:{period}:global") == {"ann": 1, "bob": 2, "eve": 3}
        assert of(f"quiz:{period}:city:hyd") == {"ann": 1, "eve": 2}
        assert of(f"quiz:{period}:city:pnq") == {"bob": 1}


def test_a_snapshot_that_is_pruned_while_it_is_read_is_not_shown(
    quiz: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = fill_previous

    def fill_while_it_is_pruned(*given: Any) -> bool:
        take_snapshot(quiz, timezone.now)
        prune_snapshots(timezone.now(), kept=1, seconds=5)
        return original(*given)

    take_snapshot(quiz, timezone.now)
    with monkeypatch.context() as patch:
        patch.setattr(previous_ranks, "fill_previous", fill_while_it_is_pruned)
        assert show_previous_ranks(timezone.now()) == 0
    assert of() == {"ann": None, "bob": None, "eve": None}

    assert show_previous_ranks(timezone.now()) == 2


def test_whoever_is_erased_leaves_none_to_the_next_of_that_id(quiz: Leaderboard, boards_redis: Any) -> None:
    take(quiz)
    acts.erase("ann", now=timezone.now())
    play(score("ann", 5, segments=HYD))

    assert of() == {"bob": 2, "eve": 3, "ann": None}


def test_a_fill_that_had_read_an_erased_player_leaves_no_trace(
    quiz: Leaderboard, boards_redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = fill_previous
    erased: list[Any] = []

    def fill_after_an_erasure(*given: Any) -> bool:
        if not erased:
            erased.append(in_a_thread(lambda: acts.erase("ann", now=timezone.now())))
            deliver(timezone.now())
        return original(*given)

    monkeypatch.setattr(previous_ranks, "fill_previous", fill_after_an_erasure)
    take(quiz)
    finish_erasures(timezone.now() + 2 * REMEMBERED)

    assert not [key for key in boards_redis.keys("*previous*") if boards_redis.hexists(key, "ann")]


def test_the_flagged_have_none_and_those_who_are_merged_neither(quiz: Leaderboard, boards_redis: Any) -> None:
    take(quiz)
    acts.flag("bob", now=timezone.now())
    acts.merge("eve", "ann", now=timezone.now())
    deliver(timezone.now())

    found = boards_redis.hgetall(board_keys(GLOBAL).previous)

    assert {player_id for player_id in found if player_id} == {"ann"}


def test_closed_periods_are_left_as_they_are(quiz: Leaderboard, boards_redis: Any) -> None:
    assert take_snapshot(quiz, timezone.now)

    show_previous_ranks(timezone.now() + timedelta(days=2))

    assert set(boards_redis.keys("*previous")) == {
        board_keys(f"quiz:all:{scope}").previous for scope in ("global", "city:hyd", "city:pnq")
    }


def test_they_expire_with_the_board_and_the_audit_finds_nothing(quiz: Leaderboard, boards_redis: Any) -> None:
    take(quiz)
    day = board_keys(find_board("quiz:day:global", timezone.now()).id)

    assert abs(boards_redis.ttl(day.previous) - boards_redis.ttl(day.live)) <= 2
    assert boards_redis.ttl(board_keys(GLOBAL).previous) == -1
    assert not audit_expiry(timezone.now)

    boards_redis.persist(day.previous)
    assert audit_expiry(timezone.now) == {"no_expiry": 1}
    assert Player.objects.count() == 3
