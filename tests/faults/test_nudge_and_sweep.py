"""Each of the two ways from a commit to the relay is enough: the nudge without beat, beat's sweep without the nudge."""

import pytest

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
