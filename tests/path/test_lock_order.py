"""Two calls that lock the same rows must do it in one order, also on the rare paths. Each test stops one call in the
middle, lets another run until it is done or waits for the first, and then goes on.
"""

import itertools
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from django.db import connection, transaction

from scoring import acceptance, fitting, profiles
from scoring.acceptance import Outcome, TotalsOutOfRange
from scoring.database import fetch_all
from scoring.ledger_locks import hold_ledgers
from scoring.models import Player
from scoring.packing import MAX_DECIMAL
from scoring.submissions import Submission
from tests.factories import LeaderboardFactory, accept, accept_all, codes, score, total
from tests.ledger_truth import folded_ledger, stored_totals
from tests.waiting_locks import waiting_for_a_lock

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
        while not (self.answer.done() or waiting_for_a_lock()):
            pass

    def run_to_its_end(self) -> None:
        """It must not wait for a lock: this call holds none."""
        self.run_until_it_waits()
        assert self.answer is not None
        assert self.answer.done()

    def codes(self) -> list[str]:
        assert self.answer is not None
        return codes(self.answer.result(timeout=60))

    def _post(self) -> list[Outcome]:
        try:
            return accept(*self._batch)
        finally:
            connection.close()


def before_statement(action: Callable[[], None], name: str = "", which: int = 1) -> Callable[..., Any]:
    """`fetch_all`, with the action before this thread's first statement of that name, or before another of them."""
    mine = threading.get_ident()
    count = itertools.count(1)

    def wrapped(sql: str, given: Mapping[str, Any]) -> Any:
        if threading.get_ident() == mine and sql.startswith(f"-- {name}") and next(count) == which:
            action()
        return fetch_all(sql, given)

    return wrapped


def before_raise(action: Callable[[], None]) -> type[TotalsOutOfRange]:
    """The error, with the action before this thread raises it."""
    mine = threading.get_ident()

    class Wrapped(TotalsOutOfRange):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            if threading.get_ident() == mine:
                action()

    return Wrapped


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


@pytest.mark.parametrize("judging", ["load_totals", "find_events"])
def test_scores_are_judged_one_by_one_without_locks(monkeypatch: pytest.MonkeyPatch, judging: str) -> None:
    LeaderboardFactory.create(max_points=1_000_000)
    accept_all(score("ann", MAX_DECIMAL - 1))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", 1, "m1"))
        # First all together, which goes out of range; and now one by one.
        monkeypatch.setattr(fitting, "fetch_all", before_statement(other.run_to_its_end, judging))
        mine = accept(score("ann", 1, "m2"), score("ann", 1, "m1"))

        assert other.codes() == ["accepted"]
        assert codes(mine) == ["points_out_of_range", "duplicate"]
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


@pytest.mark.parametrize(
    ("module", "statement", "which", "becomes"),
    [
        (fitting, "load_totals", 1, "accepted"),
        (fitting, "find_events", 1, "points_out_of_range"),
        (acceptance, "accept_scores", 2, "points_out_of_range"),
    ],
    ids=["before the judgement", "in the middle of it", "after it"],
)
def test_a_penalty_between_two_tries_waits_for_nobody(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, statement: str, which: int, becomes: str
) -> None:
    """What is judged is refused or not by the totals of that moment; scores that fit are taken either way."""
    LeaderboardFactory.create(min_points=-10, max_points=1_000_000)
    accept_all(score("ann", MAX_DECIMAL), score("bob"))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", -1), score("bob"))
        monkeypatch.setattr(module, "fetch_all", before_statement(other.run_to_its_end, statement, which))
        mine = accept(score("bob"), score("ann", 1, "m1"), score("bob"))

        assert codes(mine) == ["accepted", becomes, "accepted"]
        assert other.codes() == ["accepted"] * 2
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_totals_are_locked_in_the_order_of_players_though_one_is_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create(min_points=-10, max_points=1_000_000)
    accept_all(score("ann", MAX_DECIMAL), score("bob"))

    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", -1), score("bob"))
        # Both totals are locked by now, and ann's is found out of range: nothing of it may be kept for the next try.
        monkeypatch.setattr(acceptance, "TotalsOutOfRange", before_raise(other.run_until_it_waits))
        mine = accept(score("bob"), score("ann", 1, "m1"))

        assert codes(mine)[0] == "accepted"
        assert other.codes() == ["accepted"] * 2
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_a_score_waits_while_its_ledger_is_held_and_then_sees_what_was_done_meanwhile() -> None:
    quiz = LeaderboardFactory.create()
    accept_all(score("ann", 10, "m1"), score("bob", 10, "m1"))

    with ThreadPoolExecutor(1) as threads:
        waiting = OtherCall(threads, score("ann", 5, "m2"))
        with transaction.atomic():
            hold_ledgers([quiz.pk])
            waiting.run_until_it_waits()
            assert waiting.answer is not None
            assert not waiting.answer.done()
            Player.objects.filter(player_id="ann").update(merged_into=Player.objects.get(player_id="bob"))
        assert waiting.codes() == ["accepted"]

    assert (total("ann")[0], total("bob")[0]) == (10, 15)


def test_a_score_waits_for_no_other_leaderboards_ledger() -> None:
    quiz = LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race")

    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        hold_ledgers([quiz.pk])
        OtherCall(threads, score("ann", leaderboard="race")).run_to_its_end()
