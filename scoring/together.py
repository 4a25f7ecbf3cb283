"""Scores of several senders in one transaction: nobody pays for a neighbour."""

import logging
from collections.abc import Sequence
from datetime import datetime

import psycopg
from django.db import Error as DatabaseError
from django.db import close_old_connections

from scoring.acceptance import Outcome
from scoring.intake import Addressed, accept_scores

log = logging.getLogger(__name__)

Fate = Outcome | Exception

AWAY_STATES = ("08", "53", "57P")
"""SQLSTATE of what concerns the server and not the statement: no connection, no room left, going down."""


def accept_together(scores: Sequence[Addressed], now: datetime) -> list[Fate]:
    """Accept scores, one of a player at the most; what became of each, in the order given.

    One transaction, if it succeeds. If it fails, the scores are tried again one by one, so that only those get the error
    that it belongs to; unless the database is away, which concerns them all. What has an outcome is durable, what has an
    error was not saved.
    """
    try:
        return list(accept_scores(scores, now))
    except Exception as error:
        if len(scores) == 1:
            return [error]
        log.warning("%s scores could not be saved together; trying each alone", len(scores), exc_info=error)
    return _accept_apart(scores, now)


def _accept_apart(scores: Sequence[Addressed], now: datetime) -> list[Fate]:
    fates: list[Fate] = []
    for score in scores:
        # A connection that has failed is not used again.
        close_old_connections()
        try:
            fates += accept_scores([score], now)
        except Exception as error:
            if is_away(error):
                return [*fates, *[error] * (len(scores) - len(fates))]
            fates.append(error)
    return fates


def is_away(error: Exception) -> bool:
    """Whether the error is that the database can't be reached or can't serve."""
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return isinstance(error, DatabaseError) and cause is None
    return cause.sqlstate is None or cause.sqlstate.startswith(AWAY_STATES)
