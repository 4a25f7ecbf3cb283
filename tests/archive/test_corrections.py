"""What changes after the archive was written: corrections that reopen a period, late scores, erased people."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from boards.models import ArchivedEntry, ArchivedPeriod
from rebuilds import archiving
from rebuilds.closing import SECOND_LOOK
from rebuilds.models import PeriodNotice
from scoring.database import fetch_all
from scoring.models import Correction, Erasure, Period, Total
from scoring.moderation import voiding
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player
from scoring.moderation.refolding import PeriodClosed
from scoring.moderation.voiding import finish_voids
from scoring.rules import get_rules
from tests.archive.past import DAY, close_at, closing_of
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts

pytestmark = pytest.mark.django_db


@pytest.fixture
def day() -> Period:
    """A day that ann has won by 20 to 10; it is archived."""
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"])
    accept_all(score("ann", 20, "m1", details={"team": "Ann's"}, segments={"city": "hyd"}), score("bob", 10))
    found = Period.objects.get(kind="day")
    assert close_at(closing_of(found)) == 1
    return found


def standings() -> list[tuple[int, str, int]]:
    entries = ArchivedEntry.objects.filter(board__scope="global").order_by("place")
    return list(entries.values_list("rank", "player__player_id", "points"))


def notices() -> list[str]:
    return list(PeriodNotice.objects.order_by("id").values_list("kind", flat=True))


def decision(now: datetime, reason: str = "cheated") -> Decision:
    return Decision("a test", reason, now)


def test_a_correction_that_reopens_a_period_has_it_archived_anew(day: Period) -> None:
    now = closing_of(day) + DAY
    adjust(get_rules("quiz"), "ann", -15, decision(now), occurred_at=NOW, reopen=True)

    assert close_at(now + archiving.SETTLING) == 1
    assert standings() == [(1, "bob", 10), (2, "ann", 5)]
    assert notices() == ["period.closed", "period.corrected"]
    assert close_at(now + DAY) == 0


def test_of_many_corrections_in_a_row_the_last_one_is_waited_for(day: Period) -> None:
    now = closing_of(day) + DAY
    assert close_at(now) == 0
    written = 0
    for second in range(30):
        moment = now + timedelta(seconds=second)
        adjust(get_rules("quiz"), "ann", -1, decision(moment), occurred_at=NOW, reopen=True)
        written += close_at(moment)

    assert written == 0
    assert close_at(now + timedelta(seconds=29) + archiving.SETTLING) == 1
    assert notices() == ["period.closed", "period.corrected"]


def test_a_correction_that_meets_the_computing_is_in_the_next_standings(
    day: Period, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = closing_of(day) + DAY
    adjust(get_rules("quiz"), "ann", -15, decision(now), occurred_at=NOW, reopen=True)
    made: list[object] = []

    def meanwhile(sql: str, given: Any) -> Any:
        rows = fetch_all(sql, given)
        if sql.startswith("-- archive_period") and not made:
            moment = now + timedelta(seconds=1)
            made.append(adjust(get_rules("quiz"), "ann", 50, decision(moment), occurred_at=NOW, reopen=True))
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(archiving, "fetch_all", meanwhile)
        assert close_at(now + archiving.SETTLING) == 1
    assert standings() == [(1, "bob", 10), (2, "ann", 5)]

    assert close_at(now + archiving.SETTLING + timedelta(seconds=1)) == 1
    assert standings() == [(1, "ann", 55), (2, "bob", 10)]


@pytest.mark.parametrize(
    "correct",
    [
        lambda **more: acts.void("m1", "ann", **more),
        lambda **more: acts.void("m1", **more),
        lambda **more: acts.adjust("ann", -15, occurred_at=NOW, **more),
        lambda **more: acts.merge("ann", "bob", **more),
    ],
    ids=["void for one", "void for all", "adjust", "merge"],
)
def test_a_correction_whose_process_stood_still_over_the_close_must_ask_to_reopen_it_too(
    day: Period, correct: Any
) -> None:
    """By its own clock the day is still open."""
    in_time, before = closing_of(day) - archiving.SETTLING - timedelta(seconds=1), standings()

    with pytest.raises(PeriodClosed, match=day.label):
        correct(now=in_time)
    assert close_at(closing_of(day) + SECOND_LOOK) == 0
    assert standings() == before

    correct(now=in_time, reopen=True)
    assert close_at(closing_of(day) + SECOND_LOOK) == 1
    assert standings() != before


def test_a_void_that_was_begun_in_time_goes_on_after_the_archive_which_is_made_anew(
    day: Period, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voiding, "PORTION", 1)
    monkeypatch.setattr(voiding, "PORTIONS_AT_ONCE", 1)
    tomorrow = NOW + DAY
    accept_all(score("ann", 3, "m2"), score("bob", 4, "m2"), now=tomorrow)
    next_day = Period.objects.get(kind="day", starts_at__lte=tomorrow, ends_at__gt=tomorrow)
    in_time = closing_of(next_day) - archiving.SETTLING - timedelta(seconds=1)
    acts.void("m2", now=in_time)
    assert close_at(closing_of(next_day)) == 1

    # Its worker, too, has looked at the clock before the close.
    assert finish_voids(in_time, portions=5) == 0

    assert Correction.objects.get().problem == ""
    assert close_at(closing_of(next_day) + timedelta(seconds=1)) == 1
    archived = ArchivedEntry.objects.filter(board__archived_period_id=next_day.pk)
    assert not archived.exists()


def test_a_correction_in_another_period_changes_no_archive(day: Period) -> None:
    now = closing_of(day) + DAY
    adjust(get_rules("quiz"), "ann", -15, decision(now))

    assert close_at(now + archiving.SETTLING) == 0


def test_a_total_that_was_changed_past_all_rules_is_found_by_the_second_look(day: Period) -> None:
    """By a process of an older version, or by hand."""
    Total.objects.filter(player__player_id="bob").update(points=60)
    looked_at = closing_of(day) + SECOND_LOOK

    assert close_at(looked_at - timedelta(seconds=1)) == 0
    assert close_at(looked_at) == 1
    assert standings() == [(1, "bob", 60), (2, "ann", 20)]
    assert notices() == ["period.closed", "period.corrected"]


def test_a_second_look_that_finds_nothing_is_the_last(day: Period) -> None:
    assert close_at(closing_of(day) + SECOND_LOOK) == 0
    assert ArchivedPeriod.objects.get().is_settled


def test_of_an_erased_player_the_archive_keeps_no_details(day: Period) -> None:
    erase_player("ann", decision(closing_of(day)))

    assert not ArchivedEntry.objects.filter(details__isnull=False)
    assert Erasure.objects.get().proof["archived_details"] == 2


def test_an_erasure_that_meets_the_computing_is_completed_by_the_second_look(day: Period) -> None:
    entries = ArchivedEntry.objects.filter(details__isnull=False)
    kept = {entry.pk: entry.details for entry in entries}
    erase_player("ann", decision(closing_of(day)))
    for pk, details in kept.items():
        # As the statement would that has read the total before.
        ArchivedEntry.objects.filter(pk=pk).update(details=details)

    close_at(closing_of(day) + SECOND_LOOK)

    assert len(kept) == 2
    assert not ArchivedEntry.objects.filter(details__isnull=False)


def test_who_has_moved_since_stays_on_the_boards_of_then_and_a_new_player_is_where_he_is_now(day: Period) -> None:
    now = closing_of(day) + DAY
    moved = [score("ann", segments={"city": "pune"}), score("bob", segments={"city": "pune"})]
    accept_all(*moved, score("eve", segments={"city": "pune"}), now=now)
    for player_id in ("bob", "eve"):
        adjust(get_rules("quiz"), player_id, 5, decision(now), occurred_at=NOW, reopen=True)

    assert close_at(now + archiving.SETTLING) == 1

    cities = ArchivedEntry.objects.exclude(board__scope="global").order_by("board__scope")
    assert list(cities.values_list("board__scope", "player__player_id")) == [("city:hyd", "ann"), ("city:pune", "eve")]
    assert standings() == [(1, "ann", 20), (2, "bob", 15), (3, "eve", 5)]


def test_who_was_flagged_since_leaves_when_the_standings_are_made_anew(day: Period) -> None:
    now = closing_of(day) + DAY
    flag_player("ann", decision(now))
    adjust(get_rules("quiz"), "bob", 1, decision(now), occurred_at=NOW, reopen=True)
    close_at(now + archiving.SETTLING)

    assert standings() == [(1, "bob", 11)]
