"""The review page of a player: everything on it, by a number of queries that does not grow."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.hints import SETTLED_AFTER, refresh_hints
from scoring.models import Player
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player, unflag_player
from scoring.moderation.merging import merge_players
from scoring.moderation.voiding import void_match
from scoring.rules import get_rules
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.review.people import PLAYERS, member_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return member_of("reviewer")


@pytest.fixture(autouse=True)
def _scores() -> None:
    LeaderboardFactory.create(max_points=100, scopes=["city"], period_kinds=["day", "all"])
    now = timezone.now()
    accept_all(
        score("ann", 70, "final", name="Anna", segments={"city": "hyd"}, details={"weapon": "<bow>"}),
        score("bob", 90, "final", segments={"city": "blr"}),
        score("cid", 10, "final", segments={"city": "hyd"}),
        now=now,
    )
    deliver(now)


def decision(reason: str = "for a reason") -> Decision:
    return Decision("admin root", reason, timezone.now())


def show(client: Client, player_id: str = "ann", **asked: Any) -> Any:
    response = client.get(f"{PLAYERS}{Player.objects.get(player_id=player_id).pk}/change/", asked)
    assert response.status_code == 200
    return response


def shown(client: Client, player_id: str = "ann", **asked: Any) -> Any:
    return show(client, player_id, **asked).context["page"]


def places(page: Any) -> dict[str, tuple[int | None, int]]:
    return {place.board_id: (place.rank, place.players) for line in page.standings.lines for place in line.places}


def test_totals_stand_beside_the_ranks_of_this_moment(client: Client) -> None:
    page = shown(client)
    today = page.standings.lines[0].period

    assert [(line.leaderboard, line.period, line.points) for line in page.standings.lines] == [
        ("quiz", today, 70),
        ("quiz", "all", 70),
    ]
    assert places(page) == {
        f"quiz:{today}:global": (2, 3),
        f"quiz:{today}:city:hyd": (1, 2),
        "quiz:all:global": (2, 3),
        "quiz:all:city:hyd": (1, 2),
    }
    assert not any(line.is_updating for line in page.standings.lines)


def test_a_board_that_is_behind_is_told(client: Client) -> None:
    accept_all(score("ann", 5), now=timezone.now())

    assert all(line.is_updating for line in shown(client).standings.lines)


def test_a_flagged_player_is_ranked_nowhere(client: Client) -> None:
    flag_player("ann", decision())
    assert all(line.is_updating for line in shown(client).standings.lines)
    deliver(timezone.now())

    page = shown(client)
    assert {rank for rank, _ in places(page).values()} == {None}
    assert not any(line.is_updating for line in page.standings.lines)


@pytest.mark.usefixtures("redis_away")
def test_without_redis_the_page_shows_all_but_the_ranks_and_says_so(client: Client) -> None:
    response = show(client)

    assert "Redis is away" in response.content.decode()
    assert [line.points for line in response.context["page"].standings.lines] == [70, 70]
    assert places(response.context["page"]) == {}


def test_latest_events_come_newest_first_with_what_became_of_them(client: Client) -> None:
    accept_all(score("ann", 20, "second"), now=timezone.now())
    void_match(get_rules("quiz"), "second", decision(), player_id="ann")

    response = show(client)
    events = response.context["page"].events
    assert [(event.match_id, event.points, event.voided_at is not None) for event in events] == [
        ("second", 20, True),
        ("final", 70, False),
    ]
    assert "&lt;bow&gt;" in response.content.decode()


def test_there_are_fifty_events_and_a_chart_of_more(client: Client) -> None:
    accept_all(*(score("ann", 1) for _ in range(120)), now=timezone.now())

    page = shown(client)
    (chart,) = page.charts
    assert (len(page.events), page.has_more_events) == (50, True)
    assert (len(chart.dots), chart.highest) == (121, 190)


def test_the_others_of_a_chosen_match_are_shown(client: Client) -> None:
    match = shown(client, leaderboard="quiz", match="final").match

    assert [(mate.player_id, mate.points, mate.is_own) for mate in match.mates] == [
        ("bob", 90, False),
        ("ann", 70, True),
        ("cid", 10, False),
    ]
    assert (match.looked_at, match.above, match.is_sample) == (3, 1, False)


def test_of_a_large_match_the_nearest_of_a_sample_are_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.review.match.READ_LIMIT", 40)
    accept_all(*(score(f"player-{n:03}", n, "crowd") for n in range(100)), score("zoe", 30, "crowd"))

    match = shown(client, "zoe", leaderboard="quiz", match="crowd").match
    # Zoe came last, and is no part of the sample but by herself.
    assert [mate.points for mate in match.mates] == [*range(39, 30, -1), 30, 30, *range(29, 19, -1)]
    assert (match.looked_at, match.is_sample) == (41, True)
    assert [mate.player_id for mate in match.mates if mate.is_own] == ["zoe"]


@pytest.mark.parametrize(
    "asked",
    [
        {"leaderboard": "quiz", "match": "never-played"},
        {"leaderboard": "nowhere", "match": "final"},
        {"leaderboard": "quiz", "match": "\x00"},
        {"match": "final"},
        {"leaderboard": "quiz", "match": "x" * 1000},
    ],
)
def test_a_match_that_the_player_did_not_play_is_left_out(client: Client, asked: dict[str, str]) -> None:
    assert shown(client, **asked).match is None


def test_earlier_decisions_say_who_when_why_and_what_changed(client: Client) -> None:
    adjust(get_rules("quiz"), "ann", -20, decision("left the table"))
    void_match(get_rules("quiz"), "final", decision("a bug for all"))

    response = show(client)
    by_match, by_player = response.context["page"].decisions
    assert (by_match.correction.reason, by_match.correction.player) == ("a bug for all", None)
    assert (by_player.correction.made_by, by_player.points) == ("admin root", -20)
    assert [(change.before, change.after) for change in by_player.changes] == [(70, 50), (70, 50)]
    assert "left the table" in response.content.decode()


def test_a_merged_account_leads_to_the_other_and_an_erased_one_tells_nothing(client: Client) -> None:
    ann = Player.objects.get(player_id="ann")
    merge_players("cid", "ann", decision(), keep=None, keep_in={("quiz", "final"): "into"})  # type: ignore[dict-item]  # as commands give it
    assert f"{PLAYERS}{ann.pk}/change/" in show(client, "cid").content.decode()

    erase_player("ann", decision())
    page = client.get(f"{PLAYERS}{ann.pk}/change/").content.decode()
    assert "erased" in page
    assert "Anna" not in page
    assert "/decide/" not in page


@pytest.mark.parametrize("pk", ["0", "-1", "999999999", "99999999999999999999", "ann", "a b", "%00"])
def test_a_player_who_is_not_there_is_not_found(client: Client, pk: str) -> None:
    assert client.get(f"{PLAYERS}{pk}/change/").status_code == 404
    assert client.get(f"{PLAYERS}{pk}/decide/flag/").status_code == 404


def test_the_number_of_queries_is_fixed(client: Client) -> None:
    ann = Player.objects.get(player_id="ann")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{PLAYERS}{ann.pk}/change/", {"leaderboard": "quiz", "match": "final"})
        return len(queries)

    adjust(get_rules("quiz"), "ann", 1, decision())
    few = count()
    now = timezone.now()
    for slug in ("races", "cups", "laps"):
        LeaderboardFactory.create(slug=slug, scopes=["city"], period_kinds=["day", "week", "month", "all"])
        accept_all(*(score("ann", n, leaderboard=slug) for n in range(60)), now=now)
    accept_all(*(score(f"player-{n}", n, "final") for n in range(50)), now=now)
    for n in range(10):
        adjust(get_rules("quiz"), "ann", 1 + n, decision())
        unflag_player("ann", decision())
    refresh_hints(lambda: now + 2 * SETTLED_AFTER + timedelta(minutes=1))

    # Session, user, permissions 2, the player; rules 2, events, totals 2, hints, decisions 3. The match is one statement
    # more, that does not go by Django's cursors, which are counted here.
    assert few == count() == 14
