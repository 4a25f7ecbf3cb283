"""What every test stands on: real PostgreSQL and Redis, started once per session."""

import contextlib
import os
from collections.abc import Iterator

import django
import pytest
import redis
from django.conf import settings as django_settings
from hypothesis import settings as hypothesis_settings

from tests.services import services_for_tests

# Real services share the machine with the tests: a deadline would measure the neighbours.
hypothesis_settings.register_profile("default", deadline=None)
hypothesis_settings.load_profile("default")

_session = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start the services before pytest-django reads the settings, which name them."""
    if django_settings.configured:
        raise pytest.UsageError("unset DJANGO_SETTINGS_MODULE: the tests set it, after starting services")
    _session.enter_context(services_for_tests())
    django.setup()
    if _client(os.environ["REDIS_URL"]).dbsize() and not config.option.help:
        raise pytest.UsageError("REDIS_URL names a Redis that holds data; the tests would delete it")


def pytest_unconfigure() -> None:
    """Also after Ctrl-C."""
    _session.close()


def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, decode_responses=True)


@pytest.fixture
def boards_redis() -> Iterator[redis.Redis]:
    """A raw client of the boards' Redis, emptied before the test."""
    with _client(os.environ["REDIS_URL"]) as client:
        client.flushdb()
        yield client


@pytest.fixture
def broker_redis() -> Iterator[redis.Redis]:
    """A raw client of the broker, emptied before the test."""
    url = os.environ.get("CELERY_BROKER_URL") or os.environ["REDIS_URL"]
    with _client(url.replace("redis+socket://", "unix://", 1)) as client:
        client.flushdb()
        yield client


@pytest.fixture(autouse=True)
def _empty_boards(request: pytest.FixtureRequest) -> None:
    """A test with rows starts with empty boards, whether it looks at them or not."""
    if "boards_redis" in request.fixturenames:
        return
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        with _client(os.environ["REDIS_URL"]) as client:
            client.flushdb()
