"""The wiring: settings, urls, Celery app, errors, health, embedded services, processes."""

# Django's own `manage.py` and every worker must know the Celery app before a task is imported,
# or `shared_task` would bind to a default app with a broker on localhost.
from leaderboard_site.celery import app as celery_app

__all__ = ["celery_app"]
