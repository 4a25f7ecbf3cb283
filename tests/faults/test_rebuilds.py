"""Boards are rebuilt by their worker while scores arrive and readers poll: nobody notices."""

import random
import time
from collections.abc import Iterator

import pytest
from django.utils import timezone

from boards.board_ids import find_board
from boards.keys import board_keys
from leaderboard_site.embedded import places
from rebuilds.jobs import ask_verification, load_request
from rebuilds.models import BoardJob
from scoring.period_rows import open_period
from scoring.periods import ALL_TIME
from scoring.rules import get_rules
from scoring.setup import create_leaderboard
from tests.faults.game_servers import playing
from tests.faults.quiz import Quiz, assert_all_accepted, await_boards, await_empty_outbox
from tests.faults.readers import Readers, reading
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually
from tests.rebuilds.crowd import disperse, fill

pytestmark = pytest.mark.slow

CROWD = 8_000
MULTITUDE = 300_000
BATCH = 500
"""By four servers that pause a tenth of a second after each: some 10,000 events a second, if the machine is free."""

WORKER = "worker-rebuilds"


@pytest.fixture
def _rebuilding(site: RunningSite) -> Iterator[None]:
    """The worker of rebuilds runs too, and is soon given up when it is killed."""
    with site.redis(places.BROKER) as broker:
        # What beat has sent since the site was started.
        broker.delete("rebuilds")
    site.restart(WORKER, REBUILD_CLAIM_SECONDS="1")
    yield
    site.kill(WORKER)


@pytest.fixture
def crowd(site: RunningSite, quiz: Quiz, _rebuilding: None) -> Quiz:
    """A board of thousands, of which the first few score on."""
    return gather(site, quiz, CROWD)


@pytest.fixture
def multitude(site: RunningSite) -> Iterator[Quiz]:
    """A board of hundreds of thousands, all time alone; gone afterwards, so that nobody else has to rebuild it."""
    quiz = Quiz("multitude")
    create_leaderboard(quiz.slug, period_kinds=["all"])
    try:
        yield gather(site, quiz, MULTITUDE)
    finally:
        site.kill(WORKER)
        disperse(quiz.slug)
        with site.redis(places.BOARDS) as boards:
            boards.unlink(*board_keys(quiz.board()))


def gather(site: RunningSite, quiz: Quiz, players: int) -> Quiz:
    """So many players on the board, one more far ahead of all, one far behind, and one in the middle."""
    leaderboard_id = get_rules(quiz.slug).leaderboard_id
    open_period(leaderboard_id, ALL_TIME)
    fill(quiz.slug, players)
    score = {"leaderboard": quiz.slug, "match_id": "places"}
    places = {"first": 90_000, "still": 3_500, "last": 1}
    scores = [{**score, "player_id": f"{quiz.slug}-{place}", "points": points} for place, points in places.items()]

    def accepted() -> bool:
        # The web process learns of a new leaderboard within a second.
        return bool(site.post("/v1/scores/batch", {"scores": scores}).body["rejected"] == 0)

    eventually(accepted, "the leaderboard is not known")
    await_empty_outbox()
    assert await_rebuild(site, ask(site, {"leaderboard": quiz.slug})) == "done"
    return quiz


def ask(site: RunningSite, what: dict[str, str]) -> str:
    """Ask for a rebuild; its id."""
    asked = site.post("/v1/rebuilds", what)
    assert asked.status == 202, asked
    return str(asked.body["id"])


def await_rebuild(site: RunningSite, rebuild_id: str) -> str:
    """The state in which it ends."""

    def state() -> str:
        return str(site.get(f"/v1/rebuilds/{rebuild_id}").body["state"])

    eventually(lambda: state() in ("done", "failed"), lambda: str(site.get(f"/v1/rebuilds/{rebuild_id}").body))
    return state()


def rebuild(site: RunningSite, quiz: Quiz) -> str:
    return await_rebuild(site, ask(site, {"board": quiz.board()}))


def assert_verified(quiz: Quiz, players: int) -> None:
    """A verification by the worker finds nothing."""
    now = timezone.now()
    request = ask_verification([find_board(quiz.board(), now)], "a test", now)
    eventually(lambda: all(job.finished_at for job in load_request(request)), "the verification does not end")
    (job,) = load_request(request)
    assert (job.state, job.difference_count, job.problem) == ("done", 0, "")
    assert job.verified >= players


def rank_of_still(site: RunningSite, quiz: Quiz) -> int:
    answer = site.get(f"/v1/leaderboards/{quiz.board()}/players/{quiz.slug}-still")
    return int(answer.body["rank"])


def readers_of(site: RunningSite, quiz: Quiz, players: int) -> Readers:
    ends = (f"{quiz.slug}-first", f"{quiz.slug}-last")
    rank = rank_of_still(site, quiz)
    assert players / 3 < rank < players * 2 / 3
    return Readers(
        site,
        quiz.board(),
        ends=ends,
        still=f"{quiz.slug}-still",
        still_rank=rank,
        mover=quiz.player_id(3),
        least=players + 3,
    )


def test_readers_of_a_large_board_see_no_gap_and_no_rank_of_neither_copy_and_afterwards_all_is_right(
    site: RunningSite, multitude: Quiz
) -> None:
    batches = multitude.batches(MULTITUDE, BATCH, city_of=lambda _: None)
    with (
        playing(site, batches) as servers,
        reading(readers_of(site, multitude, MULTITUDE)) as readers,
    ):
        servers.await_more(3)
        posts, began_at = len(servers.posts), time.monotonic()
        assert rebuild(site, multitude) == "done"
        seconds = time.monotonic() - began_at
        events = (len(servers.posts) - posts) * BATCH
        servers.await_more(3)
    print(f"rebuilt in {seconds:.1f} s beside {events / seconds:,.0f} events/s; {readers.reads} reads")

    assert readers.reads > 50
    assert_all_accepted(servers.posts)
    await_empty_outbox()
    assert_verified(multitude, MULTITUDE)
    assert readers.last_still_rank <= rank_of_still(site, multitude)


def test_a_killed_worker_is_not_noticed_and_another_goes_on(site: RunningSite, crowd: Quiz) -> None:
    moments = random.Random(5)
    with playing(site, crowd.batches()) as servers, reading(readers_of(site, crowd, CROWD)):
        servers.await_more(2)
        for _ in range(3):
            asked = ask(site, {"board": crowd.board()})
            eventually(
                lambda: BoardJob.objects.filter(request=asked).exclude(state="waiting"),  # noqa: B023 - awaited here
                "the rebuild does not start",
            )
            servers.await_more(moments.randint(0, 3))
            site.restart(WORKER, REBUILD_CLAIM_SECONDS="1")
            assert await_rebuild(site, asked) == "done"

    assert_all_accepted(servers.posts)
    await_boards(crowd)
    with site.redis(places.BOARDS) as boards:
        assert list(boards.scan_iter(f"{{lb:{crowd.board()}}}:new*")) == []
        assert not boards.exists(f"{{lb:{crowd.board()}}}:lease")
