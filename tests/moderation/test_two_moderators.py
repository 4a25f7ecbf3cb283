"""Two moderators at the same moment: what both ask for is done once, and who waited finds what the other has done."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from scoring.errors import InvalidRequest, LeaderboardError
from scoring.models import Correction, Player
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import PlayerNotFound
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player
from scoring.moderation.merging import merge_players
from scoring.moderation.voiding import void_match
from scoring.rules import get_rules
from tests.factories import LeaderboardFactory, accept_all, score
from tests.ledger_truth import folded_ledger, stored_totals
from tests.moderation import acts
from tests.moderation.crowds import all_at_once
from tests.waiting_locks import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("kind", ["adjust", "void", "flag", "merge", "erase"])
def test_the_same_correction_twice_at_once_is_made_once(kind: str) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m2"))
    decision = acts.decide("case:17")
    correct: dict[str, Callable[[], Any]] = {
        "adjust": lambda: adjust(get_rules("quiz"), "ann", -20, decision),
        "void": lambda: void_match(get_rules("quiz"), "m1", decision),
        "flag": lambda: flag_player("ann", decision),
        "merge": lambda: merge_players("ann", "bob", decision),
        "erase": lambda: erase_player("ann", decision),
    }

    answers = all_at_once(*[correct[kind]] * 4)

    assert sorted(answer.is_repeat for answer in answers) == [False, True, True, True]
    assert len({answer.correction.pk for answer in answers}) == Correction.objects.count() == 1
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


def test_a_merge_in_both_directions_at_once_is_one_merge() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30), score("bob", 5))

    answers = all_at_once(lambda: acts.merge("ann", "bob"), lambda: acts.merge("bob", "ann"))

    assert [isinstance(answer, InvalidRequest) for answer in answers].count(True) == 1
    assert Player.objects.exclude(merged_into=None).count() == 1
    assert [points for points, _ in stored_totals("quiz").values()] == [35]
    assert stored_totals("quiz") == folded_ledger("quiz", "add")


@pytest.mark.parametrize(
    ("meanwhile", "expected"),
    [(lambda: acts.erase("ann"), PlayerNotFound), (lambda: acts.merge("ann", "bob"), None)],
    ids=["erased", "merged"],
)
@pytest.mark.parametrize("act", [acts.flag, acts.unflag])
def test_a_flag_that_waits_for_the_player_finds_what_became_of_him(
    act: Any, meanwhile: Callable[[], Any], expected: type[LeaderboardError] | None
) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 30), score("bob", 5))
    if act is acts.unflag:
        acts.flag("ann")
        acts.flag("bob")
    pk = Player.objects.get(player_id="ann").pk

    with ThreadPoolExecutor(1) as threads:

        def flag() -> Any:
            try:
                return act("ann")
            except LeaderboardError as error:
                return error
            finally:
                connection.close()

        with transaction.atomic():
            Player.objects.select_for_update().get(player_id="ann")
            answer = threads.submit(flag)
            while not waiting_for_a_lock():
                assert not answer.done()
            meanwhile()
        result = answer.result(timeout=60)

    ann, bob = Player.objects.get(pk=pk), Player.objects.get(player_id="bob")
    if expected is not None:
        assert isinstance(result, expected)
        assert ann.review_state == 2
    else:
        assert ann.merged_into == bob
        assert bob.review_state == (1 if act is acts.flag else 0)
