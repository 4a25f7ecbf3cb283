"""GET /metrics: what an operator must be warned of, also when the database is away."""

from datetime import timedelta
from typing import Any, NoReturn

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.utils import timezone

from leaderboard_site import metrics
from scoring.models import OutboxEvent, Period
from scoring.packing import SLOT
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db

LEFT = "leaderboard_accept_numbers_left_ratio"


@pytest.fixture(autouse=True)
def fresh() -> None:
    forget_everything()


def scrape() -> dict[str, float]:
    """The figures by name and labels, as Prometheus reads them."""
    response: Any = Client().get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def outbox(figure: str, queue: str = "live") -> float:
    return scrape()[f'leaderboard_outbox_{figure}{{queue="{queue}"}}']


def newest_number() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM scoring_accept_no")
        (number,) = cursor.fetchone()
    return int(number)


def test_a_site_without_leaderboards() -> None:
    figures = scrape()

    assert figures["leaderboard_database_up"] == 1
    assert figures['leaderboard_outbox_waiting_events{queue="live"}'] == 0
    assert not [name for name in figures if name.startswith(LEFT)]


def test_what_waits_is_counted_until_the_boards_have_it() -> None:
    LeaderboardFactory.create()
    for player_id in ("ann", "bob"):
        accept_all(score(player_id), now=timezone.now() - timedelta(seconds=90))
    assert outbox("waiting_events") == 2
    assert outbox("oldest_seconds") == pytest.approx(90, abs=30)
    assert outbox("waiting_events", "corrections") == 0

    deliver(timezone.now())

    assert (outbox("waiting_events"), outbox("oldest_seconds")) == (0, 0)


def test_poisoned_events_are_counted_apart() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"))
    OutboxEvent.objects.update(set_aside_at=timezone.now())

    assert (outbox("set_aside_events"), outbox("waiting_events")) == (1, 0)


@pytest.mark.parametrize(("used", "left"), [(0, 1.0), (SLOT // 4, 0.75), (SLOT, 0.0)])
def test_the_acceptance_numbers_left_in_a_period(used: int, left: float) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"), now=timezone.now())
    Period.objects.update(first_accept_no=newest_number() - used)

    assert scrape()[f'{LEFT}{{leaderboard="quiz",period="all"}}'] == pytest.approx(left)


def test_only_open_periods_whose_ties_need_numbers_are_told() -> None:
    now = timezone.now()
    LeaderboardFactory.create(period_kinds=["day", "all"])
    LeaderboardFactory.create(slug="shared", ties="shared")
    accept_all(score("ann"), now=now - timedelta(days=2))
    accept_all(score("ann"), score("ann", leaderboard="shared"), now=now)

    told = [name for name in scrape() if name.startswith(LEFT)]

    assert sorted(told) == [
        f'{LEFT}{{leaderboard="quiz",period="all"}}',
        f'{LEFT}{{leaderboard="quiz",period="day:{now:%Y-%m-%d}"}}',
    ]


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
@pytest.mark.parametrize("figure", ["load_backlog", "load_headroom"])
def test_without_a_database_it_says_so_and_shows_no_half(
    monkeypatch: pytest.MonkeyPatch, figure: str, error: type[Exception]
) -> None:
    def away(now: object) -> NoReturn:
        raise error("away")

    monkeypatch.setattr(metrics, figure, away)

    assert scrape() == {"leaderboard_database_up": 0}
