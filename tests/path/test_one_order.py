"""One statement locks its rows in one order, whatever the order of the batch: whoever waits holds only what comes before."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from tests.factories import LeaderboardFactory, accept_all, score
from tests.path.test_lock_order import OtherCall

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = [(1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)]


@pytest.mark.parametrize("order", ORDERS)
def test_ledger_rows_are_locked_by_match(order: tuple[int, ...]) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"), score("bob"))
    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, *(score("ann", match_id=f"m{n}") for n in order))
        with transaction.atomic():
            accept_all(score("ann", match_id="m2"))
            other.run_until_it_waits()
            accept_all(score("ann", match_id="m3"))

        assert sorted(other.codes()) == ["accepted", "duplicate", "duplicate"]


@pytest.mark.parametrize("order", ORDERS)
def test_totals_are_locked_by_player(order: tuple[int, ...]) -> None:
    LeaderboardFactory.create()
    for n in (1, 2, 3):
        accept_all(score(f"player-{n}"))
    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, *(score(f"player-{n}") for n in order))
        with transaction.atomic():
            accept_all(score("player-2"))
            other.run_until_it_waits()
            accept_all(score("player-3"))

        assert other.codes() == ["accepted"] * 3
