"""What jobs have written down about players who are erased."""

from uuid import uuid4

import pytest

from rebuilds.models import BoardJob
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db


def test_a_jobs_problem_no_longer_names_who_was_erased() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"))
    job = BoardJob.objects.create(
        kind=BoardJob.Kind.VERIFY,
        board="quiz:all:global",
        request=uuid4(),
        asked_by="a test",
        asked_at=NOW,
        problem="1 rows, such as ann's, are lowered again and again",
    )

    erase_player("ann", Decision("a test", "asked", NOW))

    job.refresh_from_db()
    assert job.problem == "1 rows, such as -'s, are lowered again and again"
