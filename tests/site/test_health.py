"""Alive and ready, by part."""

from collections.abc import Callable

import pytest
from django.db import OperationalError
from django.test import Client

from boards import store
from boards.store import BoardsUnavailable
from leaderboard_site import broker, health
from leaderboard_site.celery import app

ALL_OK = {"database": "ok", "redis": "ok", "boards": "ok", "broker": "ok"}


def failing(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker URL where nobody listens."""
    monkeypatch.setattr(app.conf, "broker_write_url", "redis+socket:///nowhere/redis.sock")


def test_alive_needs_nothing_else(client: Client) -> None:
    response = client.get("/healthz")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_when_every_part_answers(client: Client) -> None:
    response = client.get("/readyz")

    assert response.json() == {"status": "ok", "parts": ALL_OK}
    assert response.status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("no_broker")
def test_without_the_broker_it_still_serves(client: Client) -> None:
    response = client.get("/readyz")

    assert response.json() == {"status": "degraded", "parts": {**ALL_OK, "broker": "down"}}
    assert response.status_code == 200


@pytest.mark.django_db
def test_without_the_boards_it_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ping", failing(BoardsUnavailable("gone")))

    response = client.get("/readyz")

    assert response.json() == {"status": "down", "parts": {**ALL_OK, "redis": "down"}}
    assert (response.status_code, response["Retry-After"]) == (503, "1")


def test_without_the_database_it_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_ask_database", failing(OperationalError("gone")))

    response = client.get("/readyz")

    assert response.json()["parts"] == {**ALL_OK, "database": "down"}
    assert response.status_code == 503


@pytest.mark.usefixtures("no_broker")
def test_the_broker_is_asked_once_and_not_for_long() -> None:
    with pytest.raises(broker.BrokerUnavailable):
        broker.ping()
