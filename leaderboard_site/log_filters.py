"""Which log records are worth a line."""

import logging


def has_traceback(record: logging.LogRecord) -> bool:
    """Django logs every 5xx answer. A 503 says so to its caller, thousands a second when Redis is
    away; only what nobody expected comes with a traceback.
    """
    return record.exc_info is not None
