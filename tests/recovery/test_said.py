"""What readers, load balancers and operators are told of a loss."""

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from rebuilds.models import BoardJob, Recovery
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask
from tests.recovery.by_hand import go_on, look, noted, until_recovered

pytestmark = pytest.mark.django_db


@pytest.fixture
def lost(boards_redis: redis.Redis) -> Recovery:
    """A quiz whose Redis has just been found empty."""
    LeaderboardFactory.create(scopes=["city"])
    now = timezone.now()
    accept_all(score("ann", segments={"city": "hyd"}), now=now)
    deliver(now)
    look(now)
    boards_redis.flushall()
    return noted(now)


def state_of(board: str) -> str:
    answer: dict[str, Any] = Client().get(f"/v1/leaderboards/{board}").json()
    return str(answer["state"])


def readiness() -> tuple[int, str, str]:
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()["status"], answer.json()["parts"]["boards"]


def figure(name: str) -> float:
    lines = Client().get("/metrics").content.decode().splitlines()
    (value,) = [line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")]
    return float(value)


def test_readyz_still_says_that_it_serves(lost: Recovery) -> None:
    assert readiness() == (200, "degraded", "recovering")

    until_recovered(lost, timezone.now())

    assert readiness() == (200, "ok", "ok")


def test_each_board_says_so_until_it_is_rebuilt(lost: Recovery) -> None:
    now = timezone.now()
    assert {state_of("quiz:all:global"), state_of("quiz:all:city:hyd")} == {"recovering"}
    for _ in range(4):
        go_on(now)
    BoardJob.objects.filter(board="quiz:all:global").update(state="done", finished_at=now)
    go_on(now + timedelta(seconds=2))

    assert (state_of("quiz:all:global"), state_of("quiz:all:city:hyd")) == ("live", "recovering")

    until_recovered(lost, now + timedelta(seconds=4))

    assert state_of("quiz:all:city:hyd") == "live"


def test_a_board_that_is_just_being_rebuilt_says_that(lost: Recovery, boards_redis: redis.Redis) -> None:
    boards_redis.set("{lb:quiz:all:global}:lease", "token")

    assert state_of("quiz:all:global") == "rebuilding"


def test_should_nobody_be_left_to_say_that_it_is_over_it_is_over_in_a_minute(
    lost: Recovery, boards_redis: redis.Redis
) -> None:
    assert 0 < boards_redis.ttl("lb-recovering") <= 60


def test_metrics_count_losses_and_say_how_long_the_last_took(lost: Recovery) -> None:
    Recovery.objects.update(noted_at=timezone.now() - timedelta(seconds=30))
    assert figure("leaderboard_recovery_running_seconds") >= 30

    until_recovered(lost, timezone.now())

    assert figure('leaderboard_recoveries_total{loss="empty"}') == 1
    assert figure('leaderboard_recoveries_total{loss="tail"}') == 0
    assert figure("leaderboard_recovery_running_seconds") == 0
    assert 30 <= figure("leaderboard_recovery_last_seconds") < 90
    assert 0 <= figure("leaderboard_redis_watch_age_seconds") < 60


def test_the_admin_lists_recoveries_and_changes_none(lost: Recovery, client: Client) -> None:
    client.force_login(get_user_model().objects.create_superuser("admin"))

    assert b"everything" in client.get("/admin/rebuilds/recovery/").content
    assert client.get("/admin/rebuilds/recovery/add/").status_code == 403
    assert client.post(f"/admin/rebuilds/recovery/{lost.pk}/change/", {"state": "done"}).status_code == 403


def test_an_asked_rebuild_of_somebody_else_is_left_alone(lost: Recovery) -> None:
    (own,) = ask("quiz:all:global", now=timezone.now())
    go_on(timezone.now())

    own.refresh_from_db()
    assert own.state == "waiting"
