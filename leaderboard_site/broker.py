"""Is the Celery broker there?"""

from kombu.exceptions import KombuError

from leaderboard_site.celery import app

TIMEOUT_SECONDS = 0.5


class BrokerUnavailable(Exception):
    """The broker does not answer."""


def ping() -> None:
    """Open a connection to the broker and close it. Raises BrokerUnavailable, soon."""
    # A broker that hangs must not make the question hang.
    impatient = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
    with app.connection_for_write(transport_options=impatient) as connection:
        # Which errors there are depends on the transport, which the URL chooses.
        of_transport = (*connection.connection_errors, *connection.channel_errors)
        unavailable: tuple[type[BaseException], ...] = (OSError, KombuError, *of_transport)
        try:
            # Not `connect()`, which tries again after two seconds.
            _ = connection.default_channel
        except unavailable as error:
            raise BrokerUnavailable(str(error)) from error
