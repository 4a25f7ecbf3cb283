"""Django's settings. What an operator may change comes from `environment`, the rest stands here."""

import secrets
import sys
from typing import Any

from kombu import Queue
from psycopg import ProgrammingError

from leaderboard_site.database import database_settings
from leaderboard_site.embedded import places
from leaderboard_site.environment import PROJECT_DIRECTORY, read_environment
from leaderboard_site.logs import logging_settings
from leaderboard_site.variables import WrongEnvironment

try:
    ENVIRONMENT = read_environment()
    _database = database_settings(
        ENVIRONMENT.database_url or places.database_url(ENVIRONMENT.data_directory), ENVIRONMENT
    )
except WrongEnvironment as error:
    sys.stderr.write(f"{error}\n")
    raise SystemExit(2) from None
except ProgrammingError as error:
    sys.stderr.write(f"DATABASE_URL can't be read: {str(error).strip()}\n")
    raise SystemExit(2) from None

BASE_DIR = PROJECT_DIRECTORY
DATA_DIRECTORY = ENVIRONMENT.data_directory
DEBUG = ENVIRONMENT.debug


def _secret_key() -> str:
    """The given one, else the one that `up` keeps in the data directory, else one that nobody needs again."""
    kept = places.secret_key_file(DATA_DIRECTORY)
    if ENVIRONMENT.secret_key:
        return ENVIRONMENT.secret_key
    if not ENVIRONMENT.database_url and kept.is_file():
        return kept.read_text().strip()
    return secrets.token_urlsafe(50)


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.csrf_trusted_origins)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework_api_key",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_celery_beat",
    "scoring",
    "boards",
    "rebuilds",
    "leaderboard_site",
]

# Short, because every API request walks through it. All but the first two serve the admin only,
# and are lazy: a session is loaded when somebody asks for it.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    # Content-Length, without which every answer would be chunked.
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

ROOT_URLCONF = "leaderboard_site.urls"
WSGI_APPLICATION = "leaderboard_site.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en-us"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = places.static_directory(DATA_DIRECTORY)

# API.md: body up to 2 MiB, more is 413.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True

REST_FRAMEWORK: dict[str, Any] = {
    # Each view names its own authentication and permissions; none is inherited by accident.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["boards.api.throttling.KeyThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "leaderboard_site.errors.handle_error",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Leaderboard",
    "DESCRIPTION": "Game servers post scores; players ask who is on top, what is my rank, who is around me.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    # The page's scripts come from this server: it works without the internet.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

REDIS_URL = ENVIRONMENT.redis_url or places.boards_url(DATA_DIRECTORY)
REDIS_REPLICA_URL = ENVIRONMENT.redis_replica_url
REDIS_TIMEOUT_SECONDS = ENVIRONMENT.redis_timeout_seconds
OUTBOX_LEASE_SECONDS = ENVIRONMENT.outbox_lease_seconds
OUTBOX_MAX_ATTEMPTS = ENVIRONMENT.outbox_max_attempts
OUTBOX_KEPT_SECONDS = ENVIRONMENT.outbox_kept_seconds
RELAY_BATCH_PLAYERS = ENVIRONMENT.relay_batch_players
TOP_CACHE_SECONDS = ENVIRONMENT.top_cache_seconds
RULES_CACHE_SECONDS = ENVIRONMENT.rules_cache_seconds
REBUILDS_AT_ONCE = ENVIRONMENT.rebuilds_at_once
REBUILD_CLAIM_SECONDS = ENVIRONMENT.rebuild_claim_seconds
WINDOW_KEPT_SECONDS = ENVIRONMENT.window_kept_seconds
WINDOWS_AT_ONCE = ENVIRONMENT.windows_at_once
WINDOW_MOST_DAYS = ENVIRONMENT.window_most_days
VERIFY_AT_HOUR = ENVIRONMENT.verify_at_hour
SNAPSHOT_MINUTES = ENVIRONMENT.snapshot_minutes
SNAPSHOTS_KEPT = ENVIRONMENT.snapshots_kept
PUBLIC_URL = ENVIRONMENT.public_url.rstrip("/")
WEBHOOKS_TO_PRIVATE_ADDRESSES = ENVIRONMENT.webhooks_to_private_addresses


def _broker_url() -> str:
    if ENVIRONMENT.celery_broker_url:
        return ENVIRONMENT.celery_broker_url
    if ENVIRONMENT.redis_url:
        # Celery spells a Unix socket differently from redis-py.
        return ENVIRONMENT.redis_url.replace("unix://", "redis+socket://", 1)
    return places.broker_url(DATA_DIRECTORY)


CELERY_BROKER_URL = _broker_url()
CELERY_TASK_QUEUES = [Queue("live"), Queue("corrections"), Queue("rebuilds")]
CELERY_TASK_DEFAULT_QUEUE = "live"
# A task that is not named here goes to the default queue, unless its sender names another.
CELERY_TASK_ROUTES = {
    "rebuilds.*": {"queue": "rebuilds"},
    "scoring.finish_voids": {"queue": "rebuilds"},
    "scoring.refresh_hints": {"queue": "rebuilds"},
    "boards.finish_erasures": {"queue": "rebuilds"},
    "boards.confirm_corrections": {"queue": "corrections"},
}
# A misspelt queue is an error, not a new queue that nobody reads.
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
# Otherwise beat adds a task of its own, that deletes results which nobody stores.
CELERY_RESULT_EXPIRES = None
CELERY_TIMEZONE = TIME_ZONE
CELERY_ENABLE_UTC = True
# A task counts as done when it is done, not when it is taken; a killed worker's task goes back.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A failed or timed-out task is acknowledged: its outbox events stay, the lease brings them back.
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery's Django fixup closes a prefork worker's whole connection pool before and after each task: 15 ms of a task that
# takes 2 (measured). Connections are handed back by leaderboard_site.celery instead.
CELERY_DB_REUSE_MAX = 1_000_000_000
CELERY_TASK_SOFT_TIME_LIMIT = 30
CELERY_TASK_TIME_LIMIT = 45
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TASK_SEND_SENT_EVENT = False
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 20
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# None: for ever. A worker waits for its broker as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Every task may run twice, so nothing is cancelled when the broker goes away: it finishes, its
# acknowledgement is lost, and the redelivered one finds nothing to do.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# Publishing happens in a web request (the nudge): it fails at once when the broker is gone, and
# the sweep of the next second does the work.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 0.5
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Above the hard time limit, or a running task would be delivered a second time.
    "visibility_timeout": 60,
    "socket_connect_timeout": 0.5,
    "socket_timeout": 5,
    "socket_keepalive": True,
    "max_retries": 0,
}

CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
# Re-read the tables this often, so that an operator's change counts within seconds; and never sleep longer, so that it ends soon
# when it is told to.
CELERY_BEAT_MAX_LOOP_INTERVAL = 1

# Installed into django-celery-beat's tables by `manage.py install_schedule`. Not named
# CELERY_BEAT_SCHEDULE: DatabaseScheduler would write that over an operator's changes at every start.
PERIODIC_TASKS: dict[str, dict[str, Any]] = {
    "relay-live": {
        "task": "boards.relay_outbox",
        "every_seconds": 1,
        "queue": "live",
        "kwargs": {"queue": "live"},
        "expires_seconds": 5,
    },
    "relay-corrections": {
        "task": "boards.relay_outbox",
        "every_seconds": 1,
        "queue": "corrections",
        "kwargs": {"queue": "corrections"},
        "expires_seconds": 5,
    },
    "confirm-corrections": {
        "task": "boards.confirm_corrections",
        "every_seconds": 3,
        "queue": "corrections",
        "expires_seconds": 5,
    },
    # Bulk work, which must not stand before corrections in their queue.
    "finish-voids": {
        "task": "scoring.finish_voids",
        "every_seconds": 1,
        "queue": "rebuilds",
        "expires_seconds": 5,
    },
    "sweep-rebuilds": {
        "task": "rebuilds.sweep",
        "every_seconds": 1,
        "queue": "rebuilds",
        "expires_seconds": 5,
    },
    # Works for a second, and is late by a minute on purpose.
    "refresh-hints": {
        "task": "scoring.refresh_hints",
        "every_seconds": 10,
        "queue": "rebuilds",
        "expires_seconds": 10,
    },
    "finish-erasures": {
        "task": "boards.finish_erasures",
        "every_seconds": 10,
        "queue": "rebuilds",
        "expires_seconds": 10,
    },
    # Not behind long steps: the worker of corrections is the one that is free within a second.
    "watch-redis": {
        "task": "rebuilds.watch_redis",
        "every_seconds": 1,
        "queue": "corrections",
        "expires_seconds": 5,
    },
    "prune-outbox": {
        "task": "scoring.prune_outbox",
        "every_seconds": 10,
        "queue": "rebuilds",
        "expires_seconds": 10,
    },
    "sample-boards": {
        "task": "rebuilds.sample_boards",
        "every_seconds": 60,
        "queue": "rebuilds",
        "expires_seconds": 50,
    },
    "verify-every-night": {
        "task": "rebuilds.ask_nightly_verification",
        "every_seconds": 300,
        "queue": "rebuilds",
        "expires_seconds": 250,
    },
    "deliver-webhooks": {
        "task": "rebuilds.deliver_webhooks",
        "every_seconds": 5,
        "queue": "rebuilds",
        "expires_seconds": 5,
    },
    "audit-expiry": {
        "task": "rebuilds.audit_expiry",
        "every_seconds": 600,
        "queue": "rebuilds",
        "expires_seconds": 300,
    },
    "take-snapshots": {
        "task": "rebuilds.take_snapshots",
        "every_seconds": 30,
        "queue": "rebuilds",
        "expires_seconds": 30,
    },
    "show-previous-ranks": {
        "task": "rebuilds.show_previous_ranks",
        "every_seconds": 10,
        "queue": "rebuilds",
        "expires_seconds": 10,
    },
    "prune-snapshots": {
        "task": "rebuilds.prune_snapshots",
        "every_seconds": 60,
        "queue": "rebuilds",
        "expires_seconds": 60,
    },
    "close-periods": {
        "task": "rebuilds.close_periods",
        "every_seconds": 5,
        "queue": "rebuilds",
        "expires_seconds": 5,
    },
}

LOGGING = logging_settings(ENVIRONMENT.log_level)
