"""Boards of one city: read by who is in it, in any number of parts, while players move."""

from typing import Any

import pytest
import redis

from boards import staging
from boards.board_ids import find_board
from rebuilds.truth import Truth
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask, rebuild, work

pytestmark = pytest.mark.django_db

HYD = "quiz:all:city:hyd"


@pytest.fixture
def quiz(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> redis.Redis:
    """Ten players by turns of hyd and pune; two of hyd who have never played this quiz."""
    LeaderboardFactory.create(scopes=["city"])
    LeaderboardFactory.create(slug="other", scopes=["city"])
    accept_all(*(score(f"stranger-{n}", 5, leaderboard="other", segments={"city": "hyd"}) for n in range(2)))
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": ("hyd", "pune")[n % 2]}) for n in range(10)))
    deliver()
    monkeypatch.setattr("rebuilds.truth.TOTALS_AT_ONCE", 2)
    monkeypatch.setattr("rebuilds.truth.READ_WHOLE", 9)
    return boards_redis


@pytest.mark.parametrize("members_at_once", [1, 2, 3, 100])
def test_a_citys_board_comes_back_from_its_own_players(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch, members_at_once: int
) -> None:
    monkeypatch.setattr("rebuilds.truth.MEMBERS_AT_ONCE", members_at_once)
    quiz.delete(f"lb:{HYD}")

    job = rebuild(HYD)

    assert (job.state, job.expected, job.loaded, job.verified) == ("done", 5, 5, 5)
    assert not differences()


def test_of_a_small_period_all_totals_are_looked_at(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """The city may hold everybody who ever played anything."""
    monkeypatch.setattr("rebuilds.truth.READ_WHOLE", 10)
    monkeypatch.setattr("rebuilds.truth.load_members", lambda *_: 1 // 0)
    quiz.delete(f"lb:{HYD}")

    job = rebuild(HYD)

    assert (job.state, job.expected, job.loaded, job.verified) == ("done", 5, 5, 5)
    assert not differences()


def test_players_are_read_again_from_wherever_one_begins(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rebuilds.truth.MEMBERS_AT_ONCE", 2)
    truth = Truth(find_board(HYD, NOW))

    assert players_of(truth) == players_of(truth) == [f"player-{n}" for n in range(0, 10, 2)]


def players_of(truth: Truth) -> list[str]:
    found: list[str] = []
    after = 0
    while (portion := truth.portion(after)).last is not None:
        found += portion.rows.player_ids
        after = portion.last
    return found


def test_who_moves_in_or_out_after_the_players_were_listed_is_where_he_belongs(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = staging.load
    moved: list[object] = []

    def move_and_load(*arguments: Any) -> bool:
        if not moved and any(rows.player_ids for rows in arguments[2]):
            moved.append(
                accept_all(
                    *(score(f"player-{n}", 1, segments={"city": "hyd"}) for n in (1, 9)),
                    *(score(f"player-{n}", 1, segments={"city": "pune"}) for n in (0, 8)),
                )
            )
            deliver()
        return load(*arguments)

    monkeypatch.setattr(staging, "load", move_and_load)
    (job,) = ask(HYD)

    work()

    job.refresh_from_db()
    assert moved
    assert (job.state, job.problem, job.difference_count) == ("done", "", 0)
    assert set(quiz.zrange(f"lb:{HYD}", 0, -1)) == {f"player-{n}" for n in (1, 2, 4, 6, 9)}
    assert not differences()
