"""/metrics tells of periods that wait for their archive and of webhooks that nobody receives."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rebuilds.closing import list_closed_periods
from rebuilds.models import PeriodNotice, Webhook, WebhookDelivery
from scoring.models import Period
from tests.archive.past import close_at, past_day
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db


def figure(name: str) -> float:
    response: Any = Client().get("/metrics")
    (line,) = [line for line in response.content.decode().splitlines() if line.startswith(f"leaderboard_{name} ")]
    return float(line.rpartition(" ")[2])


def test_a_closed_period_is_told_until_it_is_archived() -> None:
    now = timezone.now()
    LeaderboardFactory.create(period_kinds=["day"])
    accept_all(score("ann"), now=past_day())
    assert figure("archive_waiting_periods") == figure("archive_oldest_seconds") == 0

    list_closed_periods(now)
    ends_at = Period.objects.get().ends_at
    assert ends_at is not None
    age = now - ends_at - timedelta(seconds=600)
    assert figure("archive_waiting_periods") == 1
    assert figure("archive_oldest_seconds") == pytest.approx(age.total_seconds(), abs=60)

    close_at(now)
    assert figure("archive_waiting_periods") == figure("archive_oldest_seconds") == 0


def test_deliveries_are_told_by_whether_they_are_still_tried() -> None:
    now = timezone.now()
    LeaderboardFactory.create(period_kinds=["day"])
    accept_all(score("ann"), now=past_day())
    Webhook.objects.create(url="http://192.0.2.1/")
    close_at(now)
    assert PeriodNotice.objects.count() == 1
    assert (figure("webhook_waiting_deliveries"), figure("webhook_set_aside_deliveries")) == (1, 0)

    WebhookDelivery.objects.update(set_aside_at=now)
    assert (figure("webhook_waiting_deliveries"), figure("webhook_set_aside_deliveries")) == (0, 1)
