"""The id of an erased person comes back: whoever has it now is a new player, and shares nothing with the one before."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from boards import store
from boards.erasure import finish_erasures
from scoring.moderation.erasing import REMEMBERED
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts
from tests.moderation.traces import traces_of
from tests.moderation.workers import Worker

pytestmark = pytest.mark.django_db

ID = "zyxwv-4711"
SOON, LATER = NOW + timedelta(seconds=20), NOW + REMEMBERED + timedelta(seconds=1)


@pytest.mark.parametrize("back_at", [SOON, LATER], ids=["within the minute", "after it"])
@pytest.mark.parametrize("is_told", [True, False], ids=["boards told", "boards not told yet"])
def test_the_same_id_comes_back_as_a_new_player(back_at: datetime, is_told: bool) -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(
        score("ann", 100, "m1", name="Ann", segments={"city": "hyd"}), score("bob", 20, segments={"city": "hyd"})
    )
    deliver()
    acts.erase()
    if is_told:
        deliver()
    finish_erasures(back_at)

    # The match is free for the new one: the ledger knows it of somebody else.
    (stored,) = accept_all(score("ann", 30, "m1", segments={"city": "hyd"}), now=back_at)
    assert not stored.duplicate
    deliver(back_at)
    finish_erasures(LATER)
    deliver(LATER)

    assert acts.board() == acts.board("quiz:all:city:hyd") == [(1, "ann", 30), (2, "bob", 20)]
    assert [entry.name for entry in acts.entries()] == [None, None]
    assert differences() == []


def test_a_new_player_does_not_get_the_name_of_the_erased_one_not_even_for_a_minute() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 100, name="Ann"))
    deliver()
    acts.erase()
    accept_all(score("ann", 30), now=SOON)
    deliver(SOON)

    assert [entry.name for entry in acts.entries()] == [None]


def test_a_new_player_who_comes_while_the_last_traces_go_is_not_taken_along(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 100))
    deliver()
    acts.erase()
    deliver()
    run = store.run

    def run_late(calls: list[store.Call]) -> Any:
        if any(call.script == "forget_player" for call in calls):
            monkeypatch.setattr(store, "run", run)
            accept_all(score("ann", 30), now=LATER)
            deliver(LATER)
        return run(calls)

    monkeypatch.setattr(store, "run", run_late)
    finish_erasures(LATER)

    assert store.run is run, "nobody was forgotten"
    assert acts.board() == [(1, "ann", 30)]


def test_the_third_of_an_id_is_ranked_where_only_the_first_had_been() -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score(ID, 100, segments={"city": "hyd"}))
    deliver()
    acts.erase(ID)
    deliver()
    accept_all(score(ID, 30, segments={"city": "pune"}), now=SOON)
    deliver(SOON)
    finish_erasures(LATER)
    acts.erase(ID, now=LATER)
    deliver(LATER)
    long_after = LATER + REMEMBERED + timedelta(seconds=1)
    finish_erasures(long_after)

    assert traces_of([ID]) == []
    accept_all(score(ID, 10, segments={"city": "hyd"}), now=long_after)
    deliver(long_after)
    assert acts.board("quiz:all:city:hyd") == [(1, ID, 10)]


@pytest.mark.parametrize("correct", [lambda: acts.void("m1", now=SOON), lambda: acts.void("m2", now=SOON)])
def test_a_void_of_an_erased_players_match_does_not_touch_the_new_player_of_that_id(correct: Any) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 100, "m1"), score("ann", 5, "m2"), score("bob", 1, "m1"), score("bob", 1, "m2"))
    deliver()
    acts.erase()
    deliver()
    accept_all(score("ann", 30, "m9"), now=SOON)
    deliver(SOON)

    for _ in range(3):
        acts.adjust("bob", 1, now=SOON)
    correct()
    deliver(SOON)

    assert acts.board() == [(1, "ann", 30), (2, "bob", 4)]
    assert differences() == []


def test_what_a_stale_worker_read_before_stays_off_the_boards() -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", 100, segments={"city": "hyd"}), score("bob", 1))
    stale = [Worker("quiz"), Worker("quiz")]
    acts.erase()
    deliver()
    stale[0].write()
    assert acts.board() == [(1, "bob", 1)]

    accept_all(score("ann", 30, segments={"city": "hyd"}), now=SOON)
    deliver(SOON)
    stale[1].write()
    stale[0].write()
    assert acts.board("quiz:all:city:hyd") == [(1, "ann", 30)]
    assert acts.board() == [(1, "ann", 30), (2, "bob", 1)]
