"""period.closed reaches its webhooks: at least once, signed, whatever the receiver does in between."""

import hmac
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection

from rebuilds import http_post, notices, webhooks
from rebuilds.archiving import archive_again
from rebuilds.models import PeriodNotice, Webhook, WebhookDelivery
from rebuilds.webhooks import MAX_ATTEMPTS, deliver_webhooks, retry_set_aside
from scoring.models import Leaderboard, Period
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from tests.archive.past import DAY, close_at, closing_of
from tests.archive.receiver import Receiver, answer, hang, hang_up, receiver, trickle
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

CLOSED_AT = datetime.fromisoformat("2026-10-20T00:10:10Z")


@pytest.fixture(autouse=True)
def quiz(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    settings.PUBLIC_URL = "https://scores.example.com"
    monkeypatch.setattr(http_post, "ANSWER_SECONDS", 0.3)
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"], scale=1)


@pytest.fixture
def healthy() -> Iterator[Receiver]:
    with receiver(answer(204)) as server:
        yield server


def close_a_day(now: datetime = NOW) -> Period:
    accept_all(*(score(player, points) for player, points in zip("abcd", (10, 40, 20, 30), strict=True)), now=now)
    accept_all(score("e", 5, name="Eve", segments={"city": "hyd"}), now=now)
    day = Period.objects.get(starts_at__lte=now, ends_at__gt=now)
    assert close_at(closing_of(day)) == 1
    return day


def run(now: datetime = CLOSED_AT) -> int:
    return deliver_webhooks(lambda: now)


def add(url: str, *leaderboards: str, **fields: Any) -> Webhook:
    webhook = Webhook.objects.create(url=url, **fields)
    webhook.leaderboards.set(Leaderboard.objects.filter(slug__in=leaderboards))
    return webhook


def test_a_receiver_is_told_who_won(healthy: Receiver) -> None:
    add(healthy.url)
    close_a_day()

    assert run() == 1
    (received,) = healthy.received
    assert received.path == "/rewards?game=quiz"
    assert received.headers["Content-Type"] == "application/json"
    notice = PeriodNotice.objects.get()
    base = "https://scores.example.com/v1/leaderboards/quiz:day:2026-10-19"
    assert json.loads(received.body) == {
        "id": str(notice.notice_id),
        "type": "period.closed",
        "created_at": "2026-10-20T00:10:10Z",
        "leaderboard": "quiz",
        "period": "day:2026-10-19",
        "starts_at": "2026-10-19T00:00:00Z",
        "ends_at": "2026-10-20T00:00:00Z",
        "closed_at": "2026-10-20T00:10:00Z",
        "archived_at": "2026-10-20T00:10:10Z",
        "boards_count": 2,
        "boards": [
            {
                "board": "quiz:day:2026-10-19:global",
                "players": 5,
                "top": [
                    {"rank": 1, "player_id": "b", "name": None, "points": 40},
                    {"rank": 2, "player_id": "d", "name": None, "points": 30},
                    {"rank": 3, "player_id": "c", "name": None, "points": 20},
                ],
                "standings": f"{base}:global/top",
            },
            {
                "board": "quiz:day:2026-10-19:city:hyd",
                "players": 1,
                "top": [{"rank": 1, "player_id": "e", "name": "Eve", "points": 5}],
                "standings": f"{base}:city:hyd/top",
            },
        ],
    }
    assert run() == 0


def test_the_signature_is_of_the_time_and_the_very_bytes(healthy: Receiver) -> None:
    webhook = add(healthy.url)
    close_a_day()
    run()

    (received,) = healthy.received
    parts = dict(part.split("=") for part in received.headers["Leaderboard-Signature"].split(","))
    assert int(parts["t"]) == int(CLOSED_AT.timestamp())
    expected = hmac.new(webhook.secret.encode(), parts["t"].encode() + b"." + received.body, sha256)
    assert parts["v1"] == expected.hexdigest()
    assert len(webhook.secret) >= 32


def test_a_receiver_that_fails_hangs_trickles_and_hangs_up_gets_it_in_the_end() -> None:
    with receiver(answer(500), hang, trickle, hang_up, answer(200)) as server:
        add(server.url)
        close_a_day()
        received_at = [second for second in range(151) if run(CLOSED_AT + timedelta(seconds=second))]

        assert received_at == [150]
        assert len(server.received) == 5
        ids = {received.headers["Leaderboard-Notice"] for received in server.received}
        assert ids == {str(PeriodNotice.objects.get().notice_id)}
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.problem) == (5, "")


def test_a_receiver_that_is_away_is_waited_for() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        add(f"http://127.0.0.1:{closed.getsockname()[1]}/")
        close_a_day()

        assert run() == 0

    delivery = WebhookDelivery.objects.get()
    assert delivery.problem.startswith("ConnectionRefusedError")
    assert delivery.retry_at == CLOSED_AT + timedelta(seconds=10)


