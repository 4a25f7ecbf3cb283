"""A leaderboard's definition: rules are checked against each other, and against the events that were ranked by them."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from scoring.models import Leaderboard
from scoring.packing import EXACT, WIDE_SPAN
from scoring.setup import create_leaderboard
from tests.factories import accept_all, score

pytestmark = pytest.mark.django_db

FIXED: list[tuple[str, Any]] = [
    ("slug", "other"),
    ("operator", "best"),
    ("order", "low"),
    ("ties", "shared"),
    ("scale", 1),
    ("timezone", "Asia/Kolkata"),
    ("day_starts_at_hour", 4),
    ("period_kinds", ["day", "all"]),
    ("scopes", ["city", "clan"]),
]
FREE: list[tuple[str, Any]] = [
    ("name", "The quiz"),
    ("min_points", -5),
    ("max_points", 10),
    ("grace_seconds", 0),
    ("is_public", False),
    ("max_total", 1_000),
    ("min_total", -900_718),
]


@pytest.fixture
def quiz() -> Leaderboard:
    return create_leaderboard("quiz", period_kinds=["all"], scopes=["city"], max_points=100)


def problems(leaderboard: Leaderboard) -> set[str]:
    """The fields that are wrong."""
    with pytest.raises(ValidationError) as caught:
        leaderboard.full_clean()
    return set(caught.value.message_dict)


@pytest.mark.parametrize(("field", "value"), [*FIXED, *FREE])
def test_before_the_first_event_everything_can_change(quiz: Leaderboard, field: str, value: Any) -> None:
    setattr(quiz, field, value)

    quiz.full_clean()


@pytest.mark.parametrize(("field", "value"), FIXED)
def test_what_totals_were_made_by_can_not_change(quiz: Leaderboard, field: str, value: Any) -> None:
    accept_all(score("ann", 0))
    setattr(quiz, field, value)

    assert field in problems(quiz)


@pytest.mark.parametrize(("field", "value"), FREE)
def test_the_rest_can(quiz: Leaderboard, field: str, value: Any) -> None:
    accept_all(score("ann", 10))
    setattr(quiz, field, value)

    quiz.full_clean()


@pytest.mark.parametrize(("field", "value"), [("max_total", 900_719), ("min_total", -900_719)])
def test_a_range_that_would_be_packed_otherwise_can_not_be_set(quiz: Leaderboard, field: str, value: int) -> None:
    accept_all(score("ann", 10))
    setattr(quiz, field, value)

    assert problems(quiz) == {"min_total", "max_total"}


def test_a_wide_range_can_grow_only_where_it_is_not_counted_from() -> None:
    wide = create_leaderboard("quiz", period_kinds=["all"], min_total=0, max_total=WIDE_SPAN - 1)
    accept_all(score("ann", 10))

    wide.max_total = Decimal(WIDE_SPAN)
    wide.full_clean()
    wide.min_total = Decimal(1)
    assert problems(wide) == {"min_total", "max_total"}


def test_events_of_another_leaderboard_fix_nothing(quiz: Leaderboard) -> None:
    create_leaderboard("race", period_kinds=["all"])
    accept_all(score("ann", 10, leaderboard="race"))
    quiz.operator = "best"

    quiz.full_clean()


@pytest.mark.parametrize(
    ("definition", "field"),
    [
        ({"slug": "Quiz"}, "slug"),
        ({"slug": "a:b"}, "slug"),
        ({"slug": "a\n"}, "slug"),
        ({"slug": "x" * 33}, "slug"),
        ({"operator": "sum"}, "operator"),
        ({"order": "up"}, "order"),
        ({"ties": "last"}, "ties"),
        ({"period_kinds": []}, "period_kinds"),
        ({"period_kinds": ["year"]}, "period_kinds"),
        ({"period_kinds": ["day", "all", "day"]}, "period_kinds"),
        ({"scopes": ["City"]}, "scopes"),
        ({"scopes": ["city:x"]}, "scopes"),
        ({"scopes": ["city", "city"]}, "scopes"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": "../etc/passwd"}, "timezone"),
        ({"day_starts_at_hour": 24}, "day_starts_at_hour"),
        ({"scale": 7}, "scale"),
        ({"max_points": Decimal("0.5")}, "max_points"),
        ({"min_points": Decimal("NaN")}, "min_points"),
        ({"min_points": 11, "max_points": 10}, "min_points"),
        ({"max_points": EXACT + 1, "ties": "shared"}, "max_points"),
        ({"min_total": 5, "max_total": 4}, "max_total"),
        ({"max_total": WIDE_SPAN + 1}, "max_total"),
        ({"scale": 6}, "max_total"),
        ({"grace_seconds": -1}, "grace_seconds"),
    ],
)
def test_a_definition_that_makes_no_sense_is_refused_by_field(definition: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        create_leaderboard(**{"slug": "quiz", **definition})

    assert field in caught.value.message_dict
    assert not Leaderboard.objects.exists()
