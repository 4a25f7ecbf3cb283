"""The web processes die by SIGKILL while scores arrive."""

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
from tests.faults.running_site import RunningSite

pytestmark = pytest.mark.slow


def test_what_got_a_202_is_kept_and_the_rest_can_be_repeated(site: RunningSite, quiz: Quiz) -> None:
    with playing(site, quiz.batches()) as servers:
        servers.await_more(10)
        site.kill("web")
        servers.await_more(5, status=BROKEN)
        site.start("web")
        servers.await_more(10, status=202)

    posts = servers.posts
    assert {post.answer.status for post in posts} == {202, BROKEN}
    assert ledger_of(accepted(posts)).items() <= stored_ledger(quiz).items()

    assert_all_accepted(post_all(site, unanswered(posts)))

    assert_ledger_is(quiz, ledger_of(post.scores for post in posts))
    await_boards(quiz)
