"""Both doors give the same answers: the same 500 requests through each, from the same beginning."""

import asyncio
import re
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from leaderboard_site.door.calls import Calls
from rebuilds.previous_ranks import show_previous_ranks
from rebuilds.snapshots import take_snapshot
from rebuilds.windows import ask_builds
from scoring.grants import forget_grants
from scoring.models import ApiKey, Leaderboard
from scoring.setup import create_api_key, open_season
from tests.delivery import deliver
from tests.door.asgi import Answer, ask, opened
from tests.door.drawn import BOARDS, Draw, Drawn
from tests.factories import LeaderboardFactory
from tests.process_caches import forget_everything
from tests.rebuilds.working import work

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = 500
SEED = 7
BETWEEN_DELIVERIES = 20
TIMES = re.compile(rb'"as_of":"[^"]*"')


def windows(now: datetime) -> list[str]:
    """Ids of custom windows: of the days around now, of days long ago, and of days that can't be."""
    days = "..".join(str((now + timedelta(days=days)).date()) for days in (-3, 1))
    return [
        *[f"quiz:window:{days}:global"] * 6,
        f"quiz:window:{days}:city:hyd",
        "quiz:window:2020-01-01..2020-01-02:global",
        "quiz:window:2020-01-02..2020-01-01:global",
        "quiz:window:2020-01-01..2022-01-01:global",
        "quiz:window:2999-01-01..2999-01-02:global",
        "quiz:window:2020-02-30..2020-03-01:global",
        "lap:window:2020-01-01..2020-01-02:global",
        "hidden:window:2020-01-01..2020-01-02:global",
    ]


def begin(now: datetime) -> dict[str, str]:
    """Empty tables and boards, sequences from 1, some leaderboards and keys. The `Authorization` of each key by its name."""
    call_command("flush", interactive=False, verbosity=0, reset_sequences=True)
    with connection.cursor() as cursor:
        cursor.execute("ALTER SEQUENCE scoring_accept_no RESTART")
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        client.flushdb()
    forget_everything()
    # No day ends in the middle of the test.
    half_a_day_away = (now.hour + 12) % 24
    LeaderboardFactory.create(
        period_kinds=["day", "season", "all"], scopes=["city"], day_starts_at_hour=half_a_day_away, min_total=0
    )
    LeaderboardFactory.create(
        slug="lap", operator="best", order="low", ties="shared", scale=2, max_points=100, show_previous_rank=True
    )
    LeaderboardFactory.create(slug="hidden", is_public=False)
    open_season("quiz", "over", now - timedelta(days=9), now - timedelta(days=2))
    open_season("quiz", "s1", now - timedelta(days=1))
    keys = {
        "both": create_api_key("both", ["submit", "read"]),
        "submit": create_api_key("submit", ["submit"]),
        "read": create_api_key("read", ["read"]),
        "quiz only": create_api_key("quiz only", ["submit", "read"], ["quiz"]),
        "limited": create_api_key("limited", ["submit", "read"]),
        "revoked": create_api_key("revoked", ["submit", "read"]),
        "expired": create_api_key("expired", ["submit", "read"]),
    }
    ApiKey.objects.filter(name="limited").update(requests_per_minute=9)
    ApiKey.objects.filter(name="revoked").update(revoked=True)
    ApiKey.objects.filter(name="expired").update(expiry_date=now - timedelta(seconds=1))
    forget_grants()
    authorizations = {name: f"Api-Key {key}" for name, key in keys.items()}
    return {**authorizations, "unknown": "Api-Key abc.def", "bare": "Api-Key", "basic": "Basic YTpi"}


async def answers(drawn: list[Drawn], keys: dict[str, str], *, front_door: bool) -> list[Answer]:
    """One after another, the boards brought up to date now and then."""
    given = []
    async with opened(front_door=front_door) as door:
        for number, request in enumerate(drawn):
            if number % BETWEEN_DELIVERIES == 0:
                await asyncio.to_thread(in_thread_deliver)
            headers = [*request.headers]
            if request.key is not None:
                headers.append((b"authorization", keys[request.key].encode()))
            given.append(await ask(door, request.method, request.target, headers, request.body))
    return given


def in_thread_deliver() -> None:
    try:
        deliver(timezone.now())
        take_snapshot(Leaderboard.objects.get(slug="lap"), timezone.now)
        show_previous_ranks(timezone.now())
        ask_builds(timezone.now())
        work(timezone.now())
    finally:
        connection.close()


def without_times(answer: Answer) -> Answer:
    headers = dict(answer.headers)
    for name, words in (("ratelimit-reset", "seconds"), ("expires", "a time")):
        if name in headers:
            headers[name] = words
    if answer.status == 429:
        headers["retry-after"] = "seconds"
    return Answer(answer.status, headers, TIMES.sub(b'"as_of":"a time"', answer.body))


def test_the_same_500_requests_get_the_same_bytes_from_both_doors(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TOP_CACHE_SECONDS = 0
    now = timezone.now()
    answered_by_the_door: list[Answer | None] = []
    answer = Calls.answer

    async def watched(*arguments: object) -> object:
        reply = await answer(*arguments)  # type: ignore[arg-type]
        answered_by_the_door.append(reply)  # type: ignore[arg-type]
        return reply

    monkeypatch.setattr(Calls, "answer", watched)
    drawn = Draw(SEED, [*BOARDS, *windows(now)]).requests(COUNT)

    through_django = asyncio.run(answers(drawn, begin(now), front_door=False))
    assert answered_by_the_door == []
    through_the_door = asyncio.run(answers(drawn, begin(now), front_door=True))

    for number, (request, one, other) in enumerate(zip(drawn, through_django, through_the_door, strict=True)):
        assert without_times(other) == without_times(one), (number, request._replace(body=[]))
    statuses = Counter(answer.status for answer in through_django)
    assert any(re.search(rb'"previous_rank":[0-9]', answer.body) for answer in through_django)
    # The draw is worth something: much of it succeeds, and each kind of refusal occurs, through the door too.
    assert {200, 202, 304, 400, 401, 403, 404, 405, 409, 413, 429} <= statuses.keys(), statuses
    assert max(statuses) == 503
    # Windows that are being built, and nothing else; and of those that are there, most answers.
    unable = [answer.body for answer in through_django if answer.status >= 500]
    assert all(b'"board_building"' in body for body in unable)
    in_windows = [
        answer.status for request, answer in zip(drawn, through_django, strict=True) if b":window:" in request.target
    ]
    assert Counter(in_windows)[200] > len(unable)
    assert len([reply for reply in answered_by_the_door if reply is not None]) > COUNT / 2
