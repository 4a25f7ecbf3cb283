"""Operators open seasons by the admin, and move their ends."""

from typing import Any

import pytest
from django.test import Client

from scoring.models import Leaderboard, Period
from scoring.period_rows import open_period
from scoring.periods import ALL_TIME
from tests.factories import LeaderboardFactory
from tests.review.people import member_of

pytestmark = pytest.mark.django_db

PERIODS = "/admin/scoring/period/"


@pytest.fixture
def client() -> Client:
    return member_of("operator")


@pytest.fixture
def quiz() -> Leaderboard:
    return LeaderboardFactory.create(period_kinds=["season", "all"])


def moments(name: str, at: str) -> dict[str, str]:
    """A moment, as the admin's form sends it."""
    day, _, time = at.partition(" ")
    return {f"{name}_0": day, f"{name}_1": time}


def open_one(client: Client, quiz: Leaderboard, label: str, starts_at: str, ends_at: str = "") -> Any:
    fields = {"leaderboard": quiz.pk, "label": label, **moments("starts_at", starts_at), **moments("ends_at", ends_at)}
    return client.post(f"{PERIODS}add/", fields)


def end_it(client: Client, period: Period, ends_at: str) -> Any:
    return client.post(f"{PERIODS}{period.pk}/change/", moments("ends_at", ends_at))


def problems(response: Any) -> set[str]:
    assert response.status_code == 200
    return set(response.context["adminform"].form.errors)


def test_a_season_is_opened_and_given_an_end(client: Client, quiz: Leaderboard) -> None:
    assert open_one(client, quiz, "s1", "2026-10-01 00:00").status_code == 302
    season = Period.objects.get()
    assert (season.kind, season.label, season.ends_at) == ("season", "s1", None)

    assert end_it(client, season, "2027-01-01 00:00").status_code == 302
    season.refresh_from_db()
    assert season.ends_at is not None
    assert season.ends_at.year == 2027


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        (("s1", "2028-01-01 00:00"), "label"),
        (("all", "2028-01-01 00:00"), "label"),
        (("S 1", "2028-01-01 00:00"), "label"),
        (("s2", "2026-11-01 00:00"), "starts_at"),
        (("s2", "2028-01-01 00:00", "2027-06-01 00:00"), "ends_at"),
        (("s2", ""), "starts_at"),
        (("s2", "soon"), "starts_at"),
    ],
)
def test_what_can_be_no_season_is_said_beside_the_field(
    client: Client, quiz: Leaderboard, fields: tuple[str, ...], named: str
) -> None:
    open_one(client, quiz, "s1", "2026-10-01 00:00", "2027-01-01 00:00")

    assert named in problems(open_one(client, quiz, *fields))
    assert Period.objects.count() == 1


def test_an_end_can_come_earlier_but_not_later_and_not_before_the_start(client: Client, quiz: Leaderboard) -> None:
    open_one(client, quiz, "s1", "2026-10-01 00:00", "2027-01-01 00:00")
    season = Period.objects.get()

    for ends_at in ("2027-02-01 00:00", "2026-09-01 00:00", ""):
        assert "ends_at" in problems(end_it(client, season, ends_at))
    season.refresh_from_db()
    assert season.ends_at is not None
    assert (season.ends_at.year, season.ends_at.month) == (2027, 1)


def test_other_periods_are_only_looked_at(client: Client, quiz: Leaderboard) -> None:
    period = open_period(quiz.pk, ALL_TIME)

    assert client.get(f"{PERIODS}{period.pk}/change/").status_code == 200
    assert end_it(client, period, "2027-01-01 00:00").status_code == 403


@pytest.mark.parametrize("group", ["reviewer", "read-only"])
def test_nobody_else_opens_or_ends_one(group: str, quiz: Leaderboard, client: Client) -> None:
    open_one(client, quiz, "s1", "2026-10-01 00:00")
    other = member_of(group)

    assert open_one(other, quiz, "s2", "2028-01-01 00:00").status_code == 403
    assert end_it(other, Period.objects.get(), "2027-01-01 00:00").status_code == 403
    assert Period.objects.get().ends_at is None
