"""Flushes against a real database: what is written from the event loop, what goes the long way, and what becomes of it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from leaderboard_site.door import flushes as flushes_module
from leaderboard_site.door.flushes import Flushes
from leaderboard_site.door.transactions import Transactions
from scoring import acceptance, outbox, usual
from scoring.acceptance import Stored
from scoring.database import Question
from scoring.errors import FieldError
from scoring.intake import Addressed, accept_scores
from scoring.models import OutboxEvent, ScoreEvent
from scoring.packing import MAX_DECIMAL
from scoring.rules import get_rules
from scoring.submissions import Submission
from scoring.together import Fate, accept_together
from tests.factories import LeaderboardFactory
from tests.ledger_truth import folded_ledger, stored_totals
from tests.waiting_locks import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def leaderboards() -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"], max_points=MAX_DECIMAL)
    LeaderboardFactory.create(slug="race", operator="best")
    LeaderboardFactory.create(slug="lap")


@pytest.fixture
def long_way(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The players of each group that went it."""
    groups: list[list[str]] = []

    def noted(scores: Sequence[Addressed], now: object) -> list[Fate]:
        groups.append([score.submission.player_id for score in scores])
        return accept_together(scores, now)  # type: ignore[arg-type]

    monkeypatch.setattr(flushes_module, "accept_together", noted)
    monkeypatch.setattr(usual, "accept_together", noted)
    return groups


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    queues: list[str] = []
    monkeypatch.setattr(outbox, "_listeners", [queues.append])
    return queues


def score(
    player_id: str, points: int = 10, match_id: str = "m1", leaderboard: str = "quiz", **more: object
) -> Addressed:
    return Addressed(Submission(player_id, match_id, points, **more), get_rules(leaderboard))  # type: ignore[arg-type]


def flush(*groups: list[Addressed], meanwhile: Callable[[Flushes], None] = lambda _: None) -> list[list[Fate]]:
    """One after another, on the same connection."""

    async def play() -> list[list[Fate]]:
        flushes = Flushes(Transactions(connection.get_connection_params()), 2)
        fates = []
        for number, group in enumerate(groups):
            if number:
                await asyncio.to_thread(meanwhile, flushes)
            fates.append(await flushes.accept(group))
        await flushes.close()
        return fates

    return asyncio.run(play())


def known(*player_ids: str) -> list[Addressed]:
    return [score(player_id, match_id="m0") for player_id in player_ids]


def told(fates: list[Fate]) -> list[object]:
    """Totals of all time of what was stored, codes of errors."""
    return [
        (fate.totals["all"], fate.duplicate) if isinstance(fate, Stored) else getattr(fate, "code", fate)
        for fate in fates
    ]


def test_only_new_players_go_the_long_way(long_way: list[list[str]], announced: list[str]) -> None:
    first, second = flush(known("ann", "bob"), [score("bob", 0), score("ann", 5)])

    assert long_way == [["ann", "bob"]]
    assert (told(first), told(second)) == ([(10, False), (10, False)], [(10, False), (15, False)])
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert OutboxEvent.objects.filter(queue="live").count() == 2
    assert len(announced) == 2


def test_repeats_and_conflicts_are_told_beside_what_is_new(long_way: list[list[str]]) -> None:
    _, fates = flush(
        known("ann", "bob", "eve", "joe"),
        [score("ann", 10, "m0"), score("bob", 7), score("eve", 11, "m0"), score("joe", 3)],
    )

    assert told(fates) == [(10, True), (17, False), "match_conflict", (13, False)]
    assert long_way == [["ann", "bob", "eve", "joe"]]


def test_a_repeat_that_cant_be_looked_up_is_its_own_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise psycopg.OperationalError("gone")

    def break_it(_: Flushes) -> None:
        monkeypatch.setattr(acceptance, "load_known", broken)

    _, fates = flush(known("ann", "bob"), [score("ann", 10, "m0"), score("bob", 7)], meanwhile=break_it)

    assert isinstance(fates[0], psycopg.OperationalError)
    assert told(fates[1:]) == [(17, False)]


def test_scores_of_several_leaderboards_share_a_flush(long_way: list[list[str]]) -> None:
    mixed = [score("ann", 1), score("bob", 2, leaderboard="lap"), score("eve", 3), score("joe", 4, leaderboard="lap")]
    everybody = [
        score(name, 10, "m0", slug)
        for name, slug in zip(("ann", "bob", "eve", "joe"), 2 * ("quiz", "lap"), strict=True)
    ]

    _, fates = flush(everybody, mixed)

    assert [fate.leaderboard for fate in fates if isinstance(fate, Stored)] == ["quiz", "lap", "quiz", "lap"]
    assert told(fates) == [(11, False), (12, False), (13, False), (14, False)]
    assert long_way == [["ann", "bob", "eve", "joe"]]


def test_where_nothing_was_written_the_long_way_is_gone_and_nowhere_else(long_way: list[list[str]]) -> None:
    warm_up = [score("ann", 10, "m0"), score("bob", 10, "m0", "lap")]
    mixed = [score("ann", 1), score("bob", 2, leaderboard="lap"), score("new", 3, leaderboard="lap")]

    _, fates = flush(warm_up, mixed)

    assert told(fates) == [(11, False), (12, False), (3, False)]
    assert long_way == [["ann", "bob"], ["bob", "new"]]
    assert ScoreEvent.objects.count() == 5


