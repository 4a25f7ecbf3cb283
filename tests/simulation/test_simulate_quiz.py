"""The command against the real API, served by Django's own test server; a thread stands for the workers."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from boards.apply import apply_events
from scoring import setup
from scoring.grants import forget_grants
from scoring.models import OutboxEvent, Player, ScoreEvent, Total
from scoring.periods import PeriodKind
from scoring.rules import forget_rules

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS, QUESTIONS = 60, 2


@pytest.fixture
def key() -> str:
    setup.create_leaderboard("quiz", period_kinds=["day", "season"], scopes=["city"])
    setup.open_season("quiz", "s1", starts_at=timezone.now() - timedelta(days=1))
    created = setup.create_api_key("test", ["submit", "read"])
    # What this process remembers is of the test before.
    forget_grants()
    forget_rules()
    return created


@pytest.fixture
def worker() -> Iterator[None]:
    """Applies what waits in the outbox, until the test is over."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.wait(0.01):
            apply_events(list(OutboxEvent.objects.waiting().values_list("id", flat=True)), timezone.now)
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    is_over.set()
    thread.join()


def play(url: str, key: str, **options: Any) -> None:
    sizes = {"players": PLAYERS, "questions": QUESTIONS, "seconds": 0.2, "batch": 20, "readers": 5, "servers": 2}
    call_command("simulate_quiz", url=url, key=key, seed=1, **{**sizes, **options})


@pytest.mark.usefixtures("worker")
def test_a_night_ends_with_the_same_points_everywhere(
    live_server: Any, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    play(live_server.url, key)
    output = capsys.readouterr().out
    assert "THEY DIFFER" not in output
    assert ScoreEvent.objects.count() == PLAYERS * QUESTIONS
    assert Player.objects.exclude(name="").count() == PLAYERS
    right = ScoreEvent.objects.filter(points=10).count()
    assert f"{PLAYERS * QUESTIONS} events, {right * 10:,} points" in output


@pytest.mark.usefixtures("worker")
def test_a_point_lost_between_ledger_and_totals_is_an_error(
    live_server: Any, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    play(live_server.url, key)
    total = Total.objects.filter(period__kind=PeriodKind.SEASON).first()
    assert total is not None
    Total.objects.filter(pk=total.pk).update(points=total.points - 1)
    with pytest.raises(CommandError, match="differ"):
        play(live_server.url, key)
    assert "THEY DIFFER" in capsys.readouterr().out


def test_a_wrong_key_is_one_sentence(live_server: Any, key: str) -> None:
    with pytest.raises(CommandError, match="401"):
        play(live_server.url, "wrong")


def test_an_unknown_leaderboard_is_one_sentence(live_server: Any, key: str) -> None:
    with pytest.raises(CommandError, match="nope"):
        play(live_server.url, key, leaderboard="nope")


@pytest.mark.parametrize(
    ("option", "value"),
    [("players", 0), ("batch", 0), ("seconds", -1.0), ("readers", -1), ("cities", "hyd,new delhi")],
)
def test_what_can_not_be_played_is_refused(option: str, value: object) -> None:
    with pytest.raises(CommandError, match=option):
        play("http://127.0.0.1:1", "key", **{option: value})


def test_a_missing_key_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--key"):
        call_command("simulate_quiz", key_file=tmp_path / "none")
