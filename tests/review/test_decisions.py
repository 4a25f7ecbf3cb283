"""Decisions by the admin: nothing is done before it was shown, and nothing twice."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Correction, OutboxEvent, Player, ReviewState, ScoreEvent
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score, total
from tests.review.people import PLAYERS, member_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return member_of("reviewer")


@pytest.fixture(autouse=True)
def _scores() -> None:
    LeaderboardFactory.create(max_points=100, min_total=0)
    LeaderboardFactory.create(slug="laps", operator="best")
    now = timezone.now()
    accept_all(
        score("ann", 70, "final"),
        score("ann", 20, "other"),
        score("bob", 90, "final"),
        score("cid", 10, leaderboard="laps"),
        now=now,
    )
    deliver(now)


def url(action: str, player_id: str = "ann") -> str:
    return f"{PLAYERS}{Player.objects.get(player_id=player_id).pk}/decide/{action}/"


def page_of(player_id: str = "ann") -> str:
    return f"{PLAYERS}{Player.objects.get(player_id=player_id).pk}/change/"


def asked(**fields: Any) -> dict[str, Any]:
    return {"key": uuid4().hex, "reason": "caught", **fields}


VOID = {"leaderboard": "quiz", "match": "final", "whom": "player"}
ADJUST = {"leaderboard": "quiz", "points": "-15"}


def preview(client: Client, action: str, fields: dict[str, Any]) -> Any:
    response = client.post(url(action), fields)
    assert response.status_code == 200
    return response


def confirm(client: Client, action: str, fields: dict[str, Any], player_id: str = "ann") -> Any:
    return client.post(url(action, player_id), {**fields, "_confirm": "yes"}, follow=True)


def said(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def state(player_id: str = "ann") -> int:
    return Player.objects.get(player_id=player_id).review_state


def errors(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 200
    found: dict[str, list[str]] = response.context["form"].errors
    return found


def test_a_flag_shows_the_boards_that_the_player_leaves_then_takes_him_off(client: Client) -> None:
    shown = client.get(url("flag"))
    assert "quiz:all:global" in shown.content.decode()
    assert "rank 1 of 2" in shown.content.decode()
    assert state() == ReviewState.CLEAR

    response = confirm(client, "flag", asked())

    assert response.redirect_chain == [(page_of(), 302)]
    assert state() == ReviewState.FLAGGED
    correction = Correction.objects.get()
    assert (correction.kind, correction.reason, correction.made_by) == ("flag", "caught", "admin one reviewer")


def test_an_unflag_brings_back(client: Client) -> None:
    confirm(client, "flag", asked())
    confirm(client, "unflag", asked(reason="was a test account"))

    assert state() == ReviewState.CLEAR
    assert Correction.objects.count() == 2


def test_a_void_is_shown_before_it_is_done(client: Client) -> None:
    fields = asked(**VOID)
    shown = preview(client, "void", fields)

    (change,) = shown.context["foreseen"].changes
    assert (change.player_id, change.period, change.points_before, change.points_after) == ("ann", "all", 90, 20)
    assert (total(), Correction.objects.count()) == ((90, *total()[1:]), 0)
    assert not ScoreEvent.objects.filter(voided_at__isnull=False).exists()
    assert not OutboxEvent.objects.filter(queue="corrections").exists()

    confirm(client, "void", fields)
    assert total()[0] == 20
    assert total("bob")[0] == 90


def test_a_void_for_all_says_how_many_played(client: Client) -> None:
    fields = asked(**VOID | {"whom": "all"})
    shown = preview(client, "void", fields)
    assert shown.context["foreseen"].player_count == 2
    assert "2 players will lose this match" in shown.content.decode()
    assert "all who played it" in shown.content.decode()

    confirm(client, "void", fields)
    assert ScoreEvent.objects.filter(voided_at__isnull=False).count() == 2


def test_the_link_to_a_void_names_the_match(client: Client) -> None:
    shown = client.get(url("void"), {"leaderboard": "quiz", "match": "final"}).content.decode()

    assert 'name="match" value="final"' in shown
    assert 'name="leaderboard" value="quiz"' in shown


def test_a_penalty_is_shown_before_it_is_done(client: Client) -> None:
    fields = asked(**ADJUST)
    (change,) = preview(client, "adjust", fields).context["foreseen"].changes
    assert (change.points_before, change.points_after, total()[0]) == (90, 75, 90)

    confirm(client, "adjust", fields)
    assert total()[0] == 75


def test_the_form_can_be_changed_after_the_preview_and_keeps_what_was_filled_in(client: Client) -> None:
    fields = asked(**ADJUST)
    back = client.post(url("adjust"), {**fields, "_back": "yes"}).content.decode()

    assert 'value="-15"' in back
    assert f'name="key" value="{fields["key"]}"' in back
    assert Correction.objects.count() == 0


@pytest.mark.parametrize(
    ("action", "fields"), [("flag", {}), ("void", VOID), ("void", VOID | {"whom": "all"}), ("adjust", ADJUST)]
)
def test_a_double_click_does_nothing_twice(client: Client, action: str, fields: dict[str, str]) -> None:
    fields = asked(**fields)
    confirm(client, action, fields)
    before = (total(), state())

    again = confirm(client, action, fields)

    assert (total(), state()) == before
    assert Correction.objects.count() == 1
    assert "nothing was done twice" in said(again)[0]


def test_each_form_has_a_key_of_its_own(client: Client) -> None:
    keys = {client.get(url("flag")).context["form"]["key"].value() for _ in range(3)}

    assert len(keys) == 3


def test_a_key_of_another_decision_is_refused(client: Client) -> None:
    fields = asked()
    confirm(client, "flag", fields)

    assert "another correction" in str(errors(confirm(client, "unflag", fields)))
    assert state() == ReviewState.FLAGGED


@pytest.mark.parametrize("step", [{}, {"_confirm": "yes"}])
@pytest.mark.parametrize(
    ("action", "fields", "named"),
    [
        ("flag", asked(reason=""), "reason"),
        ("flag", asked(reason="   "), "reason"),
        ("flag", asked(reason="a\u200bb"), "reason"),
        ("flag", asked(reason="x" * 501), "reason"),
        ("flag", asked(key="no key"), "key"),
        ("flag", {"reason": "caught"}, "key"),
        ("void", asked(**VOID | {"match": "never"}), "__all__"),
        ("void", asked(**VOID | {"match": "\x00"}), "match"),
        ("void", asked(**VOID | {"leaderboard": "nowhere"}), "__all__"),
        ("void", asked(**VOID | {"whom": "nobody"}), "whom"),
        ("void", asked(leaderboard="quiz"), "match"),
        ("adjust", asked(**ADJUST | {"points": "0"}), "points"),
        ("adjust", asked(**ADJUST | {"points": "NaN"}), "points"),
        ("adjust", asked(**ADJUST | {"points": "1e400"}), "points"),
        ("adjust", asked(**ADJUST | {"points": "0.5"}), "__all__"),
        ("adjust", asked(**ADJUST | {"points": "-91"}), "__all__"),
        ("adjust", asked(**ADJUST | {"leaderboard": "laps"}), "leaderboard"),
        ("adjust", asked(**ADJUST | {"occurred_at": "yesterday"}), "occurred_at"),
        ("adjust", asked(**ADJUST | {"occurred_at": "2999-01-01 00:00"}), "__all__"),
        ("adjust", asked(**ADJUST | {"occurred_at": "0001-01-01 00:00"}), None),
    ],
)
def test_what_is_wrong_is_said_on_the_form_and_nothing_is_done(
    client: Client, action: str, fields: dict[str, Any], named: str | None, step: dict[str, str]
) -> None:
    if action == "flag" and not step:
        step = {"_confirm": "yes"}  # There is no other step.
    response = client.post(url(action), {**fields, **step})

    if named is None:
        assert response.status_code in {200, 302}
        return
    assert named in errors(response)
    assert (Correction.objects.count(), total()[0], state()) == (0, 90, ReviewState.CLEAR)


def test_nothing_is_decided_about_an_erased_player(client: Client) -> None:
    path = url("flag")
    erase_player("ann", Decision("a test", "asked for", timezone.now()))

    response = client.post(path, {**asked(), "_confirm": "yes"}, follow=True)

    assert "erased" in said(response)[0]
    assert Correction.objects.filter(kind="flag").count() == 0


@pytest.mark.usefixtures("redis_away")
def test_a_flag_can_be_made_while_redis_is_away(client: Client) -> None:
    assert "Redis is away" in client.get(url("flag")).content.decode()

    confirm(client, "flag", asked())
    assert state() == ReviewState.FLAGGED


def choose(client: Client, action: str, *player_ids: str, **more: Any) -> Any:
    """What the list answers to an action on these players."""
    chosen = Player.objects.filter(player_id__in=player_ids).values_list("pk", flat=True)
    fields = {"action": f"{action}_players", "_selected_action": list(chosen), **more}
    return client.post(f"{PLAYERS}?leaderboard=*", fields, follow=True)


def test_several_players_are_flagged_with_one_reason(client: Client) -> None:
    shown = choose(client, "flag", "ann", "bob", index="0")
    assert "<td>clear</td><td>&rarr;</td><td><strong>flagged</strong></td>" in shown.content.decode()
    assert state("ann") == state("bob") == ReviewState.CLEAR

    fields = asked(_confirm="yes")
    response = choose(client, "flag", "ann", "bob", **fields)
    assert "2 done" in said(response)[0]
    assert state("ann") == state("bob") == ReviewState.FLAGGED
    assert state("cid") == ReviewState.CLEAR

    assert "2 done already" in said(choose(client, "flag", "ann", "bob", **fields))[0]
    assert Correction.objects.count() == 2

    choose(client, "unflag", "ann", **asked(_confirm="yes"))
    assert (state("ann"), state("bob")) == (ReviewState.CLEAR, ReviewState.FLAGGED)


def test_erased_players_are_left_out_of_several(client: Client) -> None:
    pks = [Player.objects.get(player_id=player_id).pk for player_id in ("ann", "bob")]
    erase_player("ann", Decision("a test", "asked for", timezone.now()))

    fields = {"action": "flag_players", "_selected_action": pks, **asked(_confirm="yes")}
    response = client.post(f"{PLAYERS}?leaderboard=*", fields, follow=True)

    assert [text.split()[0] for text in said(response)] == ["1", "Flag:"]
    assert (Player.objects.get(pk=pks[0]).review_state, state("bob")) == (ReviewState.ERASED, ReviewState.FLAGGED)


def test_players_who_left_the_list_meanwhile_are_decided_all_the_same(client: Client) -> None:
    fields = {"action": "flag_players", "_selected_action": [Player.objects.get(player_id="ann").pk]}
    for _ in range(2):
        client.post(f"{PLAYERS}?leaderboard=*&state=clear", {**fields, **asked(_confirm="yes")})

    assert Correction.objects.count() == 2


@pytest.mark.parametrize("pk", ["ann", "", "-1", "²", "\x00"])
def test_what_is_no_player_can_not_be_chosen(client: Client, pk: str) -> None:
    fields = {"action": "flag_players", "_selected_action": pk, **asked(_confirm="yes")}

    assert client.post(PLAYERS, fields).status_code == 400


def test_several_players_are_flagged_with_no_less_than_a_reason(client: Client) -> None:
    response = choose(client, "flag", "ann", "bob", **asked(reason="", _confirm="yes"))

    assert "reason" in errors(response)
    assert Correction.objects.count() == 0


def test_no_more_than_a_hundred_at_once(client: Client) -> None:
    Player.objects.bulk_create(Player(player_id=f"player-{n}") for n in range(100))

    response = choose(client, "flag", *(f"player-{n}" for n in range(100)), "ann", **asked(_confirm="yes"))

    assert "At most 100" in said(response)[0]
    assert Correction.objects.count() == 0
