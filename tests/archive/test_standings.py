"""The archive holds what the boards showed: every board, every rule."""

from datetime import timedelta
from itertools import product

import pytest

from boards import store
from boards.board_ids import find_board
from boards.models import ArchivedBoard, ArchivedEntry, ArchivedPeriod
from boards.readers import LiveBoardReader
from scoring.models import Period, Player
from scoring.ranking import Operator, Order, Ties
from scoring.rules import get_rules
from tests.archive.past import close_at, closing_of
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rules.sql_lists import sql_lists

pytestmark = pytest.mark.django_db


def archived_lists() -> dict[str, list[tuple[int, str, int]]]:
    """Every archived board by id: rank, player id and units, by place."""
    lists: dict[str, list[tuple[int, str, int]]] = {}
    entries = ArchivedEntry.objects.order_by("board_id", "place").select_related(
        "board__archived_period__period__leaderboard", "player"
    )
    for entry in entries:
        period = entry.board.archived_period.period
        board_id = f"{period.leaderboard.slug}:{period.label}:{entry.board.scope}"
        lists.setdefault(board_id, []).append((entry.rank, entry.player.player_id, entry.points))
    return lists


@pytest.mark.parametrize(("operator", "order", "ties"), list(product(Operator, Order, Ties)))
def test_it_is_what_sql_makes_of_the_totals(operator: Operator, order: Order, ties: Ties) -> None:
    LeaderboardFactory.create(operator=operator, order=order, ties=ties, period_kinds=["day"], scopes=["city", "clan"])
    for player, points in zip("abcdefgh", (5, 7, 5, 0, 7, 5, 9, 3), strict=True):
        city = {"city": "hyd" if points % 2 else "pune"} if player != "h" else {}
        accept_all(score(player, points, segments=city))
    accept_all(score("a", 2, segments={"clan": "red"}), score("c", 2), score("A", 7))
    Player.objects.filter(player_id="g").update(review_state=1)

    assert close_at(closing_of(Period.objects.get())) == 1

    truth = {board: [tuple(line) for line in lines] for board, lines in sql_lists("quiz", order, ties).items()}
    assert archived_lists() == truth
    assert {board.scope: board.players for board in ArchivedBoard.objects.all()} == {
        board.split(":", 3)[3]: len(lines) for board, lines in truth.items()
    }


def test_places_are_those_of_the_board_in_redis() -> None:
    LeaderboardFactory.create(ties="shared", period_kinds=["day"])
    accept_all(*(score(player, 5) for player in ("a", "B", "b", "10", "9", "_")), score("z", 9))
    deliver()
    board = find_board("quiz:day:2026-10-19:global", NOW)
    top = LiveBoardReader(board).top(10, 0)
    (reply,) = store.run([top.call])
    shown = [(entry.rank, entry.player_id) for entry in top.parse(reply).entries]

    close_at(closing_of(Period.objects.get()))

    assert [(rank, player_id) for rank, player_id, _ in archived_lists()["quiz:day:2026-10-19:global"]] == shown


def test_a_period_is_closed_by_the_end_of_its_grace_and_not_before() -> None:
    LeaderboardFactory.create(period_kinds=["day", "week", "all"])
    accept_all(score("ann"))
    day = Period.objects.get(kind="day")

    assert close_at(closing_of(day) - timedelta(microseconds=1)) == 0
    assert close_at(closing_of(day)) == 1
    assert ArchivedPeriod.objects.get().period == day


def test_a_season_without_end_and_all_time_never_close() -> None:
    LeaderboardFactory.create(period_kinds=["season", "all"])
    Period.objects.create(
        leaderboard_id=get_rules("quiz").leaderboard_id,
        kind="season",
        label="s1",
        starts_at=NOW - timedelta(days=1),
        first_accept_no=0,
    )
    accept_all(score("ann"))

    assert close_at(NOW + timedelta(days=10_000)) == 0


def test_a_period_that_nobody_scored_in_is_archived_empty() -> None:
    LeaderboardFactory.create(period_kinds=["season"])
    season = Period.objects.create(
        leaderboard_id=get_rules("quiz").leaderboard_id,
        kind="season",
        label="s1",
        starts_at=NOW,
        ends_at=NOW + timedelta(days=1),
        first_accept_no=0,
    )

    assert close_at(closing_of(season)) == 1
    assert not ArchivedBoard.objects.exists()


def test_details_are_kept_with_their_points() -> None:
    LeaderboardFactory.create(operator="best", period_kinds=["day"])
    accept_all(score("ann", 9, details={"car": "red"}))
    accept_all(score("ann", 5, details={"car": "blue"}))

    close_at(closing_of(Period.objects.get()))

    assert ArchivedEntry.objects.get().details == {"car": "red"}