def test_what_the_rules_refuse_is_refused_beside_what_is_written(long_way: list[list[str]]) -> None:
    _, some, none = flush(known("ann", "bob"), [score("ann", -1), score("bob", 1)], [score("ann", -1)])

    assert (told(some), told(none)) == (["points_out_of_range", (11, False)], ["points_out_of_range"])
    assert long_way == [["ann", "bob"]]


def test_a_total_that_no_board_can_show_is_rolled_back_and_its_neighbour_stored(
    long_way: list[list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    backends: list[int] = []

    def note(flushes: Flushes) -> None:
        backends.extend(session._connection.info.backend_pid for session in flushes._transactions._free)

    warm_up = [*known("ann", "bob"), score("eve", 1, "m0", "lap")]
    groups = [score("ann", 1)], [score("ann", MAX_DECIMAL - 5, "m2"), score("bob", 1, "m2")]
    _, _, fates, after = flush(warm_up, *groups, [score("bob", 1, "m3"), score("eve", 1, "m3", "lap")], meanwhile=note)

    assert told(fates) == ["points_out_of_range", (11, False)]
    assert told(after) == [(12, False), (2, False)]
    # For a while the leaderboard's scores are not tried together with others.
    assert long_way == [["ann", "bob", "eve"], ["ann", "bob"], ["bob"]]
    assert ScoreEvent.objects.count() == 7
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    # A leaderboard near its limits is nothing to warn of, and the connection is as good as before.
    assert not caplog.records
    assert len(backends) == 2
    assert len(set(backends)) == 1


def test_a_total_that_another_moves_meanwhile_is_looked_up() -> None:
    """The statement has seen none, waits for the other's, and leaves it as it is, unread: zero points move nothing."""
    flush(known("bob"), [score("ann", 1, "m0", "lap")])

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            accept_scores([score("ann", 10)], timezone.now())
            flushed = threads.submit(flush, [score("ann", 0, "m2")])
            while not (flushed.done() or waiting_for_a_lock()):
                pass
            assert not flushed.done()
        (fates,) = flushed.result(timeout=60)

    assert told(fates) == [(10, False)]


def test_operators_whose_totals_the_statement_does_not_tell_go_the_long_way(long_way: list[list[str]]) -> None:
    _, fates = flush(known("bob"), [score("ann", 10, leaderboard="race"), score("bob", 1)])

    assert told(fates) == [(10, False), (11, False)]
    assert long_way == [["bob"], ["ann"]]


def test_a_connection_that_is_lost_costs_nobody_his_score(long_way: list[list[str]]) -> None:
    def kill_idle(flushes: Flushes) -> None:
        for session in flushes._transactions._free:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [session._connection.info.backend_pid])

    groups = [known("ann"), [score("ann", 1, "m1")], [score("ann", 1, "m2")], [score("ann", 1, "m3")]]
    fates = flush(*groups, meanwhile=kill_idle)

    assert [told(group) for group in fates] == [[(10, False)], [(11, False)], [(12, False)], [(13, False)]]
    # The second had no connection yet; the third met a dead one, and the fourth a new one.
    assert long_way == [["ann"], ["ann"]]


def test_a_database_that_cant_be_reached_is_not_asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    async def refuse(**_: object) -> None:
        tries.append(1)
        raise psycopg.OperationalError("refused")

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", refuse)
    fates = flush(known("ann"), *([score("ann", 1, f"m{number}")] for number in range(1, 5)))

    assert [told(group) for group in fates] == [[(10 + number, False)] for number in range(5)]
    assert len(tries) == 1


def test_a_statement_that_fails_is_tried_the_long_way(
    monkeypatch: pytest.MonkeyPatch, long_way: list[list[str]]
) -> None:
    def fail_once(_: Flushes) -> None:
        monkeypatch.setattr(usual.UsualScores, "questions", lambda _: [Question("SELECT 1 / 0", {})])

    _, fates = flush(known("ann"), [score("ann", 5)], meanwhile=fail_once)

    assert told(fates) == [(15, False)]
    assert long_way == [["ann"], ["ann"]]


@pytest.mark.parametrize("keeps_plans", [True, False], ids=["plans kept", "not kept"])
def test_more_than_a_socket_takes_at_once(keeps_plans: bool, long_way: list[list[str]]) -> None:
    names = [f"p{number}" for number in range(400)]
    connection.settings_dict["OPTIONS"]["prepare_threshold"] = 5 if keeps_plans else None
    details = {"deck": "x" * 900}

    _, fates = flush(known(*names), [score(name, 1, details=details) for name in names])

    assert told(fates) == [(11, False)] * 400
    assert len(long_way) == 1
    assert ScoreEvent.objects.filter(details=details).count() == 400


def test_a_refusal_is_an_error_of_its_field() -> None:
    ((refused,),) = flush([score("ann", -1)])

    assert isinstance(refused, FieldError)
    assert refused.field == "points"
