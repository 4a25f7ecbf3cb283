"""The admin's form of a leaderboard refuses what the definition does, beside the field."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scoring.models import Leaderboard
from scoring.setup import create_leaderboard
from tests.factories import accept_all, score
from tests.scoring.test_definition import FIXED

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz() -> Leaderboard:
    return create_leaderboard("quiz", period_kinds=["all"], scopes=["city"], max_points=100)


@pytest.fixture
def operator_client(client: Client) -> Client:
    """Somebody at the admin."""
    client.force_login(User.objects.create_superuser("root"))
    return client


def save(client: Client, leaderboard: Leaderboard, **changes: Any) -> Any:
    """What the form answers to these changes; a redirect if it has saved them."""
    path = f"/admin/scoring/leaderboard/{leaderboard.pk}/change/"
    form = client.get(path).context["adminform"].form
    fields = {name: field.value() for name, field in ((bound.name, bound) for bound in form)}
    return client.post(
        path, {name: value for name, value in {**fields, **changes}.items() if value is not None and value is not False}
    )


def form_errors(response: Any) -> set[str]:
    return set(response.context["adminform"].form.errors)


@pytest.mark.parametrize(
    ("field", "value"),
    [(name, ",".join(value) if isinstance(value, list) else value) for name, value in FIXED],
)
def test_the_admin_refuses_the_same(operator_client: Client, quiz: Leaderboard, field: str, value: Any) -> None:
    accept_all(score("ann", 10))

    response = save(operator_client, quiz, **{field: value})

    assert response.status_code == 200
    also = {"min_total", "max_total"} if field in {"scale", "order", "ties"} else set()
    assert {field} <= form_errors(response) <= {field} | also
    assert getattr(Leaderboard.objects.get(), field) == getattr(quiz, field)


def test_the_admin_saves_what_may_change(operator_client: Client, quiz: Leaderboard) -> None:
    accept_all(score("ann", 10))

    response = save(operator_client, quiz, name="New", grace_seconds=60, is_public=False)

    assert response.status_code == 302, form_errors(response)
    saved = Leaderboard.objects.get()
    assert (saved.name, saved.grace_seconds, saved.is_public) == ("New", 60, False)


@pytest.mark.parametrize(
    "changes", [{"scale": ""}, {"max_total": "x"}, {"scale": "abc", "min_points": ""}, {"order": "up"}]
)
def test_the_admin_says_what_is_no_value_at_all(
    operator_client: Client, quiz: Leaderboard, changes: dict[str, str]
) -> None:
    assert form_errors(save(operator_client, quiz, **changes)) == changes.keys()
