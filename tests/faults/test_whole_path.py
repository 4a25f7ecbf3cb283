"""From HTTP to the boards, through processes that all work."""

from itertools import islice

import pytest

from tests.boards_truth import shown_boards
from tests.faults.game_servers import post_all
from tests.faults.quiz import Quiz, assert_all_accepted, assert_ledger_is, await_boards, ledger_of
from tests.faults.running_site import RunningSite

pytestmark = pytest.mark.slow


def test_scores_of_several_game_servers_are_on_every_board_and_boards_equal_totals(
    site: RunningSite, quiz: Quiz
) -> None:
    batches = list(islice(quiz.batches(size=100), 60))

    posts = post_all(site, batches)

    assert_all_accepted(posts)
    assert_ledger_is(quiz, ledger_of(batches))
    assert sum(post.answer.body["accepted"] for post in posts) == len(ledger_of(batches))
    assert sum(post.answer.body["duplicates"] for post in posts) > 0
    await_boards(quiz, within_seconds=20)


def test_what_is_posted_twice_moves_nothing(site: RunningSite, quiz: Quiz) -> None:
    batches = list(islice(quiz.batches(), 10))
    post_all(site, batches)
    await_boards(quiz)
    before = shown_boards(quiz.slug)

    posts = post_all(site, batches)

    assert sum(post.answer.body["accepted"] for post in posts) == 0
    assert_ledger_is(quiz, ledger_of(batches))
    await_boards(quiz)
    assert shown_boards(quiz.slug) == before
