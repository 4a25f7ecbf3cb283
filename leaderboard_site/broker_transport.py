"""Kombu's Redis transport, which takes an acknowledgement on a connection that is gone for what it is: a lost one.

Without this, kombu (5.7) asks the missing connection for its host name. Celery does not know that error for one of the broker's,
and ends the worker: now and then a worker whose task was running when the broker went away.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis


class Channel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> Any:
        # The stubs know neither this method nor that the connection may be gone.
        connection: Any = self.connection
        if connection is None or connection.client is None:
            raise ConnectionError("the connection to the broker is gone")
        return super()._connparams(asynchronous)  # type: ignore[misc]


class Transport(redis.Transport):
    Channel = Channel


def install() -> None:
    """Let `redis://` and the other URLs of Redis mean this transport."""
    for alias, name in TRANSPORT_ALIASES.items():
        if name == "kombu.transport.redis:Transport":
            TRANSPORT_ALIASES[alias] = "leaderboard_site.broker_transport:Transport"
