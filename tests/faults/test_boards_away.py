"""The boards' Redis is stopped, killed, or hangs: scores are accepted, reads say so, and boards catch up by themselves."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.game_servers import GameServers, playing, post_all
from tests.faults.quiz import (
    PLAYERS,
    Quiz,
    assert_all_accepted,
    assert_ledger_is,
    await_boards,
    await_empty_outbox,
    await_lines,
    ledger_of,
    slowest_seconds,
)
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow

QUICK_SECONDS = 1.8
"""A post takes milliseconds; one that waited for a Redis that hangs would take its time limit of 2 seconds."""


def accept_scores_without_boards(site: RunningSite, servers: GameServers, quiz: Quiz) -> None:
    during = servers.await_more(20)
    assert_all_accepted(during)
    assert slowest_seconds(during) < QUICK_SECONDS
    board = f"/v1/leaderboards/{quiz.board()}"
    # A top page that was read before may be shown for another second.
    eventually(lambda: site.get(f"{board}/top").status == 503, "top is still answered")
    # At once, since each may take the whole time limit.
    with ThreadPoolExecutor() as threads:
        reads = [
            threads.submit(site.get, f"{board}/top?n=3"),
            threads.submit(site.get, f"{board}/players/{quiz.player_id(1)}"),
            threads.submit(site.post, f"{board}/ranks", {"player_ids": [quiz.player_id(1)]}),
        ]
        asked = threads.submit(site.readiness)
    for answer in (read.result() for read in reads):
        assert answer.status == 503
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.body == {
            "code": "boards_unavailable",
            "detail": "the boards can't be read or written at the moment",
            "errors": [],
        }
    readiness = asked.result()
    assert readiness.status == 503
    assert readiness.headers["retry-after"] == "1"
    assert readiness.body == {
        "status": "down",
        "parts": {"database": "ok", "redis": "down", "boards": "down", "broker": "ok"},
    }


def test_redis_is_stopped_and_comes_back_with_what_it_had(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        servers.await_more(5)
        site.stop("boards")
        accept_scores_without_boards(site, servers, quiz)

    site.start("boards")
    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of(post.scores for post in servers.posts))
    assert site.get(f"/v1/leaderboards/{quiz.board()}/top").status == 200


def test_redis_hangs_and_goes_on(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        servers.await_more(5)
        site.pause("boards")
        accept_scores_without_boards(site, servers, quiz)

    site.resume("boards")
    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of(post.scores for post in servers.posts))


def test_redis_comes_back_empty_and_gets_what_waited_and_what_comes_then(site: RunningSite, quiz: Quiz) -> None:
    before, meanwhile, afterwards = (range(n * PLAYERS, (n + 1) * PLAYERS) for n in range(3))
    assert_all_accepted(post_all(site, [[quiz.score(player, 1) for player in before]]))
    await_empty_outbox()

    site.kill("boards")
    assert_all_accepted(post_all(site, ([quiz.score(player, 1)] for player in meanwhile)))
    site.start("boards")
    # No score, so no nudge, comes before these are seen.
    await_lines(quiz, meanwhile)

    assert_all_accepted(post_all(site, ([quiz.score(player, 1)] for player in afterwards)))
    await_lines(quiz, [*meanwhile, *afterwards])
    await_empty_outbox()
