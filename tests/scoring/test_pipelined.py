"""Statements that nobody waits for: in order, and no error of theirs gets lost."""

import pytest
from django.db import DataError, transaction

from scoring.database import fetch_all, pipelined, queue

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_queued_runs_before_what_follows() -> None:
    with transaction.atomic(), pipelined():
        queue("SELECT set_config('leaderboard.mark', %(mark)s, true)", {"mark": "first"})
        assert fetch_all("SELECT current_setting('leaderboard.mark')", {}) == [("first",)]


@transaction.atomic
def divide_and_go_on() -> None:
    with pipelined():
        queue("SELECT 1 / %(nothing)s", {"nothing": 0})
        fetch_all("SELECT true", {})


def test_an_error_of_a_queued_statement_stops_the_statement_that_follows() -> None:
    with pytest.raises(DataError, match="division by zero"):
        divide_and_go_on()
    assert fetch_all("SELECT true", {}) == [(True,)]


def test_an_error_of_the_last_statement_is_told_though_nobody_waited_for_it() -> None:
    with pytest.raises(DataError, match="division by zero"), transaction.atomic(), pipelined():
        queue("SELECT 1 / %(nothing)s", {"nothing": 0})
    assert fetch_all("SELECT true", {}) == [(True,)]
