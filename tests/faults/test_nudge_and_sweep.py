"""Each of the two ways from a commit to the relay is enough: the nudge without beat, beat's sweep without the nudge."""

from itertools import islice

import pytest
from django.db import connection

from leaderboard_site.embedded import places
from tests.boards_truth import shown_boards
from tests.faults.game_servers import playing, post_all
from tests.faults.quiz import Quiz, assert_all_accepted, await_boards
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow


def test_without_beat_the_nudge_is_enough(site: RunningSite, quiz: Quiz) -> None:
    site.kill("beat")
    with playing(site, quiz.batches()) as servers:
        servers.await_more(20)

    await_boards(quiz)
    assert_all_accepted(servers.posts)


def test_nor_does_it_get_lost_with_a_connection_that_died_unused(site: RunningSite, quiz: Quiz) -> None:
    """A task that fails is made up for by the sweep, once its lease has run out; here there is none."""
    assert_all_accepted(post_all(site, [quiz.first_batch()]))
    await_boards(quiz)
    site.kill("beat")
    site.restart("database")
    connection.close()
    eventually(lambda: site.readiness().status == 200, "the site does not get well")

    assert_all_accepted(post_all(site, [quiz.first_batch(), *islice(quiz.batches(), 3)]))

    await_boards(quiz, within_seconds=20)


def test_without_the_nudge_the_sweep_is_enough(site: RunningSite, quiz: Quiz) -> None:
    # Not paused: the broker would hand the nudge to its open connection.
    site.kill("worker-live")
    site.pause("beat")
    with site.redis(places.BROKER) as broker:
        broker.delete("live")
        assert_all_accepted(post_all(site, [quiz.first_batch()]))
        eventually(lambda: broker.llen("live"), "no nudge was sent")
        # Here the nudge gets lost.
        broker.delete("live")
    site.start("worker-live")
    assert shown_boards(quiz.slug) == {}

    site.resume("beat")

    await_boards(quiz)
