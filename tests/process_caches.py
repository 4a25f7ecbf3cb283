"""What a process remembers of rows that are gone after each test."""

from collections.abc import Iterator

import pytest


def forget_everything() -> None:
    # Here and not above: a folder's conftest is loaded before Django is set up.
    from boards.archive_access import forget_outage
    from boards.archived_periods import forget_archived_periods
    from boards.store import _server
    from boards.top_cache import forget_top_pages
    from scoring.grants import forget_grants
    from scoring.period_rows import forget_periods
    from scoring.rules import forget_rules
    from scoring.totals import load_period

    forget_rules()
    forget_archived_periods()
    forget_grants()
    forget_periods()
    load_period.cache_clear()
    forget_top_pages()
    # An outage that a test has played is over.
    _server().circuit.worked()
    forget_outage()


@pytest.fixture(autouse=True)
def forget_rows() -> Iterator[None]:
    """Imported by the conftest of each folder whose tests use the database."""
    forget_everything()
    yield
    forget_everything()
