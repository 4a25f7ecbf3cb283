"""Equal points over a page border: page by page the same ranks as on one page, and as each player is told."""

import pytest

from boards import reads, store
from boards.apply import apply_players
from boards.board_ids import find_board
from scoring.models import Player
from scoring.period_rows import load_open_period_ids
from scoring.ranking import Order, Ties
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

EQUAL = [f"player-{n:04}" for n in range(1_000)]


@pytest.fixture(params=Order)
def order(request: pytest.FixtureRequest) -> Order:
    return Order(request.param)


def fill(ties: Ties, order: Order) -> None:
    """Three who are better, a thousand on equal points, three who are worse."""
    LeaderboardFactory.create(ties=ties, order=order)
    better, worse = (30, 10) if order is Order.HIGH else (10, 30)
    accept_all(
        *(score(f"better-{n}", better) for n in range(3)),
        *(score(player_id, 20) for player_id in EQUAL),
        *(score(f"worse-{n}", worse) for n in range(3)),
    )
    apply_players(Player.objects.values_list("pk", flat=True), load_open_period_ids(NOW), NOW)


def pages(n: int) -> list[tuple[int | None, str]]:
    board = find_board("quiz:all:global", NOW)
    asked = [reads.top(board, n, offset) for offset in range(0, 1_006, n)]
    return [
        (e.rank, e.player_id)
        for read, reply in zip(asked, store.run([r.call for r in asked]), strict=True)
        for e in read.parse(reply).entries
    ]


def told(player_ids: list[str]) -> list[int | None]:
    """Ranks as each player is told: alone, and among up to 1,000."""
    board = find_board("quiz:all:global", NOW)
    alone = [reads.standing(board, player_id, 3) for player_id in player_ids]
    ranks = [read.parse(reply).rank for read, reply in zip(alone, store.run([r.call for r in alone]), strict=True)]
    together = reads.ranks(board, player_ids)
    (reply,) = store.run([together.call])
    assert [entry.rank for entry in together.parse(reply).entries] == ranks
    return list(ranks)


@pytest.mark.parametrize("n", [1_000, 100, 7])
def test_first_come_first_ranked_over_every_border(order: Order, n: int) -> None:
    fill(Ties.FIRST, order)

    assert [rank for rank, _ in pages(n)] == list(range(1, 1_007))
    assert [player_id for _, player_id in pages(n)][3:-3] == EQUAL
    assert told(EQUAL) == list(range(4, 1_004))


def test_last_come_first_ranked(order: Order) -> None:
    fill(Ties.LATEST_FIRST, order)

    assert [player_id for _, player_id in pages(100)][3:-3] == EQUAL[::-1]


@pytest.mark.parametrize("n", [1_000, 100, 7])
def test_all_who_share_are_joint_fourth_over_every_border(order: Order, n: int) -> None:
    fill(Ties.SHARED, order)

    assert [rank for rank, _ in pages(n)] == [1] * 3 + [4] * 1_000 + [1_004] * 3
    assert sorted(player_id for _, player_id in pages(n))[3:-3] == EQUAL
    assert told(EQUAL) == [4] * 1_000
    assert told(["better-1", "worse-1"]) == [1, 1_004]


@pytest.mark.parametrize("offset", [3, 4, 500, 1_002])
def test_a_page_that_begins_in_the_middle_of_a_tie_has_its_rank(order: Order, offset: int) -> None:
    fill(Ties.SHARED, order)

    read = reads.top(find_board("quiz:all:global", NOW), 2, offset)
    (reply,) = store.run([read.call])

    assert [entry.rank for entry in read.parse(reply).entries] == ([4, 4] if offset < 1_002 else [4, 1_004])
