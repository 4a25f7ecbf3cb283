"""Is this process alive, and can the site serve?"""

from collections.abc import Callable

from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse

from boards import store
from boards.recovering import read_is_recovering
from leaderboard_site import broker
from scoring.errors import LeaderboardError


def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers; touches nothing else."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """``{"status", "parts": {"database", "redis", "boards", "broker"}}``, each "ok" or "down"; the boards also "recovering".

    503 when the database or the boards are down. Without the broker the site still accepts and
    answers (scores wait in the outbox), so that alone is "degraded" with 200: a load balancer
    must not take all servers out because boards are late. Likewise while boards are recovered
    after Redis has lost data: what is there is shown, and more comes.
    """
    parts = {
        "database": _state(_ask_database),
        "redis": _state(store.ping),
        "boards": _state(_ask_boards),
        "broker": _state(broker.ping),
    }
    able = parts["database"] == parts["redis"] == "ok"
    status = "ok" if set(parts.values()) == {"ok"} else "degraded" if able else "down"
    response = JsonResponse({"status": status, "parts": parts}, status=200 if able else 503)
    if not able:
        response["Retry-After"] = "1"
    return response


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_boards() -> str:
    return "recovering" if read_is_recovering() else "ok"


def _state(ask: Callable[[], str | None]) -> str:
    """What the part says of itself, "ok" if it says nothing."""
    try:
        return ask() or "ok"
    except (DatabaseError, LeaderboardError, broker.BrokerUnavailable):
        return "down"
