"""A person is forgotten: no trace is left, and everybody else's points stay what they are."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType

from boards.erasure import finish_erasures
from boards.keys import board_keys
from scoring.models import Correction, Erasure, Leaderboard, OutboxEvent, Period, Player
from scoring.moderation.erasing import REMEMBERED
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, OutboxEventFactory, accept_all, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts
from tests.moderation.traces import traces_of

pytestmark = pytest.mark.django_db

ID, OTHER_ID, NAME = "zyxwv-4711", "qponm-0815", "Quetzal Äöü"
SOON, LATER = NOW + timedelta(seconds=20), NOW + REMEMBERED + timedelta(seconds=1)


def leave_traces() -> None:
    """All that a person may have left anywhere: on two leaderboards, in two cities, under two ids."""
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"])
    LeaderboardFactory.create(slug="race", operator="best", ties="shared")
    accept_all(score("bob", 20, "m1", segments={"city": "hyd"}), score("bob", 7, "m1", leaderboard="race"))
    accept_all(score(ID, 30, "m1", name=NAME, segments={"city": "hyd"}, details={"says": NAME}))
    accept_all(score(ID, 5, "m1", leaderboard="race", details={"by": ID}))
    accept_all(score(OTHER_ID, 50, "m2", name=f"{NAME} II", segments={"city": "pune"}, details={"of": OTHER_ID}))
    deliver()
    acts.merge(OTHER_ID, ID)
    accept_all(score(ID, 1, segments={"city": "pune"}))
    acts.adjust("bob", 1)
    Correction.objects.update(reason=f"as {ID} and '{NAME}' say", problem=f"not for {OTHER_ID}.")
    OutboxEventFactory.create(player_ids=[], period_ids=[], problem=f"Unpackable: {ID}: too much", applied_at=NOW)
    player, quiz = Player.objects.get(player_id=ID), Leaderboard.objects.get(slug="quiz")
    user = User.objects.create(username="a-reviewer")
    for row, text, message in ((player, str(player), f'[{{"changed": "{NAME}"}}]'), (quiz, "quiz", f"not {ID}")):
        LogEntry.objects.create(
            user=user,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=text,
            action_flag=CHANGE,
            change_message=message,
        )
    deliver()


def test_after_an_erasure_no_dump_holds_the_id_or_the_name(boards_redis: Any, broker_redis: Any) -> None:
    leave_traces()
    assert len(traces_of([ID, OTHER_ID, NAME])) > 15

    corrected = acts.erase(ID, reason=f"{NAME} wrote to us")
    deliver()
    # All but the id, for as long as boards must refuse what was read before.
    assert traces_of([NAME]) == []

    assert finish_erasures(LATER) == 1
    assert traces_of([ID, OTHER_ID, NAME]) == []
    erasure = Erasure.objects.get(pk=corrected.correction.pk)
    assert erasure.finished_at == LATER
    assert erasure.proof["accounts"] == 2
    assert erasure.proof["events"] == 4
    assert (erasure.proof["names"], erasure.proof["event_details"]) == (2, 3)
    assert finish_erasures(LATER) == 0


def test_nothing_is_finished_before_the_minute_is_over() -> None:
    leave_traces()
    acts.erase(ID)

    assert finish_erasures(SOON) == 0
    assert not Erasure.objects.get().finished_at


def test_others_keep_their_points_and_ranks_and_the_sums_stay() -> None:
    leave_traces()
    totals = sorted(stored_totals("quiz").values())

    acts.erase(ID)
    deliver()
    finish_erasures(LATER)

    assert sorted(stored_totals("quiz").values()) == totals
    assert stored_totals("quiz") == folded_ledger("quiz", "add")
    assert acts.board() == acts.board("quiz:day:global") == acts.board("quiz:all:city:hyd") == [(1, "bob", 21)]
    assert acts.board("race:all:global") == [(1, "bob", 7)]
    assert acts.board("quiz:all:city:pune") == []


def test_traces_go_too_if_the_boards_were_never_told(boards_redis: Any, broker_redis: Any) -> None:
    leave_traces()
    acts.erase(ID)
    OutboxEvent.objects.filter(applied_at__isnull=True).update(applied_at=NOW)

    finish_erasures(LATER)

    assert traces_of([ID, OTHER_ID, NAME]) == []


def test_traces_go_too_if_a_void_of_the_only_match_had_not_reached_the_boards(boards_redis: Any) -> None:
    LeaderboardFactory.create()
    accept_all(score(ID, 100, "m1"))
    deliver()
    acts.void("m1")
    acts.erase(ID)

    finish_erasures(LATER)
    deliver(LATER)

    assert traces_of([ID]) == []


def test_a_reason_does_not_grow_beyond_its_field() -> None:
    LeaderboardFactory.create()
    accept_all(score("a"), score("bob"))
    acts.adjust("bob", 1)
    Correction.objects.update(reason="a " * 250)

    acts.erase("a")

    assert "a" not in Correction.objects.get(kind="adjust").reason


def test_no_digest_is_left_by_which_ids_could_be_tried_out() -> None:
    """Of what was asked for under a key, a digest is kept; it tells nothing to who does not know the key."""
    LeaderboardFactory.create()
    accept_all(score("ann"), score("bob"))
    acts.erase("ann")
    acts.erase("bob", key="a-long-one-that-nobody-guesses")

    assert Correction.objects.get(idempotency_key=None).request == ""
    alone = {
        hashlib.sha256(text.encode()).hexdigest() for text in ("bob", '["erase", "bob"]', '[null, ["erase", "bob"]]')
    }
    assert alone.isdisjoint(Correction.objects.values_list("request", flat=True))


def test_ids_that_begin_alike_are_left_alone_and_case_does_not_matter() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"), score("anna", name="Ann-Marie"))
    acts.adjust("anna", 1)
    Correction.objects.update(reason="anna is not ann, says Ann")

    acts.erase("ann")

    assert Correction.objects.get(kind="adjust").reason == "anna is not -, says -"
    assert Player.objects.get(player_id="anna").name == "Ann-Marie"


def test_fences_of_closed_periods_go_too(boards_redis: Any) -> None:
    LeaderboardFactory.create(period_kinds=["day", "all"])
    accept_all(score(ID, 10))
    deliver()
    tomorrow = NOW + timedelta(days=1)
    acts.erase(ID, now=tomorrow)
    deliver(tomorrow)
    day = Period.objects.get(kind="day").label
    assert boards_redis.hexists(board_keys(f"quiz:{day}:global").fence, ID)

    finish_erasures(tomorrow + REMEMBERED * 2)

    assert traces_of([ID]) == []
