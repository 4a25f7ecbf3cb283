"""The commands that set things up: every option arrives, and what is wrong is one sentence."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Leaderboard, Period
from scoring.rules import forget_rules, get_rules
from scoring.setup import create_leaderboard, open_season
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    """What a command prints, as from a command line."""
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_leaderboard_with_every_option() -> None:
    said = run(
        *("create_leaderboard", "laps", "--name", "Laps of the day", "--operator", "best", "--order", "low"),
        *("--ties", "shared", "--periods", "day,season", "--scopes", "city, country", "--timezone", "Asia/Kathmandu"),
        *("--day-starts-at-hour", "4", "--scale", "3", "--min-points", "0.5", "--max-points", "3600.125"),
        *("--min-total", "-1.5", "--max-total", "9000.001", "--grace-seconds", "30", "--private"),
    )

    assert said == "created laps\n"
    laps = Leaderboard.objects.get(slug="laps")
    assert (laps.name, laps.operator, laps.order, laps.ties) == ("Laps of the day", "best", "low", "shared")
    assert (laps.period_kinds, laps.scopes) == (["day", "season"], ["city", "country"])
    assert (laps.timezone, laps.day_starts_at_hour, laps.scale) == ("Asia/Kathmandu", 4, 3)
    assert (laps.min_points, laps.max_points) == (Decimal("0.5"), Decimal("3600.125"))
    assert (laps.min_total, laps.max_total) == (Decimal("-1.5"), Decimal("9000.001"))
    assert (laps.grace_seconds, laps.is_public) == (30, False)


def test_a_leaderboard_without_options_is_the_models_own() -> None:
    run("create_leaderboard", "quiz")

    default = Leaderboard()
    created = Leaderboard.objects.get(slug="quiz")
    for field in (
        "operator",
        "order",
        "ties",
        "period_kinds",
        "scopes",
        "timezone",
        "scale",
        "grace_seconds",
        "is_public",
    ):
        assert getattr(created, field) == getattr(default, field)
    assert (created.max_points, created.max_total) == (100_000, 900_718)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("Quiz",), "slug: a-z, 0-9"),
        (("quiz", "--operator", "sum"), "invalid choice: 'sum'"),
        (("quiz", "--order", "up"), "invalid choice: 'up'"),
        (("quiz", "--ties", "x"), "invalid choice: 'x'"),
        (("quiz", "--periods", "year"), "period_kinds"),
        (("quiz", "--periods", ""), "period_kinds"),
        (("quiz", "--scopes", "City"), "scopes"),
        (("quiz", "--timezone", "Mars"), "timezone: 'Mars' is not an IANA time zone"),
        (("quiz", "--scale", "7"), "scale"),
        (("quiz", "--scale", "x"), "invalid int value"),
        (("quiz", "--max-points", "1.5"), "max_points: not a number with up to 0 decimals"),
        (("quiz", "--max-total", "1000000000"), "max_total: totals from 0 to 1,000,000,000 units are too far apart"),
        (("quiz", "--min-points", "5", "--max-points", "4"), "min_points is above max_points"),
        (("quiz", "--day-starts-at-hour", "24"), "day_starts_at_hour"),
        (("quiz", "--max-points", "ten"), "max-points"),
    ],
)
def test_a_wrong_option_is_one_sentence(options: tuple[str, ...], says: str) -> None:
    with pytest.raises(CommandError, match=says) as caught:
        run("create_leaderboard", *options)

    assert "\n" not in str(caught.value)
    assert not Leaderboard.objects.exists()


def test_a_second_leaderboard_of_the_same_name_is_refused() -> None:
    run("create_leaderboard", "quiz")

    with pytest.raises(CommandError, match="slug"):
        run("create_leaderboard", "quiz")


@pytest.fixture
def quiz() -> None:
    create_leaderboard("quiz")


@pytest.mark.usefixtures("quiz")
def test_a_season_is_opened_listed_and_closed() -> None:
    said = run(
        "open_season", "quiz", "s1", "--starts", "2026-01-01T00:00:00+05:30", "--ends", "2026-02-01T00:00:00+05:30"
    )
    assert said == "opened quiz:s1\n"
    run("open_season", "quiz", "s2", "--starts", "2026-03-01T00:00:00+00:00")

    lines = run("list_seasons", "quiz").splitlines()
    assert [line[2:].split() for line in lines] == [
        ["s1", "2025-12-31T18:30:00+00:00", "2026-01-31T18:30:00+00:00"],
        ["s2", "2026-03-01T00:00:00+00:00", "open"],
    ]

    said = run("close_season", "quiz", "s2", "--at", "2999-04-01T00:00:00+00:00")
    assert said == "quiz:s2 ends at 2999-04-01T00:00:00+0000\n"
    assert Period.objects.get(label="s2").ends_at == datetime(2999, 4, 1, tzinfo=UTC)


@pytest.mark.usefixtures("quiz")
def test_the_current_season_has_a_star() -> None:
    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    open_season("quiz", "old", long_ago, long_ago + timedelta(days=1))
    run("open_season", "quiz", "now")

    assert [(line[0], line[2:].split()[0]) for line in run("list_seasons", "quiz").splitlines()] == [
        (" ", "old"),
        ("*", "now"),
    ]


@pytest.mark.usefixtures("quiz")
def test_a_season_begins_and_ends_now_if_nothing_else_is_said() -> None:
    run("open_season", "quiz", "s1")
    run("close_season", "quiz", "s1")

    season = Period.objects.get(label="s1")
    assert season.starts_at is not None
    assert season.ends_at is not None
    assert timedelta() < season.ends_at - season.starts_at < timedelta(minutes=1)


@pytest.mark.usefixtures("quiz")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("open_season", "nope", "s1"), "no leaderboard 'nope'"),
        (("open_season", "quiz", "day"), "label"),
        (("open_season", "quiz", "S1"), "label"),
        (("open_season", "quiz", "s1", "--starts", "2026-01-01T00:00:00"), "no offset"),
        (("open_season", "quiz", "s1", "--starts", "soon"), "not a time in ISO 8601"),
        (
            ("open_season", "quiz", "s1", "--starts", "2026-01-02T00:00:00Z", "--ends", "2026-01-02T00:00:00Z"),
            "ends_at: a season ends after it starts",
        ),
        (("close_season", "nope", "s1"), "no leaderboard 'nope'"),
        (("close_season", "quiz", "s1"), "quiz has no season 's1'"),
        (("list_seasons", "nope"), "no leaderboard 'nope'"),
    ],
)
def test_a_wrong_word_about_seasons_is_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        run(*arguments)

    assert not Period.objects.exists()


def test_a_new_definition_is_in_force_at_once_in_its_process(quiz: None) -> None:
    assert get_rules("quiz").name == ""
    Leaderboard.objects.update(name="The quiz")
    forget_rules()

    assert get_rules("quiz").name == "The quiz"
    open_season("quiz", "s1", NOW)
    assert [season.label for season in get_rules("quiz").seasons] == ["s1"]
