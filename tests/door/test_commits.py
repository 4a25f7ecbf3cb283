"""Group commit: who shares a transaction, who waits, who is refused, and that nobody pays for a neighbour."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import psycopg
import pytest
from django.db import DataError, OperationalError

from leaderboard_site.door.commits import HELD_UP_SECONDS, MOST_TOGETHER, Commits
from scoring import together
from scoring.acceptance import Outcome, Stored
from scoring.errors import FieldError, Overloaded
from scoring.intake import Addressed
from scoring.models import Leaderboard
from scoring.rules import Rules, rules_of
from scoring.submissions import Submission
from scoring.together import Fate, accept_together

Score = Callable[..., Addressed]

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_of(Leaderboard(pk=1, slug="quiz", period_kinds=["all"]), ())


def stored(score: Addressed) -> Stored:
    submission = score.submission
    return Stored(False, "quiz", submission.player_id, submission.match_id, 1, {})


class Database:
    """In place of intake: notes which scores came together, and waits for a sign before it answers."""

    def __init__(self) -> None:
        self.flushes: list[list[str]] = []
        self.may_answer = threading.Event()
        self.may_answer.set()

    async def accept(self, scores: Sequence[Addressed]) -> list[Fate]:
        self.flushes.append([f"{score.submission.player_id}/{score.submission.match_id}" for score in scores])
        assert await asyncio.to_thread(self.may_answer.wait, 30)
        return [stored(score) for score in scores]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                await asyncio.sleep(0.001)


@pytest.fixture
def score(rules: Rules) -> Score:
    def made(player_id: str, match_id: str = "m") -> Addressed:
        return Addressed(Submission(player_id, match_id, 1), rules)

    return made


def test_a_lone_score_goes_at_once_and_those_of_one_turn_go_together(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        commits = Commits(database.accept, flushes=2, waiting=100)
        await commits.accept(score("ann"))
        await asyncio.gather(*(commits.accept(score(player_id)) for player_id in ("bob", "dan", "eve")))
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/m"], ["bob/m", "dan/m", "eve/m"]]


def test_what_arrives_while_all_flushes_are_busy_is_collected_for_the_next(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        database.may_answer.clear()
        commits = Commits(database.accept, flushes=1, waiting=100)
        first = asyncio.create_task(commits.accept(score("ann")))
        await database.until(lambda: len(database.flushes) == 1)
        others = []
        for player_id in ("bob", "dan", "eve"):
            others.append(asyncio.create_task(commits.accept(score(player_id))))
            await asyncio.sleep(0)
        database.may_answer.set()
        await asyncio.gather(first, *others)
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/m"], ["bob/m", "dan/m", "eve/m"]]


def test_the_next_flush_begins_before_the_last_is_answered(score: Score) -> None:
    """To answer takes longer than to begin, and the database would stand still meanwhile."""
    events: list[str] = []

    async def accept(scores: Sequence[Addressed]) -> list[Fate]:
        events.append(f"{scores[0].submission.player_id} begins")
        await asyncio.sleep(0)
        return [stored(each) for each in scores]

    async def post(commits: Commits, player_id: str) -> None:
        await commits.accept(score(player_id))
        events.append(f"{player_id} is answered")

    async def play() -> None:
        commits = Commits(accept, flushes=2, waiting=100)
        first = asyncio.create_task(post(commits, "ann"))
        while not events:
            await asyncio.sleep(0)
        await asyncio.gather(first, post(commits, "bob"))
        await commits.drain()

    asyncio.run(play())
    assert events == ["ann begins", "bob begins", "ann is answered", "bob is answered"]


def test_beside_a_flush_that_is_held_up_the_next_ones_go_on_up_to_the_limit(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        database.may_answer.clear()
        commits = Commits(database.accept, flushes=2, waiting=100)
        sent = []
        sent.append(asyncio.create_task(commits.accept(score("ann"))))
        await database.until(lambda: len(database.flushes) == 1)
        sent.append(asyncio.create_task(commits.accept(score("bob"))))
        await database.until(lambda: len(database.flushes) == 2)
        sent.append(asyncio.create_task(commits.accept(score("dan"))))
        await asyncio.sleep(2 * HELD_UP_SECONDS)
        assert len(database.flushes) == 2
        database.may_answer.set()
        await asyncio.gather(*sent)
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/m"], ["bob/m"], ["dan/m"]]


def test_of_one_player_a_flush_takes_one_score_in_the_order_they_came(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        commits = Commits(database.accept, flushes=1, waiting=100)
        sent = [score("ann", "1"), score("ann", "2"), score("bob", "1"), score("ann", "1")]
        await asyncio.gather(*(commits.accept(one) for one in sent))
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/1", "bob/1"], ["ann/2"], ["ann/1"]]


def test_a_flush_has_an_end(score: Score) -> None:
    async def play() -> list[int]:
        database = Database()
        commits = Commits(database.accept, flushes=1, waiting=10 * MOST_TOGETHER)
        await asyncio.gather(*(commits.accept(score(f"p{n}")) for n in range(MOST_TOGETHER + 1)))
        await commits.drain()
        return [len(flush) for flush in database.flushes]

    assert asyncio.run(play()) == [MOST_TOGETHER, 1]


def test_when_too_many_wait_the_next_is_told_to_come_back_and_nothing_of_it_is_saved(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        database.may_answer.clear()
        commits = Commits(database.accept, flushes=1, waiting=2)
        under_way = [asyncio.create_task(commits.accept(score("ann")))]
        await database.until(lambda: len(database.flushes) == 1)
        under_way += [asyncio.create_task(commits.accept(score(player_id))) for player_id in ("bob", "dan")]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded) as refused:
            await commits.accept(score("eve"))
        assert (refused.value.status, refused.value.retry_after_seconds) == (503, 1)
        database.may_answer.set()
        await asyncio.gather(*under_way)
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/m"], ["bob/m", "dan/m"]]


def test_who_hangs_up_does_not_stop_his_score_and_a_drain_waits_for_all(score: Score) -> None:
    async def play() -> list[list[str]]:
        database = Database()
        database.may_answer.clear()
        commits = Commits(database.accept, flushes=1, waiting=100)
        impatient = [asyncio.create_task(commits.accept(score(player_id))) for player_id in ("ann", "bob")]
        await database.until(lambda: len(database.flushes) == 1)
        impatient.append(asyncio.create_task(commits.accept(score("eve"))))
        await asyncio.sleep(0)
        for each in impatient:
            each.cancel()
        database.may_answer.set()
        await commits.drain()
        return database.flushes

    assert asyncio.run(play()) == [["ann/m", "bob/m"], ["eve/m"]]


class Statement:
    """In place of the statement: fails with what is set for a player in it."""

    def __init__(self, errors: dict[str, Exception]) -> None:
        self.calls: list[list[str]] = []
        self._errors = errors

    def accept(self, scores: Sequence[Addressed], now: datetime) -> list[Outcome]:
        players = [score.submission.player_id for score in scores]
        self.calls.append(players)
        for player_id in players:
            if player_id in self._errors:
                raise self._errors[player_id]
        return [stored(score) for score in scores]


def caused_by(error: Exception, cause: psycopg.Error) -> Exception:
    error.__cause__ = cause
    return error


LOST = caused_by(OperationalError("lost"), psycopg.OperationalError("the connection is lost"))
STOPPED = caused_by(OperationalError("stopped"), psycopg.errors.AdminShutdown("terminating connection"))
DEADLOCK = caused_by(OperationalError("deadlock"), psycopg.errors.DeadlockDetected("deadlock detected"))
POISON = caused_by(DataError("bad"), psycopg.errors.CharacterNotInRepertoire("bad"))


@pytest.mark.parametrize("error", [POISON, DEADLOCK, ZeroDivisionError("a mistake of ours")])
def test_an_error_is_paid_for_by_its_own_score_only(
    score: Score, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    statement = Statement({"bob": error})
    monkeypatch.setattr(together, "accept_scores", statement.accept)

    fates = accept_together([score(player_id) for player_id in ("ann", "bob", "eve")], NOW)

    assert [isinstance(fate, Stored) for fate in fates] == [True, False, True]
    assert fates[1] is error
    assert statement.calls == [["ann", "bob", "eve"], ["ann"], ["bob"], ["eve"]]


@pytest.mark.parametrize("error", [LOST, STOPPED, psycopg.OperationalError("no connection within 2 seconds")])
def test_a_database_that_is_away_is_asked_once_more_and_not_by_everyone(
    score: Score, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    statement = Statement(dict.fromkeys(("ann", "bob", "eve"), error))
    monkeypatch.setattr(together, "accept_scores", statement.accept)

    fates = accept_together([score(player_id) for player_id in ("ann", "bob", "eve")], NOW)

    assert fates == [error] * 3
    assert statement.calls == [["ann", "bob", "eve"], ["ann"]]


def test_an_error_of_one_item_is_its_outcome(score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = FieldError("points", "invalid", "points must be a whole number")
    monkeypatch.setattr(together, "accept_scores", lambda scores, now: [refused, stored(scores[1])])

    assert accept_together([score("ann"), score("bob")], NOW) == [refused, stored(score("bob"))]
