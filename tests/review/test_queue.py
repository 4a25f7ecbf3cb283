"""The review queue: in the order of hints, filtered and searched, and never counted."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.hints import SETTLED_AFTER, refresh_hints
from scoring.models import Player, ReviewState
from scoring.read_only_admin import MOST_PAGES
from tests.factories import LeaderboardFactory, accept_all, score
from tests.review.people import PLAYERS, member_of

pytestmark = pytest.mark.django_db


def later() -> datetime:
    return timezone.now() + 2 * SETTLED_AFTER


@pytest.fixture
def client() -> Client:
    return member_of("reviewer")


@pytest.fixture(autouse=True)
def _players() -> None:
    """Ann leads one match by far, Bob has most of what there is, Cid plays laps only, and Dan never scored."""
    LeaderboardFactory.create(max_points=100)
    LeaderboardFactory.create(slug="races")
    now = timezone.now()
    accept_all(
        score("ann", 100, "m", name="Anna", segments={"city": "hyd"}),
        score("bob", 50, "m", name="bobby", segments={"city": "blr"}),
        score("eve", 49, "m", segments={"city": "hyd"}),
        score("cid", 10, leaderboard="races", name="Annabel"),
        now=now,
    )
    accept_all(*(score("bob", 90) for _ in range(4)), *(score("eve", 20) for _ in range(4)), now=now)
    Player.objects.create(player_id="dan", name="50% Dan_")
    refresh_hints(later)


def ask(client: Client, **asked: Any) -> Any:
    return client.get(PLAYERS, asked)


def ids(response: Any) -> list[str]:
    assert response.status_code == 200, response
    return [player.player_id for player in response.context["cl"].result_list]


def test_it_opens_with_the_first_leaderboard_by_the_lead_over_others(client: Client) -> None:
    # Bob's best matches had nobody else in them.
    assert ids(ask(client)) == ["ann", "eve", "bob"]


def test_each_hint_is_an_order(client: Client) -> None:
    assert ids(ask(client, order="share_of_max"))[:2] == ["bob", "eve"]
    assert ids(ask(client, order="points_per_minute"))[:2] == ["bob", "eve"]
    assert ids(ask(client, order="id")) == ["ann", "bob", "eve"]


def test_a_leaderboard_shows_those_who_scored_there(client: Client) -> None:
    assert ids(ask(client, leaderboard="races")) == ["cid"]


def test_all_players_are_shown_by_id(client: Client) -> None:
    assert ids(ask(client, leaderboard="*")) == ["ann", "bob", "cid", "dan", "eve"]


def test_a_segment_is_a_filter(client: Client) -> None:
    assert ids(ask(client, segment="city:hyd")) == ["ann", "eve"]
    assert ids(ask(client, segment="city:")) == []
    assert ids(ask(client, segment="hyd")) == []


def test_a_segment_that_is_written_wrongly_is_told(client: Client) -> None:
    assert "city:hyd" in str(next(iter(ask(client, segment="hyd\x00").context["messages"])))


def test_erased_and_merged_players_are_shown_only_when_asked_for(client: Client) -> None:
    Player.objects.filter(player_id="ann").update(review_state=ReviewState.FLAGGED)
    Player.objects.filter(player_id="bob").update(review_state=ReviewState.ERASED)
    Player.objects.filter(player_id="eve").update(merged_into=Player.objects.get(player_id="ann"))

    assert ids(ask(client)) == ["ann"]
    assert ids(ask(client, state="clear")) == []
    assert ids(ask(client, state="flagged")) == ["ann"]
    assert ids(ask(client, state="erased")) == ["bob"]
    assert ids(ask(client, state="merged")) == ["eve"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann", ["ann", "cid"]),
        ("ANNA", ["ann", "cid"]),
        ("annab", ["cid"]),
        (" bob ", ["bob"]),
        ("BOB", ["bob"]),
        ("nn", []),
        ("50%", ["dan"]),
        ("5%", []),
        ("%", []),
        ("da_", []),
    ],
)
def test_search_is_by_the_beginning_of_id_or_name_among_all(client: Client, text: str, found: list[str]) -> None:
    assert ids(ask(client, q=text)) == found


def test_search_within_a_leaderboard_keeps_to_it(client: Client) -> None:
    assert ids(ask(client, q="ann", leaderboard="quiz")) == ["ann"]


@pytest.mark.parametrize(
    "asked",
    [
        {"leaderboard": "nowhere"},
        {"state": "gone"},
        {"order": "name"},
        {"p": 0},
        {"p": -1},
        {"p": MOST_PAGES + 1},
    ],
)
def test_what_is_no_choice_leads_back_to_the_queue(client: Client, asked: dict[str, Any]) -> None:
    assert ask(client, **asked).headers["Location"] == f"{PLAYERS}?e=1"


@pytest.mark.parametrize("asked", [{"p": "x"}, {"q": "\x00"}, {"segment": "\x00"}, {"q": "x" * 5000}, {"o": "1.2.3"}])
def test_garbage_is_no_error_of_ours(client: Client, asked: dict[str, Any]) -> None:
    assert ask(client, **asked).status_code == 200


@pytest.mark.parametrize("lookup", ["name__contains", "segments__city", "epoch", "corrections__reason"])
def test_fields_without_an_index_can_not_be_asked_for_in_the_address(client: Client, lookup: str) -> None:
    assert ask(client, **{lookup: "a"}).status_code == 400


def test_pages_lead_on_while_there_are_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.admin.PlayerAdmin.list_per_page", 2)

    first = ask(client, leaderboard="*")
    assert ids(first) == ["ann", "bob"]
    second = client.get(PLAYERS + first.context["cl"].next_page_url)
    assert ids(second) == ["cid", "dan"]
    last = client.get(PLAYERS + second.context["cl"].next_page_url)
    assert ids(last) == ["eve"]
    assert last.context["cl"].next_page_url is None
    assert ids(client.get(PLAYERS + last.context["cl"].previous_page_url)) == ["cid", "dan"]


@pytest.mark.parametrize(
    "asked", [{}, {"q": "ann"}, {"leaderboard": "*"}, {"segment": "city:hyd", "state": "flagged"}, {"p": 7}]
)
def test_nothing_is_counted_and_the_number_of_queries_does_not_grow(client: Client, asked: dict[str, Any]) -> None:
    ask(client)
    with CaptureQueriesContext(connection) as few:
        ask(client, **asked)
    accept_all(*(score(f"player-{n}", 10) for n in range(100)), now=timezone.now() + timedelta(minutes=5))
    refresh_hints(lambda: later() + timedelta(minutes=10))
    with CaptureQueriesContext(connection) as many:
        ask(client, **asked)

    assert len(few) == len(many) == 5  # session, user, permissions of user and group, players
    assert not [query["sql"] for query in many if "COUNT(" in query["sql"].upper()]
