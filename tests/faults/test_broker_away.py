"""The broker is dead, or hangs: scores are accepted all the same, and at once. It comes back with or without its memory."""

import pytest

from leaderboard_site.embedded import places
from tests.faults.game_servers import GameServers, playing
from tests.faults.quiz import (
    Quiz,
    assert_all_accepted,
    assert_ledger_is,
    await_boards,
    ledger_of,
    slowest_seconds,
)
from tests.faults.running_site import RunningSite

pytestmark = pytest.mark.slow

QUICK_SECONDS = 2.5
"""A post takes milliseconds; one that waited for a broker that hangs would take its time limit of 5 seconds."""


def accept_scores_without_broker(site: RunningSite, servers: GameServers) -> None:
    during = servers.await_more(20)
    assert_all_accepted(during)
    assert slowest_seconds(during) < QUICK_SECONDS
    readiness = site.readiness()
    assert readiness.status == 200
    assert readiness.body == {
        "status": "degraded",
        "parts": {"database": "ok", "redis": "ok", "boards": "ok", "broker": "down"},
    }


def test_the_broker_is_killed_and_what_came_meanwhile_is_swept_to_the_boards(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        servers.await_more(5)
        site.kill("broker")
        accept_scores_without_broker(site, servers)

    # No score, so no nudge, comes any more: beat's sweep has to do it.
    site.start("broker")
    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of(post.scores for post in servers.posts))


def test_the_broker_hangs_and_what_came_meanwhile_is_swept_to_the_boards(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        servers.await_more(5)
        site.pause("broker")
        accept_scores_without_broker(site, servers)

    site.resume("broker")
    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of(post.scores for post in servers.posts))


def test_the_broker_loses_its_messages_and_the_leases_bring_them_back(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        for _ in range(5):
            servers.await_more(5)
            with site.redis(places.BROKER) as broker:
                broker.flushall()

    await_boards(quiz)
    assert_all_accepted(servers.posts)


def test_scores_go_on_while_the_broker_is_restarted_again_and_again(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        for _ in range(3):
            servers.await_more(5)
            site.restart("broker")

    assert_all_accepted(servers.posts)
    await_boards(quiz)
