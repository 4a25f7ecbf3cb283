"""Redis away, as a fixture."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def redis_away(settings: Any) -> Iterator[None]:
    """The boards' Redis is at a port that nobody listens on."""
    # Here and not above: a folder's conftest is loaded before Django is set up.
    from boards import store

    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    store.forget_server()
    yield
    store.forget_server()
