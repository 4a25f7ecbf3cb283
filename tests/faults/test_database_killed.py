"""PostgreSQL dies by SIGKILL while scores arrive: what got a 202 is there, the rest can be repeated."""

import pytest

from tests.faults.game_servers import playing, post_all
from tests.faults.http_client import BROKEN
from tests.faults.quiz import (
    Quiz,
    accepted,
    assert_all_accepted,
    assert_ledger_is,
    await_boards,
    ledger_of,
    stored_ledger,
    unanswered,
)
from tests.faults.running_site import PROGRAMS, RunningSite

pytestmark = pytest.mark.slow


def test_what_got_a_202_is_kept_the_rest_can_be_repeated_and_everything_recovers_by_itself(
    site: RunningSite, quiz: Quiz
) -> None:
    before = site.process_ids()
    with playing(site, quiz.batches()) as servers:
        servers.await_more(10)
        site.kill("database")
        servers.await_more(5, status=503)
        readiness = site.readiness()
        # Who has read the rules before can still answer.
        top = site.get(f"/v1/leaderboards/{quiz.board()}/top")
        site.start("database")
        servers.await_more(10, status=202)

    posts = servers.posts
    assert readiness.status == 503
    assert readiness.body == {
        "status": "down",
        "parts": {"database": "down", "redis": "ok", "boards": "ok", "broker": "ok"},
    }
    assert top.status == 200
    assert {post.answer.status for post in posts} <= {202, 503, BROKEN}
    refusals = [post.answer for post in posts if post.answer.status == 503]
    assert {answer.body["code"] for answer in refusals} == {"database_unavailable"}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refusals)
    assert ledger_of(accepted(posts)).items() <= stored_ledger(quiz).items()

    assert_all_accepted(post_all(site, unanswered(posts)))

    assert_ledger_is(quiz, ledger_of(post.scores for post in posts))
    await_boards(quiz)
    after = site.process_ids()
    assert {name: after[name] for name in PROGRAMS} == {name: before[name] for name in PROGRAMS}


def test_scores_that_wait_in_the_outbox_survive_and_are_swept_to_the_boards(site: RunningSite, quiz: Quiz) -> None:
    site.pause("worker-live")
    batches = [quiz.first_batch()]
    assert_all_accepted(post_all(site, batches))
    site.kill("database")
    site.resume("worker-live")

    site.start("database")

    # No score, so no nudge, comes any more.
    await_boards(quiz)
    assert_ledger_is(quiz, ledger_of(batches))
