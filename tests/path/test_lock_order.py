"""Two calls that lock the same rows must do it in one order, also on the rare paths. Each test stops one call in the
middle, lets another run until it is done or waits for the first, and then goes on.
"""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from scoring import acceptance, profiles
from scoring.acceptance import Outcome
from scoring.database import fetch_all
from scoring.rules import MAX_DECIMAL_TOTAL
from scoring.submissions import Submission
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score
from tests.ledger_truth import folded_ledger, stored_totals

pytestmark = pytest.mark.django_db(transaction=True)


class OtherCall:
    """A batch that another thread posts, once."""

    def __init__(self, threads: ThreadPoolExecutor, *batch: Submission) -> None:
        self._threads = threads
        self._batch = batch
        self.answer: Future[list[Outcome]] | None = None

    def run_until_it_waits(self) -> None:
        if self.answer is not None:
            return
        self.answer = self._threads.submit(self._post)
        while not (self.answer.done() or waits_for_a_lock()):
            pass

    def codes(self) -> list[str]:
        assert self.answer is not None
        return codes(self.answer.result(timeout=60))

    def _post(self) -> list[Outcome]:
        try:
            return accept(*self._batch)
        finally:
            connection.close()


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        (waits,) = cursor.fetchone()
    return bool(waits)


def before_statement(action: Callable[[], None], **parameters: str) -> Callable[..., Any]:
    """`fetch_all`, with the action before this thread's first statement that has these parameters."""
    mine = threading.get_ident()

    def wrapped(sql: str, given: Mapping[str, Any]) -> Any:
        if threading.get_ident() == mine and parameters.items() <= {k: given.get(k) for k in parameters}.items():
            action()
        return fetch_all(sql, given)

    return wrapped


def test_profiles_are_saved_before_totals_of_any_leaderboard_are_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race")
    accept_all(score("ann"), score("bob", name="Bob"))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("bob", name="Bob the 2nd"), score("ann"))
        # The call has ann's total on quiz by now, and is about to rename bob on race.
        monkeypatch.setattr(profiles, "fetch_all", before_statement(other.run_until_it_waits))
        mine = accept(score("ann"), score("bob", name="Bob the 3rd", leaderboard="race"))

        assert codes(mine) == other.codes() == ["accepted"] * 2


def test_scores_judged_one_by_one_do_not_lock_in_an_order_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create(max_points=1_000_000)
    accept_all(score("ann", MAX_DECIMAL_TOTAL - 1))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", 1, "m1"))
        # First all together, which goes out of range; then m2, which has ann's total; and now m1.
        at_m1 = before_statement(other.run_until_it_waits, match_ids='{"m1"}')
        monkeypatch.setattr(acceptance, "fetch_all", at_m1)
        mine = accept(score("ann", 1, "m2"), score("ann", 1, "m1"))

        assert sorted([*codes(mine), *other.codes()]).count("accepted") == 1
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_totals_of_players_judged_apart_are_locked_in_the_order_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create(min_points=-10, max_points=1_000_000)
    accept_all(score("ann", MAX_DECIMAL_TOTAL), score("bob"))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", -1), score("bob"))
        # Bob's total is locked by now, and ann's score comes after it.
        at_m1 = before_statement(other.run_until_it_waits, match_ids='{"m1"}')
        monkeypatch.setattr(acceptance, "fetch_all", at_m1)
        mine = accept(score("bob"), score("ann", 1, "m1"))

        assert codes(mine) == ["accepted", "points_out_of_range"]
        assert other.codes() == ["accepted"] * 2
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
