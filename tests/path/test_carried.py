"""Totals that events carry: whose rows are read all the same, and when."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from boards import apply
from boards.carried import CARRIED_FOR
from rebuilds.recovery_steps import CLOCKS_DIFFER
from rebuilds.watching import MARGIN
from scoring.models import OutboxEvent, Player, Total
from scoring.totals import load_rows
from tests.boards_truth import differences, shown_boards
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(min_points=-100, scopes=["city"], period_kinds=["day", "week", "all"])


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the players whose rows were read."""
    ids: list[str] = []

    def noted(players: Iterable[int], period_ids: Sequence[int]) -> list[tuple[Any, ...]]:
        rows = load_rows(players, period_ids)
        ids.extend(row[0] for row in rows)
        return rows

    monkeypatch.setattr(apply, "load_rows", noted)
    return ids


def test_an_event_carries_what_its_commit_has_left() -> None:
    accept_all(score("eve", 5))
    accept_all(score("bob", 7), score("eve", 3), score("ann", 0))

    event = OutboxEvent.objects.latest("pk")
    by_player = dict(Player.objects.values_list("player_id", "pk"))
    assert event.player_ids == sorted([by_player["bob"], by_player["eve"], by_player["ann"]])
    assert event.points is not None
    assert event.accept_nos is not None
    assert event.period_ids is not None
    place = event.player_ids.index(by_player["eve"])
    assert event.points[place::3] == [8] * 3
    for total in Total.objects.filter(player__in=event.player_ids):
        place = event.period_ids.index(total.period_id) * 3 + event.player_ids.index(total.player_id)
        assert (event.points[place], event.accept_nos[place]) == (total.points, total.accept_no)


def test_what_is_carried_is_not_looked_up_again(read: list[str]) -> None:
    accept_all(score("ann", segments={"city": "hyd"}), score("bob"))
    accept_all(score("ann"))

    deliver()

    assert read == []
    assert differences() == []
    assert [player_id for player_id, _ in shown_boards("quiz")["quiz:all:global"]] == ["ann", "bob"]


def test_only_those_with_an_epoch_or_details_are_looked_up(read: list[str]) -> None:
    everybody = [score(player_id, 50, segments={"city": "hyd"}) for player_id in ("ann", "bob", "eve", "joe")]
    accept_all(*everybody)
    accept_all(score("bob", -20), score("eve", 0, segments={"city": "pune"}))
    accept_all(score("joe", 1, details={"deck": 3}))
    deliver()
    read.clear()

    accept_all(*(score(player_id) for player_id in ("ann", "bob", "eve", "joe")))
    deliver()

    # Joe's total has the details of this score by now, which are none.
    assert sorted(read) == ["bob", "eve"]
    assert differences() == []


def test_a_player_who_was_flagged_since_is_looked_up(read: list[str]) -> None:
    accept_all(score("ann"), score("bob"))
    Player.objects.filter(player_id="ann").update(review_state=1, epoch=1)

    deliver()

    assert read == ["ann"]
    assert [player_id for player_id, _ in shown_boards("quiz")["quiz:all:global"]] == ["bob"]


def test_players_of_different_periods_in_one_call_are_looked_up(read: list[str]) -> None:
    after_midnight = NOW.replace(day=20, hour=0, minute=5)
    accept_all(score("ann"), score("bob", occurred_at=after_midnight - timedelta(minutes=10)), now=after_midnight)

    deliver(after_midnight)

    assert OutboxEvent.objects.latest("pk").points is None
    assert set(read) == {"ann", "bob"}
    assert differences() == []


def test_what_was_carried_too_long_is_not_used(read: list[str]) -> None:
    accept_all(score("ann"))

    deliver(NOW + CARRIED_FOR)

    assert read == ["ann"]
    assert differences() == []


def test_no_worker_writes_a_carried_total_after_fences_are_restored(settings: Any) -> None:
    """See docs/decisions/0025: rows may be as old as a recovery's margin."""
    assert CARRIED_FOR + timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT) + CLOCKS_DIFFER <= MARGIN
