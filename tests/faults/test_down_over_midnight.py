"""The site is down while a day ends: the day is archived and told of once it is back, and read from the archive."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from rebuilds.models import PeriodNotice, Webhook
from scoring.models import Period
from tests.archive.receiver import answer, receiver
from tests.factories import accept_all, score
from tests.faults.quiz import Quiz
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually
from tests.process_caches import forget_everything

pytestmark = pytest.mark.slow


@pytest.fixture
def worker(site: RunningSite) -> Iterator[dict[str, str]]:
    """The worker of rebuilds is down; its variables."""
    forget_everything()
    site.kill("beat")
    site.kill("worker-rebuilds")
    yield {"WEBHOOKS_TO_PRIVATE_ADDRESSES": "true"}
    site.kill("worker-rebuilds")
    forget_everything()


def test_a_day_that_ended_while_the_site_was_down(site: RunningSite, quiz: Quiz, worker: dict[str, str]) -> None:
    then = timezone.now() - timedelta(days=2)
    scores = [score(quiz.player_id(player), player, leaderboard=quiz.slug) for player in range(1, 6)]
    accept_all(*scores, now=then)
    day = Period.objects.get(leaderboard__slug=quiz.slug, kind="day")
    top = f"/v1/leaderboards/{quiz.slug}:{day.label}:global/top"

    # Each notice is refused once, as by a game server that is just starting too.
    with receiver(answer(503), answer(200)) as rewards:
        Webhook.objects.create(url=rewards.url)
        site.start("worker-rebuilds", **worker)
        site.start("beat")
        eventually(lambda: len(rewards.received) >= 2, "the webhook was not told twice")
        bodies = [json.loads(received.body) for received in rewards.received]
        Webhook.objects.all().delete()

    assert PeriodNotice.objects.filter(period=day).count() == 1
    assert {body["id"] for body in bodies} == {str(PeriodNotice.objects.get(period=day).notice_id)}
    assert [entry["points"] for entry in bodies[0]["boards"][0]["top"]] == [5, 4, 3]
    site.kill("boards")
    eventually(lambda: site.get(top).status == 200, "the archive does not answer")
    closed = site.get(top).body
    assert closed["closed"]
    assert [entry["points"] for entry in closed["entries"]] == [5, 4, 3, 2, 1]
    assert site.get(f"/v1/leaderboards/{quiz.board()}/top").status == 503
