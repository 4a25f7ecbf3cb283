"""Any history of scores and decisions: totals are the fold of what still counts, and boards show it."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.erasure import finish_erasures
from boards.store import Call
from scoring.models import Total
from scoring.moderation.erasing import REMEMBERED
from scoring.moderation.merging import Keep
from scoring.ranking import Operator, Order, Ties
from tests.boards_truth import shown_board_ids
from tests.ledger_truth import stored_totals
from tests.moderation.books import Books
from tests.rules.game import EVENING, RANGES
from tests.rules.histories import PLAYERS, batches
from tests.rules.sql_lists import sql_lists
from tests.rules.test_one_list import (
    check_reads,
    deliver_in_any_order,
    read_by_a_slow_worker,
    shown,
    write_in_any_order,
)

pytestmark = pytest.mark.django_db

players = st.sampled_from(PLAYERS[:4])
matches = st.integers(1, 5).map("m{}".format)
decisions = st.one_of(
    st.tuples(st.just("void"), matches, st.none() | players),
    st.tuples(st.just("void"), matches, st.none() | players),
    st.tuples(st.just("adjust"), players, st.sampled_from([-3, -1, 1, 2, 900_718])),
    st.tuples(st.just("flag"), players),
    st.tuples(st.just("unflag"), players),
    st.tuples(st.just("merge"), players, players, st.sampled_from(Keep)),
    st.tuples(st.just("erase"), players),
    st.tuples(st.just("finish")),
)
histories = st.lists(st.tuples(batches | decisions, st.booleans()), min_size=2, max_size=9)


def take(books: Books, step: Any, slow: list[Call]) -> None:
    if isinstance(step, list):
        books.play(step)
        return
    kind, *given_ = step
    if kind in ("flag", "unflag"):
        books.flag(*given_, is_flag=kind == "flag")
    elif kind == "finish":
        # A minute later: whoever had read before has written by then.
        write_in_any_order(random.Random(len(slow)), slow)
        slow.clear()
        finish_erasures(EVENING + REMEMBERED * 2)
    else:
        getattr(books, kind)(*given_)


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("operator", Operator)
def test_totals_and_boards_are_what_still_counts(operator: Operator, ties: Ties) -> None:
    @settings(max_examples=12)
    @given(batches, histories, st.sampled_from(Order), st.integers(0, 2**32))
    def check(first: Any, history: list[tuple[Any, bool]], order: Order, seed: int) -> None:
        dice = random.Random(seed)
        books = Books(operator, order, ties, RANGES["decimal"])
        slow: list[Call] = []
        for step, is_delivered in [(first, True), *history]:
            take(books, step, slow)
            slow += read_by_a_slow_worker(books)
            if is_delivered:
                deliver_in_any_order(dice)
        write_in_any_order(dice, slow[::2])
        deliver_in_any_order(dice)
        write_in_any_order(dice, slow)

        assert stored_totals(books.slug) == books.totals()
        check_details(books)
        lists = books.lists()
        assert sql_lists(books.slug, order, ties) == lists
        assert shown_board_ids(books.slug) == lists.keys()
        for board_id in lists:
            check_reads(books.board(board_id), shown(books, books.board(board_id)))

    check()


def check_details(books: Books) -> None:
    stored = Total.objects.filter(period__leaderboard__slug=books.slug).select_related("period", "player")
    assert {(total.period.label, total.player.player_id): total.details for total in stored} == {
        key: books.details(*key) for key in books.events
    }
