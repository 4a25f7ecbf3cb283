"""How rows are stored and found: which index answers, and the room that totals give up."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from scoring.models import Player, Total
from scoring.period_rows import WindowSets
from scoring.rules import get_rules
from scoring.sql import statement
from scoring.totals import BoardRows, Selection, load_board, load_rows
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db


def rooms() -> dict[str, int | None]:
    """Bytes that each player's total takes more than it needs."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.player_id, length(t.room) FROM scoring_total t JOIN scoring_player p ON p.id = t.player_id"
        )
        return dict(cursor.fetchall())


@pytest.mark.parametrize("operator", ["add", "best", "latest"])
def test_a_new_total_has_room_and_gives_it_up_when_it_is_raised(operator: str) -> None:
    LeaderboardFactory.create(operator=operator)
    accept_all(score("ann", 10), score("bob", 10))
    assert rooms() == {"ann": 24, "bob": 24}

    accept_all(score("ann", 20))

    assert rooms() == {"ann": None, "bob": 24}


@pytest.fixture
def by_index() -> None:
    """As in a large table: no scan of it is worth while."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")


@pytest.mark.usefixtures("by_index")
def test_totals_of_players_are_looked_up_in_the_key_and_players_in_the_index_that_needs_no_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player's totals share a page of the key; in the index by period each is on a page of its own."""
    plans: list[str] = []

    def explained(sql: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {sql}", parameters)
            plans.append("\n".join(line for (line,) in cursor.fetchall()))
        return []

    monkeypatch.setattr("scoring.totals.fetch_all", explained)
    load_rows([1, 2], [1, 2])
    intake = statement("accept_scores", known="known_player", fold="fold_add", merge="merge_add")
    explained(
        intake,
        {
            "leaderboard_id": 1, "accepted_at": NOW, "direction": 1, "earlier_is_epoch": 0, "min_total": 0,
            "max_total": 1, "last_accept_no": None, "with_totals": False, "fails_beyond": False, "player_ids": ["ann"], "match_ids": ["m"],
            "points": [1], "occurred_ats": [], "window_sets": [], "names": [], "segments": [], "details": [],
            "set_numbers": [0], "set_groups": [0], "group_numbers": [0, 0], "group_periods": [1, 2],
        },
    )  # fmt: skip

    rows_plan, intake_plan = plans
    assert "using scoring_total_pkey" in rows_plan
    assert "totals_by_period" not in rows_plan
    assert "Index Only Scan using player_by_id on scoring_player" in intake_plan
    assert "using scoring_total_pkey" in intake_plan
    assert "totals_by_period" not in intake_plan


@pytest.fixture
def crowd() -> list[Player]:
    """Sixty players; every tenth has a total on quiz, all of them on race."""
    LeaderboardFactory.create(scopes=["city"])
    LeaderboardFactory.create(slug="race", scopes=["city"])
    names = [f"p{number:02}" for number in range(60)]
    for number, name in enumerate(names):
        accept_all(score(name, number, leaderboard="race", segments={"city": ("hyd", "pune")[number % 2]}))
    accept_all(*(score(name, 7) for name in names[::10]))
    Player.objects.filter(player_id="p20").update(review_state=1)
    return list(Player.objects.order_by("pk"))


@pytest.mark.parametrize(("slug", "every"), [("quiz", 10), ("race", 1)], ids=["few of the players", "all of them"])
@pytest.mark.parametrize("value", [None, "hyd"])
def test_rows_of_a_board_are_the_same_whether_players_are_read_as_a_stretch_or_each(
    crowd: list[Player], slug: str, every: int, value: str | None
) -> None:
    period_id = Total.objects.filter(period__leaderboard__slug=slug).values_list("period_id", flat=True)[0]
    selection = Selection(period_id, "city" if value else None, value)
    expected = [
        player.player_id
        for player in crowd[::every]
        if player.review_state == 0 and value in (None, player.segments["city"])
    ]

    portions: list[BoardRows] = []
    after = 0
    while (rows := load_board(selection, after, 4)).last is not None:
        portions.append(rows)
        after = rows.last

    assert [player_id for rows in portions for player_id in rows.player_ids] == expected
    assert len(portions) == -(-len(crowd[::every]) // 4)


def test_periods_are_grouped_by_the_window_sets_that_hold_them() -> None:
    LeaderboardFactory.create(period_kinds=["day", "week", "all"], grace_seconds=86_400)
    windows = WindowSets(get_rules("quiz"), NOW)
    today, yesterday, earlier_today = (windows.number_of(NOW - timedelta(hours=hours)) for hours in (0, 24, 1))
    assert (today, yesterday, earlier_today) == (0, 1, 0)
    labels = windows.labels()

    groups = {group.sets: {labels[period_id] for period_id in group.period_ids} for group in windows.groups()}

    # A Monday: yesterday was another week.
    assert groups == {
        (0,): {"day:2026-10-19", "week:2026-w43"},
        (1,): {"day:2026-10-18", "week:2026-w42"},
        (0, 1): {"all"},
    }
