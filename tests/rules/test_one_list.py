"""Redis, SQL and Python tell the same list with the same ranks, for every combination of the rules and any history."""

import json
import random
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from boards import reads, store
from boards.apply import apply_events
from boards.board_ids import Board
from boards.entries import Entry
from boards.row_calls import calls_of
from boards.store import Call
from boards.writes import PeriodBoards
from scoring.models import Period, Player
from scoring.points import from_units
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from scoring.totals import load_period, load_rows
from tests.boards_truth import shown_board_ids
from tests.delivery import QUEUES, relay
from tests.ledger_truth import stored_totals
from tests.rules.game import EVENING, RANGES, Game
from tests.rules.histories import batches
from tests.rules.sql_lists import sql_lists

pytestmark = pytest.mark.django_db

T = TypeVar("T")

histories = st.lists(st.tuples(batches, st.booleans()), min_size=1, max_size=5)


def read(one: reads.Read[T]) -> T:
    (reply,) = store.run([one.call])
    return one.parse(reply)


def deliver_in_any_order(dice: random.Random) -> None:
    """What waits, each event alone, some of them twice."""
    ids = [event_id for queue in QUEUES for ids in relay(queue, EVENING, batch_players=1) for event_id in ids]
    dice.shuffle(ids)
    for event_id in [*ids, *ids[:2]]:
        apply_events([event_id], lambda: EVENING)


def read_by_a_slow_worker(game: Game) -> list[Call]:
    """What a worker who has read the rows by now will write, at some later time."""
    period_ids = list(Period.objects.filter(leaderboard__slug=game.slug).values_list("pk", flat=True))
    players = Player.objects.filter(player_id__startswith=f"{game.slug}.").values_list("pk", flat=True)
    periods = [PeriodBoards(get_rules(game.slug), load_period(period_id), EVENING) for period_id in period_ids]
    calls, problems = calls_of(load_rows(players, period_ids), periods)
    assert not problems
    return calls


def write_in_any_order(dice: random.Random, calls: list[Call]) -> None:
    dice.shuffle(calls)
    store.run(calls)


def check_reads(board: Board, entries: list[Entry]) -> None:
    """Every read tells of each player what the list does."""
    count = len(entries)
    assert read(reads.top(board, 1000)) == reads.Top(count, entries)
    assert [entry for offset in range(0, count, 2) for entry in read(reads.top(board, 2, offset)).entries] == entries
    player_ids = [entry.player_id for entry in entries]
    assert read(reads.ranks(board, player_ids[::-1])) == reads.Ranks(count, entries[::-1])
    friends = read(reads.friends(board, [*player_ids, "nobody"]))
    assert [(f.rank, f.board_rank, f.player_id, f.name, f.points, f.details) for f in friends] == [
        (e.rank, e.rank, e.player_id, e.name, e.points, e.details) for e in entries
    ]
    for place, entry in enumerate(entries):
        mine = read(reads.standing(board, entry.player_id, 1))
        assert (mine.own, mine.rank, mine.players) == (entry, entry.rank, count)
        assert mine.neighbours == entries[max(place - 1, 0) : place + 2]


def shown(game: Game, board: Board) -> list[Entry]:
    """The entries of a board, as the books say."""
    entries = []
    for rank, player_id, units in game.lists()[board.id]:
        details = game.details(board.window.label, player_id)
        text = UNSET if details is None else msgspec.Raw(json.dumps(details).encode())
        points = from_units(units, game.range.scale)
        entries.append(Entry(rank, player_id, game.names.get(player_id) or None, points, text))
    return entries


@pytest.mark.parametrize("range_", RANGES)
@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("operator", Operator)
def test_redis_sql_and_python_agree(operator: Operator, order: Order, ties: Ties, range_: str) -> None:
    @settings(max_examples=10)
    @given(histories, st.integers(0, 2**32))
    def check(history: list[tuple[list[dict[str, Any]], bool]], seed: int) -> None:
        dice = random.Random(seed)
        game = Game(operator, order, ties, RANGES[range_])
        slow: list[Call] = []
        for batch, is_delivered in history:
            game.play(batch)
            slow += read_by_a_slow_worker(game)
            if is_delivered:
                deliver_in_any_order(dice)
        write_in_any_order(dice, slow[::2])
        deliver_in_any_order(dice)
        write_in_any_order(dice, slow)

        assert stored_totals(game.slug) == game.totals()
        lists = game.lists()
        assert sql_lists(game.slug, order, ties) == lists
        assert shown_board_ids(game.slug) == lists.keys()
        for board_id in lists:
            board = game.board(board_id)
            check_reads(board, shown(game, board))

    check()
