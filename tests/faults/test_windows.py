"""A custom window over HTTP, built by the workers while scores arrive: there within seconds, and equal to its days at the end."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from boards.board_ids import find_board
from leaderboard_site.embedded import places
from tests.faults.game_servers import playing
from tests.faults.quiz import Quiz, assert_all_accepted, await_empty_outbox
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually
from tests.windows.ledger_fold import true_lines

pytestmark = pytest.mark.slow

WORKER = "worker-rebuilds"


@pytest.fixture
def _building(site: RunningSite) -> Iterator[None]:
    """The worker of rebuilds runs too."""
    with site.redis(places.BROKER) as broker:
        # What beat has sent since the site was started.
        broker.delete("rebuilds")
    site.restart(WORKER)
    yield
    site.kill(WORKER)


@pytest.mark.usefixtures("_building")
def test_a_window_asked_for_under_scores_is_soon_there_and_follows_them(site: RunningSite, quiz: Quiz) -> None:
    now = timezone.now()
    # Also the next day, should this one end meanwhile.
    window = f"{quiz.slug}:window:{now.date()}..{(now + timedelta(days=1)).date()}:global"
    path = f"/v1/leaderboards/{window}/top?n=100"
    with playing(site, quiz.batches()) as servers:
        servers.await_more(2)
        first = site.get(path)
        assert (first.status, first.body["code"]) == (503, "board_building")
        eventually(lambda: site.get(path).status == 200, lambda: str(site.get(path).body))
        servers.await_more(2)

    assert_all_accepted(servers.posts)
    await_empty_outbox()
    true = true_lines(find_board(window, timezone.now()))
    assert len(true) > 10

    def shown() -> list[tuple[int, str, int]]:
        return [(entry["rank"], entry["player_id"], entry["points"]) for entry in site.get(path).body["entries"]]

    # A page may be a second old.
    eventually(lambda: shown() == true, lambda: f"{shown()} is not {true}")
