"""Rebuilds in the admin: started, watched and cancelled by hand."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rebuilds.models import BoardJob
from tests.factories import LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask

pytestmark = pytest.mark.django_db

LIST = "/admin/rebuilds/boardjob/"


@pytest.fixture
def admin() -> Client:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", segments={"city": "hyd"}))
    client = Client()
    client.force_login(User.objects.create_superuser("ops"))
    return client


def act(client: Client, action: str, *jobs: BoardJob) -> Any:
    return client.post(LIST, {"action": action, "_selected_action": [job.pk for job in jobs]}, follow=True)


def test_a_board_or_a_whole_leaderboard_is_asked_for(admin: Client) -> None:
    assert admin.get(f"{LIST}add/").status_code == 200

    assert admin.post(f"{LIST}add/", {"board": " quiz:all:global "}, follow=True).status_code == 200
    assert admin.post(f"{LIST}add/", {"board": "quiz"}, follow=True).status_code == 200

    asked = list(BoardJob.objects.order_by("id").values_list("kind", "board", "asked_by", "state"))
    assert asked == [
        ("rebuild", board, "ops", "waiting") for board in ("quiz:all:global", "quiz:all:global", "quiz:all:city:hyd")
    ]


@pytest.mark.parametrize("board", ["", "nothing", "quiz:s9:global", "quiz:all:clan:red"])
def test_what_can_not_be_is_said_beside_the_field(admin: Client, board: str) -> None:
    response: Any = admin.post(f"{LIST}add/", {"board": board})

    assert response.status_code == 200
    assert response.context["adminform"].form.errors["board"]
    assert not BoardJob.objects.exists()


def test_the_list_shows_percent_and_rate(admin: Client) -> None:
    (job,) = ask("quiz:all:global")
    BoardJob.objects.update(state="loading", expected=10, loaded=5, started_at=job.asked_at, finished_at=None)

    page = admin.get(LIST).content.decode()

    assert "25.0 %" in page
    assert admin.get(f"{LIST}{job.pk}/change/").status_code == 200


def test_jobs_are_cancelled_and_boards_rebuilt_again(admin: Client) -> None:
    jobs = ask("quiz:all:global", "quiz:all:city:hyd")

    act(admin, "cancel", *jobs)
    assert set(BoardJob.objects.values_list("state", flat=True)) == {"cancelled"}

    act(admin, "rebuild", *jobs)
    assert sorted(BoardJob.objects.filter(state="waiting").values_list("board", flat=True)) == [
        "quiz:all:city:hyd",
        "quiz:all:global",
    ]


def test_a_board_that_is_no_more_is_no_traceback(admin: Client) -> None:
    (job,) = ask("quiz:all:global")
    BoardJob.objects.update(board="quiz:s9:global")

    assert "has no period" in act(admin, "rebuild", job).content.decode()


def test_who_may_only_look_can_not_start_one(admin: Client) -> None:
    user = User.objects.create_user("guest", is_staff=True)
    admin.force_login(user)

    assert admin.post(f"{LIST}add/", {"board": "quiz"}).status_code == 403
