"""Who may do what at the admin: each group, at each address."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from leaderboard_site.groups import GROUPS, install_groups
from scoring.models import ApiKey, Correction, Leaderboard, OutboxEvent, Period, Player, ReviewState
from scoring.moderation.decisions import Decision
from scoring.moderation.flagging import flag_player
from scoring.setup import create_api_key
from tests.factories import LeaderboardFactory, OutboxEventFactory, accept_all, score
from tests.review.people import PLAYERS, member_of

pytestmark = pytest.mark.django_db

EVERYBODY = frozenset(GROUPS)
OPERATOR = frozenset({"operator"})
REVIEWER = frozenset({"reviewer"})
NOBODY: frozenset[str] = frozenset()

PAGES = {
    "": EVERYBODY,
    "scoring/": EVERYBODY,
    "scoring/player/": EVERYBODY,
    "scoring/player/{player}/change/": EVERYBODY,
    "scoring/player/{player}/decide/flag/": REVIEWER,
    "scoring/player/{player}/decide/unflag/": REVIEWER,
    "scoring/player/{player}/decide/void/": REVIEWER,
    "scoring/player/{player}/decide/adjust/": REVIEWER,
    "scoring/player/add/": NOBODY,
    "scoring/player/{player}/delete/": NOBODY,
    "scoring/correction/": EVERYBODY,
    "scoring/correction/{correction}/change/": EVERYBODY,
    "scoring/correction/add/": NOBODY,
    "scoring/correction/{correction}/delete/": NOBODY,
    "scoring/leaderboard/": EVERYBODY,
    "scoring/leaderboard/{leaderboard}/change/": EVERYBODY,
    "scoring/leaderboard/add/": OPERATOR,
    "scoring/leaderboard/{leaderboard}/delete/": NOBODY,
    "scoring/period/": EVERYBODY,
    "scoring/period/{period}/change/": EVERYBODY,
    "scoring/period/add/": OPERATOR,
    "scoring/period/{period}/delete/": NOBODY,
    "scoring/outboxevent/": OPERATOR | {"read-only"},
    "scoring/outboxevent/{event}/change/": OPERATOR | {"read-only"},
    "scoring/outboxevent/add/": NOBODY,
    "scoring/outboxevent/{event}/delete/": NOBODY,
    "scoring/apikey/": OPERATOR | {"read-only"},
    "scoring/apikey/{key}/change/": OPERATOR | {"read-only"},
    "scoring/apikey/add/": OPERATOR,
    "rebuilds/boardjob/": OPERATOR | {"read-only"},
    "rebuilds/boardjob/add/": OPERATOR,
    "django_celery_beat/periodictask/": OPERATOR | {"read-only"},
    "django_celery_beat/periodictask/add/": OPERATOR,
    "auth/user/": NOBODY,
    "auth/group/": NOBODY,
}
"""Who may open it. Whoever may not is told so; nobody is led to a page that fails."""


@pytest.fixture(autouse=True)
def rows() -> dict[str, Any]:
    """One of each, by the name that addresses call it."""
    leaderboard = LeaderboardFactory.create()
    accept_all(score("ann", 10), now=timezone.now())
    flag_player("ann", Decision("a test", "caught", timezone.now()))
    create_api_key("server", ["submit"])
    return {
        "leaderboard": leaderboard.pk,
        "player": Player.objects.get().pk,
        "correction": Correction.objects.get().pk,
        "period": Period.objects.get().pk,
        "event": OutboxEventFactory.create(set_aside_at=timezone.now(), attempts=10).pk,
        "key": ApiKey.objects.get().pk,
    }


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_each_group_opens_what_it_should_and_nothing_else(group: str, rows: dict[str, Any]) -> None:
    client = member_of(group)

    answers = {page: client.get(f"/admin/{page.format(**rows)}").status_code for page in PAGES}

    assert answers == {page: 200 if group in groups else 403 for page, groups in PAGES.items()}


def test_nobody_without_a_group_opens_anything_but_the_empty_index(rows: dict[str, Any]) -> None:
    client = Client()
    client.force_login(User.objects.create(username="new", is_staff=True))

    answers = {page: client.get(f"/admin/{page.format(**rows)}").status_code for page in PAGES if page}

    assert set(answers.values()) == {403, 404}
    assert answers["scoring/"] == 404


def test_who_is_not_logged_in_is_asked_to(rows: dict[str, Any]) -> None:
    for page in PAGES:
        response = Client().get(f"/admin/{page.format(**rows)}")
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/admin/login/")


def decide(client: Client, action: str, player: int) -> None:
    client.post(f"{PLAYERS}{player}/decide/{action}/", {"key": uuid4().hex, "reason": "a reason", "_confirm": "yes"})


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_only_reviewers_decide(group: str, rows: dict[str, Any]) -> None:
    client = member_of(group)

    decide(client, "unflag", rows["player"])
    client.post(
        f"{PLAYERS}?leaderboard=*",
        {
            "action": "unflag_players",
            "_selected_action": rows["player"],
            "key": uuid4().hex,
            "reason": "a reason",
            "_confirm": "yes",
        },
    )

    is_clear = Player.objects.get().review_state == ReviewState.CLEAR
    assert is_clear == (group == "reviewer")
    assert Correction.objects.count() == (3 if group == "reviewer" else 1)


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_only_reviewers_are_shown_a_way_to_decide(group: str, rows: dict[str, Any]) -> None:
    client = member_of(group)

    pages = [client.get(f"{PLAYERS}{rows['player']}/change/"), client.get(f"{PLAYERS}?leaderboard=*")]

    shown = ["/decide/" in pages[0].content.decode(), "flag_players" in pages[1].content.decode()]
    assert shown == [group == "reviewer"] * 2


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_only_operators_change_leaderboards(group: str, rows: dict[str, Any]) -> None:
    client = member_of(group)
    path = f"/admin/scoring/leaderboard/{rows['leaderboard']}/change/"
    fields = Leaderboard.objects.values().get() | {"name": "New", "period_kinds": "all", "scopes": ""}

    client.post(path, {name: value for name, value in fields.items() if value is not None and value is not False})

    assert Leaderboard.objects.get().name == ("New" if group == "operator" else "")


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_only_operators_retry_what_was_set_aside(group: str, rows: dict[str, Any]) -> None:
    client = member_of(group)

    client.post("/admin/scoring/outboxevent/", {"action": "retry", "_selected_action": rows["event"], "index": "0"})

    assert (OutboxEvent.objects.get(pk=rows["event"]).set_aside_at is None) == (group == "operator")


def test_even_a_superuser_changes_no_ledger_total_outbox_or_correction(rows: dict[str, Any]) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))

    for model in ("player", "correction", "outboxevent", "period"):
        name = {"outboxevent": "event"}.get(model, model)
        for page in ("add/", f"{rows[name]}/delete/"):
            if (model, page) != ("period", "add/"):
                assert client.post(f"/admin/scoring/{model}/{page}", {"post": "yes"}).status_code == 403
        client.post(f"/admin/scoring/{model}/{rows[name]}/change/", {"reason": "other", "name": "Other"})
    for model in ("scoreevent", "total", "correctedtotal"):
        assert client.get(f"/admin/scoring/{model}/").status_code == 404

    assert Correction.objects.get().reason == "caught"
    assert Player.objects.get().name == ""


def test_installing_again_puts_the_permissions_right_and_keeps_the_members(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("install_groups")
    assert capsys.readouterr().out == "groups created: reviewer, operator, read-only\n"
    group = Group.objects.get(name="read-only")
    group.user_set.add(User.objects.create(username="ann"))
    group.permissions.add(Permission.objects.get(codename="review_player"))
    right = {permission.codename for permission in Group.objects.get(name="reviewer").permissions.all()}

    assert install_groups() == []
    assert not group.permissions.filter(codename="review_player").exists()
    assert group.user_set.count() == 1
    assert right == {"view_player", "view_correction", "view_leaderboard", "view_period", "review_player"}
