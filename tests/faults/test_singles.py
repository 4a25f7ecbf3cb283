"""Single posts at full speed while the web processes are killed, or end politely."""

import pytest

from tests.faults.http_client import BROKEN
from tests.faults.quiz import Quiz, Score, assert_ledger_is, await_boards, ledger_of, stored_ledger
from tests.faults.running_site import RunningSite
from tests.faults.singles import post_singles, posting, scores_of

pytestmark = pytest.mark.slow


def in_ledger(scores: list[Score]) -> dict[tuple[str, str], int]:
    return ledger_of([scores])


def test_of_posts_under_way_at_a_sigkill_those_with_a_202_are_kept_and_the_rest_can_be_repeated(
    site: RunningSite, quiz: Quiz
) -> None:
    with posting(site, scores_of(quiz)) as singles:
        # After the first ones, whose players are new, at full speed: 5,000 a second and more on two cores.
        singles.await_answers(1_000)
        singles.await_answers(5_000)
        site.kill("web")
        singles.await_answers(64, BROKEN)
        site.start("web")
        singles.await_answers(500)

    assert {status for _, status in singles.answers} == {202, BROKEN}
    assert in_ledger(singles.with_status(202)).items() <= stored_ledger(quiz).items()

    repeated = post_singles(site, singles.with_status(BROKEN))

    assert {status for _, status in repeated.answers} == {202}
    assert_ledger_is(quiz, in_ledger([score for score, _ in singles.answers]))
    await_boards(quiz)


def test_a_polite_end_answers_all_that_it_has_taken(site: RunningSite, quiz: Quiz) -> None:
    with posting(site, scores_of(quiz)) as singles:
        singles.await_answers(1_000)
        site.stop("web")

    # Whoever got no answer was not heard, either.
    assert_ledger_is(quiz, in_ledger(singles.with_status(202)))
    site.start("web")
    await_boards(quiz)
