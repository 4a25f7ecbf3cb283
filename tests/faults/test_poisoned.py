"""An outbox event that can't be applied does not hold up the others, and is set aside for a person."""

from collections.abc import Iterator

import pytest
from django.db.models import F

from scoring.models import OutboxEvent, Player, Total
from scoring.outbox import retry_set_aside
from tests.faults.game_servers import post_all
from tests.faults.quiz import Quiz, assert_all_accepted, await_boards, await_empty_outbox, await_lines
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow

MAX_ATTEMPTS = 2
UNPACKABLE = 10**8


@pytest.fixture
def _impatient_worker(site: RunningSite) -> Iterator[None]:
    site.restart("worker-live", OUTBOX_MAX_ATTEMPTS=str(MAX_ATTEMPTS))
    yield
    site.restart("worker-live")


@pytest.mark.usefixtures("_impatient_worker")
def test_a_total_that_no_board_can_show_is_set_aside_and_the_rest_go_on(site: RunningSite, quiz: Quiz) -> None:
    poisoned, *others = range(30)
    assert_all_accepted(post_all(site, [quiz.first_batch(30)]))
    await_boards(quiz)

    # All of these wait in the outbox together.
    site.pause("worker-live")
    assert_all_accepted(post_all(site, ([quiz.score(player, 1)] for player in (poisoned, *others))))
    player = Player.objects.get(player_id=quiz.player_id(poisoned))
    totals = Total.objects.filter(player_id=player.pk)
    totals.update(points=F("points") + UNPACKABLE)
    # Nor do the events carry anything else.
    OutboxEvent.objects.waiting().filter(player_ids__contains=[player.pk]).update(points=None)
    site.resume("worker-live")

    await_lines(quiz, others)
    aside = eventually(
        lambda: list(OutboxEvent.objects.set_aside().filter(player_ids=[player.pk])), "nothing was set aside"
    )
    assert [(event.attempts, event.problem.split(":")[0]) for event in aside] == [(MAX_ATTEMPTS, "CannotShow")]
    await_empty_outbox()

    # A person mends it.
    totals.update(points=F("points") - UNPACKABLE)
    assert retry_set_aside([event.pk for event in aside]) == 1
    await_boards(quiz)
