"""Asking the archive, and not asking while PostgreSQL is away.

Else readers of closed periods would hold every thread of a web process for as long as a connection is waited for, and reads of
open boards, which need no database, would wait behind them.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError
from psycopg import OperationalError as PsycopgOperationalError

from boards.circuit import Circuit
from scoring.errors import LeaderboardError

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""How often a PostgreSQL that is away is tried."""

_circuit = Circuit(PAUSE_SECONDS)


class ArchiveUnavailable(LeaderboardError):
    """PostgreSQL can't be reached, or does not answer in time."""

    status, code = 503, "archive_unavailable"


@contextmanager
def archive_access() -> Iterator[None]:
    """For the time of a query. ArchiveUnavailable at once if one has just failed."""
    if not _circuit.may_try():
        raise _unavailable()
    try:
        yield
    except (OperationalError, InterfaceError, PsycopgOperationalError) as error:
        _circuit.failed()
        log.warning("the archive is away: %s", str(error).strip().split("\n")[0])
        raise _unavailable() from error
    _circuit.worked()


def forget_outage() -> None:
    """Ask again at once."""
    _circuit.worked()


def _unavailable() -> ArchiveUnavailable:
    return ArchiveUnavailable("closed periods can't be read at the moment", retry_after_seconds=1)
