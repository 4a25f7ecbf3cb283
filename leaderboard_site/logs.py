"""What is logged, and how a line looks."""

import logging
from typing import Any


def logging_settings(level: str) -> dict[str, Any]:
    """Django's LOGGING: all of it to stdout, a record a line."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "format": "{asctime}.{msecs:03.0f} {levelname:<7} {name}: {message}",
                "datefmt": "%H:%M:%S",
                "style": "{",
            },
        },
        "filters": {
            "has_traceback": {
                "()": "django.utils.log.CallbackFilter",
                "callback": has_traceback,
            },
        },
        "handlers": {
            "stdout": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stdout",
                "formatter": "line",
            },
        },
        "root": {"handlers": ["stdout"], "level": level},
        "loggers": {
            "django": {"level": "INFO", "propagate": True, "handlers": []},
            # Every 4xx would be a line here; game servers read the answer, not our log.
            "django.request": {"level": "ERROR", "filters": ["has_traceback"]},
            # One line a second per sweep says nothing.
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
        },
    }


def has_traceback(record: logging.LogRecord) -> bool:
    """Django logs every 5xx answer. A 503 says so to its caller, thousands a second when Redis is
    away; only what nobody expected comes with a traceback.
    """
    return record.exc_info is not None
