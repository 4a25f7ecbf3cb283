"""A period is archived exactly once, whoever runs and whatever breaks on the way."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DataError, OperationalError, connection, transaction

from boards.models import ArchivedBoard, ArchivedEntry, ArchivedPeriod
from rebuilds import archiving, closing
from rebuilds.archiving import archive_again
from rebuilds.closing import close_periods
from rebuilds.models import PeriodNotice
from scoring import intake
from scoring.acceptance import Outcome
from scoring.database import fetch_all
from scoring.ledger_locks import share_ledgers
from scoring.models import Period, Player, ScoreEvent, Total
from scoring.rules import forget_rules, get_rules
from scoring.submissions import Submission
from tests.archive.past import DAY, close_at, closing_of, end_of
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score
from tests.faults.waiting import eventually
from tests.waiting_locks import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

CLOSED, CORRECTED = PeriodNotice.Kind


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"])


def play(*player_ids: str, now: datetime = NOW) -> Period:
    accept_all(*(score(player_id, 10, segments={"city": "hyd"}) for player_id in player_ids), now=now)
    return Period.objects.get(starts_at__lte=now, ends_at__gt=now)


def standings(period: Period) -> list[tuple[int, str, int]]:
    entries = ArchivedEntry.objects.filter(board__archived_period_id=period.pk, board__scope="global")
    return list(entries.order_by("place").values_list("rank", "player__player_id", "points"))


def notices() -> list[str]:
    return list(PeriodNotice.objects.order_by("id").values_list("kind", flat=True))


def in_thread(run: Any, *arguments: Any) -> Any:
    try:
        return run(*arguments)
    finally:
        connection.close()


def test_a_period_that_ended_while_everything_was_off_is_archived_exactly_once_by_two_workers() -> None:
    days = [play("ann", "bob", now=NOW + number * DAY) for number in range(3)]
    start = threading.Barrier(2)

    def work() -> int:
        start.wait()
        return close_at(closing_of(days[2]) + 30 * DAY)

    with ThreadPoolExecutor(2) as workers:
        written = [worker.result(timeout=60) for worker in [workers.submit(in_thread, work) for _ in range(2)]]

    assert sum(written) == len(days)
    assert notices() == [CLOSED] * 3
    assert ArchivedBoard.objects.count() == ArchivedEntry.objects.count() / 2 == 6
    assert all(standings(day) == [(1, "ann", 10), (2, "bob", 10)] for day in days)


def test_a_worker_that_meets_another_at_the_same_period_goes_on_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    day = play("ann")
    closing.list_closed_periods(closing_of(day))
    others: list[int] = []

    with ThreadPoolExecutor(1) as workers:

        def meanwhile(sql: str, given: Any) -> Any:
            if sql.startswith("-- archive_period") and not others:
                # By now this one has the period; the pause of its claim is over for the other.
                later = closing_of(day) + timedelta(minutes=1)
                others.append(workers.submit(in_thread, close_at, later).result(timeout=60))
            return fetch_all(sql, given)

        monkeypatch.setattr(archiving, "fetch_all", meanwhile)
        assert close_at(closing_of(day)) == 1

    assert others == [0]
    assert notices() == [CLOSED]


@pytest.mark.parametrize("step", ["archive_period", "write_notice"])
def test_a_crash_in_the_middle_leaves_nothing_half_and_the_next_run_does_it(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    day = play("ann")
    begun = closing_of(day)

    def crash(*_: Any) -> None:
        raise SystemExit("killed")

    def crash_after(sql: str, given: Any) -> Any:
        rows = fetch_all(sql, given)
        return crash() if sql.startswith("-- archive_period") else rows

    with monkeypatch.context() as patch:
        if step == "archive_period":
            patch.setattr(archiving, "fetch_all", crash_after)
        else:
            patch.setattr(archiving, "write_notice", crash)
        with pytest.raises(SystemExit):
            close_at(begun)

    assert not ArchivedBoard.objects.exists()
    assert not ArchivedEntry.objects.exists()
    assert ArchivedPeriod.objects.get().archived_at is None
    assert notices() == []

    assert close_at(begun) == 0
    assert close_at(begun + timedelta(seconds=2)) == 1
    assert (standings(day), notices()) == ([(1, "ann", 10)], [CLOSED])


def test_a_period_that_can_not_be_archived_holds_up_no_other_and_is_tried_less_and_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad, good = play("ann"), play("bob", now=NOW + DAY)
    tried: list[int] = []

    def fail(sql: str, given: Any) -> Any:
        if sql.startswith("-- archive_period") and given["period_id"] == bad.pk:
            tried.append(second)
            raise DataError("out of range")
        return fetch_all(sql, given)

    monkeypatch.setattr(archiving, "fetch_all", fail)
    for second in range(130):
        close_at(closing_of(good) + timedelta(seconds=second))

    assert tried == [0, 2, 6, 14, 30, 62, 126]
    assert standings(good) == [(1, "bob", 10)]
    assert ArchivedPeriod.objects.get(period=bad).problem == "DataError: out of range"


def test_with_the_database_away_it_fails_at_once_and_finds_everything_later(monkeypatch: pytest.MonkeyPatch) -> None:
    day = play("ann")

    def away(sql: str, given: Any) -> Any:
        if sql.startswith("-- archive_period"):
            raise OperationalError("away")
        return fetch_all(sql, given)

    with monkeypatch.context() as patch:
        patch.setattr(archiving, "fetch_all", away)
        with pytest.raises(OperationalError):
            close_at(closing_of(day))

    assert close_at(closing_of(day) + timedelta(minutes=1)) == 1


def test_a_score_that_was_counted_in_time_is_in_the_standings_however_late_it_is_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its transaction has begun, and ends only after the closing has."""
    day = play("ann", "bob")
    last_moment = closing_of(day) - archiving.SETTLING - timedelta(seconds=1)
    begun, go_on = threading.Event(), threading.Event()

    def slow(ledgers: Any) -> None:
        share_ledgers(ledgers)
        begun.set()
        assert go_on.wait(timeout=60)

    monkeypatch.setattr(intake, "share_ledgers", slow)
    with ThreadPoolExecutor(2) as threads:
        late = threads.submit(in_thread, late_score, last_moment)
        assert begun.wait(timeout=60)
        closer = threads.submit(in_thread, close_at, closing_of(day))
        eventually(waiting_for_a_lock, "the closing does not wait for the score")
        go_on.set()
        assert codes(late.result(timeout=60)) == ["accepted"]
        assert closer.result(timeout=60) == 1

    assert standings(day) == [(1, "bob", 60), (2, "ann", 10)]


