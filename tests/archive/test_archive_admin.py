"""What operators see and do: closed periods, webhooks, deliveries that were set aside."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from rebuilds.models import Webhook, WebhookDelivery
from scoring.models import Leaderboard
from tests.archive.past import close_at, past_day
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

WEBHOOKS = "/admin/rebuilds/webhook/"
DELIVERIES = "/admin/rebuilds/webhookdelivery/"


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("operator"))
    return client


@pytest.fixture
def closed() -> None:
    LeaderboardFactory.create(period_kinds=["day"])
    accept_all(score("ann"), now=past_day())
    Webhook.objects.create(url="http://192.0.2.1/")
    close_at(timezone.now())


def page(client: Client, path: str) -> str:
    response: Any = client.get(path)
    assert response.status_code == 200
    return str(response.content.decode())


@pytest.mark.usefixtures("closed")
def test_closed_periods_and_deliveries_are_listed(operator: Client) -> None:
    assert "quiz" in page(operator, "/admin/boards/archivedperiod/")
    assert "http://192.0.2.1/" in page(operator, DELIVERIES)
    assert "http://192.0.2.1/" in page(operator, WEBHOOKS)


@pytest.mark.usefixtures("closed")
@pytest.mark.parametrize("path", ["/admin/boards/archivedperiod/", DELIVERIES])
def test_nobody_changes_what_only_the_service_writes(operator: Client, path: str) -> None:
    assert operator.get(f"{path}add/").status_code == 403


def test_a_webhook_is_set_up_with_a_secret_of_its_own(operator: Client) -> None:
    LeaderboardFactory.create()
    form = {"url": "https://rewards.example.com/", "secret": "s3cret", "is_active": "on"}

    refused: Any = operator.post(f"{WEBHOOKS}add/", {**form, "url": "ftp://example.com/"})
    assert "must begin with http:// or https://" in refused.content.decode()
    assert not Webhook.objects.exists()

    operator.post(f"{WEBHOOKS}add/", {**form, "leaderboards": [Leaderboard.objects.get().pk]})
    webhook = Webhook.objects.get()
    assert (webhook.secret, [one.slug for one in webhook.leaderboards.all()]) == ("s3cret", ["quiz"])


@pytest.mark.usefixtures("closed")
def test_a_delivery_that_was_set_aside_is_tried_again(operator: Client) -> None:
    WebhookDelivery.objects.update(set_aside_at=timezone.now(), attempts=20)
    delivery = WebhookDelivery.objects.get()

    operator.post(DELIVERIES, {"action": "retry", "_selected_action": [delivery.pk]})

    delivery.refresh_from_db()
    assert (delivery.set_aside_at, delivery.attempts) == (None, 0)
