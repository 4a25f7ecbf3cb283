"""Seasons never overlap, whoever opens them and when; scores count in them from their start to their end."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from scoring.models import Period
from scoring.setup import close_season, open_season
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score, total
from tests.waiting_locks import waiting_for_a_lock

DAY = timedelta(days=1)


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(period_kinds=["season", "all"])


def at(days: float | None) -> datetime | None:
    return None if days is None else NOW + days * DAY


def start(days: float) -> datetime:
    return NOW + days * DAY


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((0, 10), (5, 15)),
        ((0, 10), (2, 3)),
        ((2, 3), (0, 10)),
        ((0, 10), (0, 10)),
        ((0, 10), (9.999, None)),
        ((0, None), (5, 10)),
        ((5, None), (0, None)),
        ((0, None), (10, 20)),
        ((5, 10), (0, 5.001)),
    ],
)
def test_seasons_that_overlap_are_refused(
    first: tuple[float, float | None], second: tuple[float, float | None]
) -> None:
    open_season("quiz", "s1", start(first[0]), at(first[1]))

    with pytest.raises(ValidationError, match="overlaps with season s1"):
        open_season("quiz", "s2", start(second[0]), at(second[1]))
    assert Period.objects.filter(kind="season").count() == 1


@pytest.mark.parametrize(("first", "second"), [((0, 10), (10, 20)), ((10, 20), (0, 10)), ((0, 10), (30, None))])
def test_seasons_that_meet_or_leave_a_gap_are_fine(
    first: tuple[float, float | None], second: tuple[float, float | None]
) -> None:
    open_season("quiz", "s1", start(first[0]), at(first[1]))
    open_season("quiz", "s2", start(second[0]), at(second[1]))

    assert Period.objects.filter(kind="season").count() == 2


def test_the_same_label_twice_is_refused_and_on_another_leaderboard_it_is_not() -> None:
    LeaderboardFactory.create(slug="race", period_kinds=["season"])
    open_season("quiz", "s1", start(0), at(1))

    with pytest.raises(ValidationError, match="has a season s1 already"):
        open_season("quiz", "s1", start(5), at(6))
    open_season("race", "s1", start(0), at(1))


def test_a_leaderboard_without_seasons_opens_none() -> None:
    LeaderboardFactory.create(slug="race")

    with pytest.raises(ValidationError, match="race has no seasons"):
        open_season("race", "s1", start(0))


@pytest.mark.django_db(transaction=True)
def test_of_operators_who_open_overlapping_seasons_at_once_one_wins() -> None:
    ready = threading.Barrier(6)

    def open_one(n: int) -> bool:
        ready.wait(timeout=60)
        try:
            open_season("quiz", f"s{n}", start(n), at(n + 10))
        except ValidationError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as threads:
        won = list(threads.map(open_one, range(6)))

    assert won.count(True) == Period.objects.filter(kind="season").count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_opens_a_season_waits_for_whoever_is_about_to() -> None:
    def open_second() -> None:
        try:
            open_season("quiz", "s2", start(5))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            open_season("quiz", "s1", start(0))
            second = threads.submit(open_second)
            while not (second.done() or waiting_for_a_lock()):
                pass

        with pytest.raises(ValidationError, match="overlaps with season s1"):
            second.result(timeout=60)


def test_an_open_season_is_closed_and_the_next_may_begin_there() -> None:
    open_season("quiz", "s1", start(-5))
    close_season("quiz", "s1", start(1))

    open_season("quiz", "s2", start(1))


def test_an_end_that_is_still_to_come_can_be_drawn_nearer_but_not_put_off() -> None:
    open_season("quiz", "s1", start(-5), at(10))

    assert close_season("quiz", "s1", start(3)).ends_at == at(3)
    for days in (3, 4):
        with pytest.raises(ValidationError, match="ends at"):
            close_season("quiz", "s1", start(days))


@pytest.mark.parametrize("days", [-5, -6])
def test_a_season_does_not_end_before_it_starts(days: float) -> None:
    open_season("quiz", "s1", start(-5))

    with pytest.raises(ValidationError, match="ends after it starts"):
        close_season("quiz", "s1", start(days))


def test_scores_count_in_the_season_they_happened_in() -> None:
    open_season("quiz", "s1", start(-5), NOW)
    open_season("quiz", "s2", NOW, at(1))
    second = timedelta(seconds=1)

    late, first = accept_all(
        score("ann", 1, occurred_at=NOW - second), score("ann", 10, occurred_at=NOW), now=NOW + second
    )

    assert (late.totals, first.totals) == ({"s1": 1, "all": 11}, {"s2": 10, "all": 11})


def test_between_seasons_scores_count_in_the_other_periods() -> None:
    open_season("quiz", "s1", start(-5), at(-1))
    open_season("quiz", "s2", start(1))

    (stored,) = accept_all(score("ann", 10))

    assert stored.totals == {"all": 10}


def test_a_closed_season_takes_scores_until_the_grace_is_over() -> None:
    open_season("quiz", "s1", start(-5))
    accept_all(score("ann", 1))
    close_season("quiz", "s1", NOW + timedelta(seconds=1))

    late = NOW + timedelta(minutes=10)
    assert codes(accept(score("ann", 2, occurred_at=NOW), now=late)) == ["accepted"]
    assert codes(accept(score("ann", 4, occurred_at=NOW), now=late + timedelta(seconds=1))) == ["period_closed"]
    assert codes(accept(score("ann", 8), now=late)) == ["accepted"]
    assert (total("ann", "s1")[0], total("ann")[0]) == (3, 11)
