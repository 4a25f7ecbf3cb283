"""One site of real processes for the whole folder; each test gets a leaderboard of its own, and a site that is well."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_django import DjangoDbBlocker

from tests.services import DIRECTORY_PREFIX

if TYPE_CHECKING:
    # A folder's conftest is loaded before Django is set up.
    from tests.faults.quiz import Quiz
    from tests.faults.running_site import RunningSite

LEADERBOARDS = 60
"""Made before the programs start: a process learns of a new one within RULES_CACHE_SECONDS, which no test needs to wait for."""


@pytest.fixture(scope="package")
def started_site(django_db_blocker: DjangoDbBlocker) -> "Iterator[tuple[RunningSite, Iterator[Quiz]]]":
    from tests.faults.quiz import Quiz
    from tests.faults.running_site import RunningSite

    directory = Path(tempfile.mkdtemp(prefix=DIRECTORY_PREFIX)).resolve()
    directory.chmod(0o711)
    with contextlib.ExitStack() as ends:
        ends.callback(shutil.rmtree, directory, ignore_errors=True)
        site = ends.enter_context(contextlib.closing(RunningSite(directory)))
        quizzes = [Quiz(f"quiz-{number}") for number in range(1, LEADERBOARDS + 1)]
        with django_db_blocker.unblock(), site.as_default():
            site.key = _create(quizzes)
        site.start_all()
        yield site, iter(quizzes)


@pytest.fixture
def site(
    started_site: "tuple[RunningSite, Iterator[Quiz]]", django_db_blocker: DjangoDbBlocker
) -> "Iterator[RunningSite]":
    """The site, well. Django's models are its rows, settings.REDIS_URL names its boards."""
    found, _ = started_site
    found.heal()
    with django_db_blocker.unblock(), found.as_default():
        yield found


@pytest.fixture
def quiz(started_site: "tuple[RunningSite, Iterator[Quiz]]", site: "RunningSite") -> "Quiz":
    _, quizzes = started_site
    return next(quizzes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A failed test shows the last words of the site's programs."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    started = getattr(item, "funcargs", {}).get("started_site")
    if report.failed and started is not None:
        report.sections += [(name, words) for name, words in started[0].last_words() if words]
    return report  # type: ignore[return-value]


def _create(quizzes: "list[Quiz]") -> str:
    from django.utils import timezone

    from scoring.setup import create_api_key, create_leaderboard, open_season

    for quiz in quizzes:
        create_leaderboard(quiz.slug, period_kinds=["day", "season", "all"], scopes=["city"])
        open_season(quiz.slug, "s1", timezone.now())
    return create_api_key("tests", ["submit", "read", "ops"])
