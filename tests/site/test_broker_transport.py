"""A worker whose broker went away while it worked acknowledges its task too late: that is a lost connection, no more."""

import pytest

from leaderboard_site.broker_transport import Channel, Transport
from leaderboard_site.celery import app


def test_a_channel_whose_connection_is_gone_says_so_in_the_transports_words() -> None:
    connection = app.connection_for_write()
    assert isinstance(connection.transport, Transport)
    channel = Channel.__new__(Channel)
    channel.connection = None  # type: ignore[assignment]  # as kombu leaves it

    with pytest.raises(connection.connection_errors):
        channel._connparams()
