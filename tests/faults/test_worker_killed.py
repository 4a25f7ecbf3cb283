"""Workers die by SIGKILL while they apply: nothing is missing afterwards, nothing counted twice."""

import contextlib
import random
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.utils import timezone

from scoring.models import OutboxEvent
from tests.boards_truth import differences
from tests.faults.game_servers import playing, post_all
from tests.faults.quiz import Quiz, assert_all_accepted, assert_ledger_is, await_boards, ledger_of
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow

WAITING_FOR_PLAYERS = """
SELECT count(*) FROM pg_locks
WHERE NOT granted AND relation = 'scoring_player'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = %s)
"""


@contextlib.contextmanager
def caught_while_applying(site: RunningSite, quiz: Quiz) -> Iterator[None]:
    """In the block, worker-live has taken the first scores and can't read their players, since the table is locked."""
    # These read players too.
    site.kill("worker-corrections")
    site.kill("worker-rebuilds")
    site.pause("worker-live")
    assert_all_accepted(post_all(site, [quiz.first_batch()]))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE scoring_player IN ACCESS EXCLUSIVE MODE")
        site.resume("worker-live")

        def is_caught() -> bool:
            cursor.execute(WAITING_FOR_PLAYERS, [connection.settings_dict["NAME"]])
            return bool(cursor.fetchone()[0])

        eventually(is_caught, "no worker reads players")
        yield


def test_a_worker_that_is_killed_while_applying_loses_nothing(site: RunningSite, quiz: Quiz) -> None:
    with caught_while_applying(site, quiz):
        site.kill("worker-live")
    assert differences(quiz.slug)

    site.start("worker-live")

    await_boards(quiz)
    assert_ledger_is(quiz, ledger_of([quiz.first_batch()]))


def test_a_task_whose_process_is_killed_is_redelivered(site: RunningSite, quiz: Quiz) -> None:
    # With such a lease, only the redelivered task can do it.
    site.restart("worker-live", OUTBOX_LEASE_SECONDS="600")

    with caught_while_applying(site, quiz):
        assert site.kill_children("worker-live") > 0
    await_boards(quiz)

    site.restart("worker-live")


def await_applying() -> None:
    """Return once something more has been applied."""
    eventually(OutboxEvent.objects.filter(applied_at__gte=timezone.now()).exists, "nothing is applied")


def test_scores_are_neither_missing_nor_doubled_when_the_worker_is_killed_again_and_again(
    site: RunningSite, quiz: Quiz
) -> None:
    moments = random.Random(7)
    with playing(site, quiz.batches()) as servers:
        for _ in range(3):
            await_applying()
            servers.await_more(moments.randint(1, 10))
            site.restart("worker-live")
        for _ in range(3):
            # A worker that loses all its children in the moment it starts gives up, and its keeper starts it anew.
            await_applying()
            servers.await_more(moments.randint(1, 10))
            site.kill_children("worker-live")

    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of(post.scores for post in servers.posts))