def test_one_that_fails_holds_up_no_other(healthy: Receiver) -> None:
    with receiver(answer(500)) as failing:
        add(failing.url)
        add(healthy.url)
        close_a_day()

        assert run() == 1
    assert len(healthy.received) == len(failing.received) == 1


def test_after_all_its_attempts_it_is_set_aside_until_a_person_tries_again() -> None:
    with receiver(*[answer(503)] * MAX_ATTEMPTS, answer(200)) as server:
        add(server.url)
        close_a_day()
        now = CLOSED_AT
        for _ in range(MAX_ATTEMPTS + 2):
            run(now)
            now += timedelta(hours=1)
        delivery = WebhookDelivery.objects.set_aside().get()
        assert (delivery.attempts, delivery.problem) == (MAX_ATTEMPTS, "answered 503")
        assert len(server.received) == MAX_ATTEMPTS

        assert retry_set_aside([delivery.pk], now) == 1
        assert run(now) == 1


def test_a_delivery_whose_worker_died_each_time_is_set_aside_too(monkeypatch: pytest.MonkeyPatch) -> None:
    add("http://127.0.0.1:9/")
    close_a_day()

    def die(*_: object) -> None:
        raise SystemExit("killed")

    monkeypatch.setattr(webhooks, "_send", die)
    for minute in range(MAX_ATTEMPTS):
        with pytest.raises(SystemExit):
            run(CLOSED_AT + timedelta(minutes=minute))

    assert run(CLOSED_AT + timedelta(minutes=MAX_ATTEMPTS)) == 0
    assert WebhookDelivery.objects.set_aside().count() == 1


def test_what_nobody_expected_is_kept_with_its_reason(healthy: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    add(healthy.url)
    close_a_day()
    with monkeypatch.context() as patch:
        patch.setattr(webhooks, "load_body", lambda *_: 1 / 0)
        assert run() == 0

    assert WebhookDelivery.objects.get().problem == "ZeroDivisionError: division by zero"
    assert run(CLOSED_AT + timedelta(minutes=1)) == 1


def test_redirects_are_not_followed(healthy: Receiver) -> None:
    with receiver(answer(302, Location=healthy.url)) as server:
        add(server.url)
        close_a_day()

        assert run() == 0
    assert healthy.received == []
    assert WebhookDelivery.objects.get().problem == "answered 302; redirects are not followed"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_private_addresses_are_refused_unless_allowed(healthy: Receiver, settings: Any, host: str) -> None:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    add(healthy.url.replace("127.0.0.1", host))
    close_a_day()

    assert run() == 0
    assert healthy.received == []
    assert "is not a public address" in WebhookDelivery.objects.get().problem


def test_each_webhook_is_told_of_its_own_leaderboards(healthy: Receiver) -> None:
    LeaderboardFactory.create(slug="race", period_kinds=["day"])
    add(f"{healthy.url}&to=all")
    add(f"{healthy.url}&to=race", "race")
    add(f"{healthy.url}&to=quiz", "quiz", "race")
    add(f"{healthy.url}&to=nobody", is_active=False)
    close_a_day()
    run()

    assert sorted(received.path.rpartition("=")[2] for received in healthy.received) == ["all", "quiz"]


def test_an_inactive_webhook_is_sent_nothing_that_waits(healthy: Receiver) -> None:
    webhook = add(healthy.url)
    close_a_day()
    webhook.is_active = False
    webhook.save()
    assert run() == 0

    webhook.is_active = True
    webhook.save()
    assert run() == 1


def test_standings_made_anew_are_told_as_corrected(healthy: Receiver) -> None:
    add(healthy.url)
    day = close_a_day()
    run()
    archive_again(day.pk)
    close_at(closing_of(day) + DAY)
    run(CLOSED_AT + DAY)

    kinds = [json.loads(received.body)["type"] for received in healthy.received]
    assert kinds == ["period.closed", "period.corrected"]


def test_who_is_erased_is_told_to_nobody(healthy: Receiver) -> None:
    add(healthy.url)
    close_a_day()
    erase_player("b", Decision("a test", "asked for it", CLOSED_AT))
    run()

    (received,) = healthy.received
    assert [entry["player_id"] for entry in json.loads(received.body)["boards"][0]["top"]] == ["d", "c"]


def test_of_very_many_boards_the_largest_are_told(healthy: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "MOST_BOARDS", 1)
    add(healthy.url)
    close_a_day()
    run()

    body = json.loads(healthy.received[0].body)
    assert (body["boards_count"], [board["players"] for board in body["boards"]]) == (2, [5])


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_notice_once(healthy: Receiver) -> None:
    for number in range(10):
        add(f"{healthy.url}&to={number}")
    close_a_day()
    start = threading.Barrier(2)

    def work() -> int:
        start.wait()
        try:
            return run()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        delivered = [worker.result(timeout=60) for worker in [workers.submit(work) for _ in range(2)]]

    assert sum(delivered) == len(healthy.received) == len({received.path for received in healthy.received}) == 10
