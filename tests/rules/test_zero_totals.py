"""Totals that no event has moved yet, and calls that commit in another order than they were numbered."""

import pytest
from django.db import connection

from scoring.ranking import Ties
from tests.factories import LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db


@pytest.fixture(params=Ties)
def base(request: pytest.FixtureRequest) -> int:
    """An acceptance number that is given out; the next ones are left to the test."""
    LeaderboardFactory.create(ties=request.param, min_points=-100)
    accept_all(score("bob"))
    return total("bob")[1]


def commit(accept_no: int, points: int) -> None:
    """A score of ann that has been numbered so, whoever was numbered and committed before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval('scoring_accept_no', %s, false)", [accept_no])
    accept_all(score("ann", points))


def test_of_zeros_alone_the_first_number_counts(base: int) -> None:
    for number in (30, 20, 10, 40):
        commit(base + number, 0)

    assert total("ann")[:2] == (0, base + 10)


def test_the_first_points_bring_their_number_though_it_is_before_those_of_the_zeros(base: int) -> None:
    for number, points in ((30, 0), (20, 0), (10, 7)):
        commit(base + number, points)

    assert total("ann")[:2] == (7, base + 10)


def test_points_that_cancel_out_have_moved_the_total(base: int) -> None:
    for number, points in ((20, 10), (30, -10), (10, 0), (40, 0)):
        commit(base + number, points)

    assert total("ann")[:2] == (0, base + 30)
