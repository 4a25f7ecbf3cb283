"""Calls that bring ratings of one player at the same moment take turns, and the ledger folds to the totals."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import transaction

from boards import reads
from boards.board_ids import find_board
from scoring import acceptance, fitting
from scoring.models import Player, ScoreEvent
from scoring.ranking import Operator, Order, Ties
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, codes, score, total
from tests.ledger_truth import stored_totals
from tests.path.test_crowds import post_all
from tests.path.test_lock_order import OtherCall, before_statement
from tests.rules.model import Event, fold
from tests.rules.sql_lists import sql_lists
from tests.rules.test_one_list import read

pytestmark = pytest.mark.django_db(transaction=True)


def folded(order: Order) -> dict[tuple[str, str], tuple[int, int]]:
    """Totals of all time, from the ledger by the model."""
    events: dict[str, list[Event]] = {}
    for row in ScoreEvent.objects.select_related("player").order_by("accept_no"):
        events.setdefault(row.player.player_id, []).append(Event(row.points, row.accept_no, row.occurred_at))
    totals = {player_id: fold(Operator.LATEST, order, some) for player_id, some in events.items()}
    return {("all", player_id): (one.units, one.accept_no) for player_id, one in totals.items()}


def test_the_second_call_of_a_player_waits_for_the_first() -> None:
    LeaderboardFactory.create(operator=Operator.LATEST)
    accept_all(score("ann", 10))
    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("ann", 30))
        with transaction.atomic():
            accept_all(score("ann", 20))
            other.run_until_it_waits()
            assert other.answer is not None
            assert not other.answer.done()
            # Numbered before the other, which has not been numbered yet.
            (mine,) = accept_all(score("ann", 25))

        assert other.codes() == ["accepted"]
    assert total("ann")[0] == 30
    assert total("ann")[1] > mine.accept_no


def test_calls_for_other_players_do_not_wait() -> None:
    LeaderboardFactory.create(operator=Operator.LATEST)
    accept_all(score("ann"), score("bob"))
    with ThreadPoolExecutor(1) as threads:
        other = OtherCall(threads, score("bob", 30))
        with transaction.atomic():
            accept_all(score("ann", 20))
            other.run_to_its_end()


def test_a_player_whom_another_call_has_just_made_known_is_locked_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    LeaderboardFactory.create(operator=Operator.LATEST)
    minute = timedelta(minutes=1)
    with ThreadPoolExecutor(2) as threads:
        creator = OtherCall(threads, score("ann", 10, occurred_at=NOW - 2 * minute))
        late = OtherCall(threads, score("ann", 20, occurred_at=NOW - minute))
        # Were there nobody to lock, by the time of the statement there would be.
        monkeypatch.setattr(acceptance, "fetch_all", before_statement(creator.run_until_it_waits, "accept_scores"))
        # Not committed yet: whoever comes now must wait, to see that his score is the older one.
        monkeypatch.setattr(fitting, "fetch_all", before_statement(late.run_until_it_waits, "load_totals"))
        (mine,) = accept_all(score("ann", 30, occurred_at=NOW))

        assert creator.codes() == late.codes() == ["accepted"]
    assert total("ann")[:2] == (30, mine.accept_no)


@pytest.mark.parametrize("order", Order)
def test_a_crowd_of_ratings_folds_to_the_totals_and_the_boards(order: Order) -> None:
    LeaderboardFactory.create(operator=Operator.LATEST, order=order, ties=Ties.LATEST_FIRST, scopes=["city"])
    dice = random.Random(42)
    players = [f"player-{n}" for n in range(12)]
    scores = [
        score(player_id, dice.choice([10, 20, 30]), f"m{n}", occurred_at=NOW - timedelta(seconds=dice.randrange(5)))
        for player_id in players
        for n in range(8)
    ]
    batches = []
    for _ in range(12):
        some = dice.sample(scores, len(scores) // 2)
        city = {"city": dice.choice(["hyd", "pune"])}
        batches.append(
            [score(s.player_id, s.points, s.match_id, occurred_at=s.occurred_at, segments=city) for s in some]
        )

    answers = post_all(batches)

    assert {code for answer in answers for code in codes(answer)} == {"accepted", "duplicate"}
    assert stored_totals("quiz") == folded(order)
    assert Player.objects.filter(epoch__gt=0).exists()
    deliver()
    for board_id, lines in sql_lists("quiz", order, Ties.LATEST_FIRST).items():
        shown = read(reads.top(find_board(board_id, NOW), 100)).entries
        assert [(e.rank, e.player_id, e.points) for e in shown] == lines