def test_a_score_whose_process_stood_still_over_the_close_is_refused_and_the_rest_of_its_call_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was counted as in time, but its transaction begins only after the final standings are made."""
    day = play("ann", "bob")
    last_moment = closing_of(day) - archiving.SETTLING - timedelta(seconds=1)
    assert end_of(day) < last_moment
    parsed, go_on = threading.Event(), threading.Event()

    def late(ledgers: Any) -> None:
        parsed.set()
        assert go_on.wait(timeout=60)
        share_ledgers(ledgers)

    monkeypatch.setattr(intake, "share_ledgers", late)
    with ThreadPoolExecutor(1) as threads:
        # Of the day that closes, of the next one, and once more of the first, in other words.
        scores = [score("bob", 50, "m1", occurred_at=NOW), score("bob", 7, "m2"), score("bob", 50, "m1")]
        sent = threads.submit(in_thread, accept_at, last_moment, scores)
        assert parsed.wait(timeout=60)
        assert close_at(closing_of(day)) == 1
        go_on.set()
        assert codes(sent.result(timeout=60)) == ["period_closed", "accepted", "accepted"]

    archived = standings(day)
    assert archived == [(1, "ann", 10), (2, "bob", 10)]
    assert [event.match_id for event in ScoreEvent.objects.filter(occurred_at__lt=end_of(day), match_id="m1")] == []
    close_at(closing_of(day) + closing.SECOND_LOOK)
    assert standings(day) == archived
    assert notices() == [CLOSED]


def test_the_seal_of_a_period_that_is_opened_once_more_does_not_count() -> None:
    day = play("ann")
    close_at(closing_of(day))
    assert codes([*late_score(closing_of(day) - timedelta(seconds=11))]) == ["period_closed"]
    day.leaderboard.grace_seconds += 3600
    day.leaderboard.save()
    forget_rules()

    assert codes([*late_score(closing_of(day))]) == ["accepted"]
    assert close_at(closing_of(day) + timedelta(hours=1)) == 1
    assert standings(day) == [(1, "bob", 50), (2, "ann", 10)]
    assert codes([*late_score(closing_of(day) + timedelta(minutes=59))]) == ["period_closed"]


def accept_at(now: datetime, scores: list[Submission]) -> list[Outcome]:
    return accept(*scores, now=now)


def late_score(now: datetime) -> list[Outcome]:
    return accept(score("bob", 50, occurred_at=NOW), now=now)


def test_a_writer_that_is_stuck_delays_its_period_and_does_not_stop_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    day = play("ann")
    monkeypatch.setattr(archiving, "WRITERS_WAIT_MS", 50)

    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        share_ledgers([day.leaderboard_id])
        assert threads.submit(in_thread, close_at, closing_of(day)).result(timeout=60) == 0
        other = threads.submit(in_thread, accept, score("eve"))
        assert codes(other.result(timeout=60)) == ["accepted"]

    assert close_at(closing_of(day) + timedelta(minutes=1)) == 1


def test_outdated_standings_are_replaced_and_told_as_corrected() -> None:
    day = play("ann", "bob")
    close_at(closing_of(day))
    later = closing_of(day) + DAY
    Total.objects.filter(player=Player.objects.get(player_id="ann")).update(points=5)

    with transaction.atomic():
        assert archive_again(day.pk)
    assert archive_again(day.pk)
    assert close_at(later) == 1

    assert standings(day) == [(1, "bob", 10), (2, "ann", 5)]
    assert notices() == [CLOSED, CORRECTED]
    assert close_at(later + DAY) == 0
    assert ArchivedBoard.objects.count() == 2


def test_what_is_changed_while_the_standings_are_computed_is_in_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    day = play("ann", "bob")
    with ThreadPoolExecutor(1) as threads:
        corrections: list[Any] = []

        def meanwhile(sql: str, given: Any) -> Any:
            rows = fetch_all(sql, given)
            if sql.startswith("-- archive_period") and not corrections:
                corrections.append(threads.submit(in_thread, correct))
                eventually(waiting_for_a_lock, "the correction does not wait for the archive")
            return rows

        def correct() -> None:
            with transaction.atomic():
                Total.objects.filter(player__player_id="ann").update(points=5)
                assert archive_again(day.pk)

        archived = {"archived_at": closing_of(day), "closed_at": closing_of(day), "retry_at": closing_of(day)}
        ArchivedPeriod.objects.create(period=day, is_outdated=True, **archived)
        monkeypatch.setattr(archiving, "fetch_all", meanwhile)
        close_at(closing_of(day) + DAY)
        corrections[0].result(timeout=60)

    close_at(closing_of(day) + 2 * DAY)
    assert notices() == [CORRECTED, CORRECTED]
    assert standings(day) == [(1, "bob", 10), (2, "ann", 5)]


def test_a_period_that_is_not_archived_can_not_be_outdated() -> None:
    assert not archive_again(play("ann").pk)


@pytest.mark.parametrize("seconds", [1, 86_400])
def test_a_grace_that_is_lengthened_before_the_archive_is_waited_for(seconds: int) -> None:
    day = play("ann")
    closing.list_closed_periods(closing_of(day))
    leaderboard = day.leaderboard
    leaderboard.grace_seconds += seconds
    leaderboard.save()

    assert close_at(closing_of(day)) == 0
    assert close_at(closing_of(day) + timedelta(seconds=max(seconds, 2))) == 1
    assert notices() == [CLOSED]


def test_periods_of_all_leaderboards_are_closed_in_one_run() -> None:
    LeaderboardFactory.create(slug="race", period_kinds=["day"], grace_seconds=0)
    day = play("ann")
    accept_all(score("ann", leaderboard="race"))

    assert get_rules("race").grace_seconds == 0
    assert close_periods(lambda: closing_of(day)) == 2
