"""Players change their city while scores arrive."""

import random

import pytest

from tests.boards_truth import true_boards
from tests.faults.game_servers import playing, post_all
from tests.faults.quiz import CITIES, Quiz, assert_all_accepted, assert_ledger_is, await_boards, home_of, ledger_of
from tests.faults.running_site import RunningSite

pytestmark = pytest.mark.slow


def test_who_moves_leaves_the_old_citys_boards_and_enters_the_new_ones(site: RunningSite, quiz: Quiz) -> None:
    assert_all_accepted(post_all(site, [quiz.first_batch()]))
    movers = range(0, 30, 3)
    assert {home_of(player) for player in movers} == {"hyd"}

    with playing(site, quiz.batches(city_of=lambda _: None)) as servers:
        servers.await_more(5)
        moved = post_all(site, ([quiz.score(player, 10_000, "pune")] for player in movers))
        servers.await_more(5)

    assert_all_accepted([*moved, *servers.posts])
    await_boards(quiz)
    for player in movers:
        old, new = (
            site.get(f"/v1/leaderboards/{quiz.board(scope)}/players/{quiz.player_id(player)}")
            for scope in ("city:hyd", "city:pune")
        )
        assert (old.status, old.body["code"]) == (404, "player_not_ranked")
        assert new.status == 200


def test_boards_equal_totals_when_all_wander_and_the_worker_of_corrections_is_killed(
    site: RunningSite, quiz: Quiz
) -> None:
    anywhere = random.Random(3)
    batches = quiz.batches(size=10, city_of=lambda _: anywhere.choice(CITIES) if anywhere.random() < 0.3 else None)
    home = [quiz.first_batch()]
    assert_all_accepted(post_all(site, home))

    with playing(site, batches) as servers:
        for _ in range(2):
            servers.await_more(20)
            site.restart("worker-corrections")

    assert_all_accepted(servers.posts)
    await_boards(quiz)
    assert_ledger_is(quiz, ledger_of([*home, *(post.scores for post in servers.posts)]))
    assert {f"{quiz.slug}:all:city:{city}" for city in CITIES} <= true_boards(quiz.slug).keys()
