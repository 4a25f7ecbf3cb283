"""The boards' Redis loses its data in the middle of a quiz: boards equal the totals again by themselves."""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
import redis

from leaderboard_site.embedded import places
from rebuilds.models import Recovery, RedisWatch
from tests.faults.game_servers import playing
from tests.faults.quiz import Quiz, assert_all_accepted, assert_ledger_is, await_boards, home_of, ledger_of
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually
from tests.recovery.by_hand import dump, restore

pytestmark = pytest.mark.slow

QUIET_PLAYERS = range(1_000, 1_300)
"""They have played long before, and don't while Redis loses data: nobody but the recovery brings them back."""


def await_recovery(site: RunningSite, board: str, after: int) -> tuple[Recovery, set[str], set[str]]:
    """The recovery after this one that has the boards right again; what readyz has said of them meanwhile, and the board's own
    state."""
    said: set[str] = set()
    states: set[str] = set()

    def recovered() -> Recovery | None:
        said.add(site.readiness().body["parts"]["boards"])
        states.add(site.get(f"/v1/leaderboards/{board}").body.get("state", "none"))
        return Recovery.objects.filter(pk__gt=after, recovered_at__isnull=False).first()

    recovery = eventually(recovered, "no recovery")
    assert recovery is not None
    return recovery, said, states


def state_of(site: RunningSite, board: str) -> str:
    return str(site.get(f"/v1/leaderboards/{board}").body["state"])


def play(site: RunningSite, quiz: Quiz, lose: Callable[[redis.Redis], object], loss: str) -> None:
    """A quiz in the middle of which this happens to Redis."""
    quiet = [quiz.score(player, 1, home_of(player)) for player in QUIET_PLAYERS]
    with site.client() as client:
        assert client.post("/v1/scores/batch", {"scores": quiet}).status == 202
    await_boards(quiz)
    with site.redis(places.BOARDS) as boards, playing(site, quiz.batches()) as servers:
        servers.await_more(5)
        newest, before = Recovery.objects.first(), time.monotonic()
        lose(boards)
        recovery, said, states = await_recovery(site, quiz.board(), newest.pk if newest else 0)
        seconds = time.monotonic() - before
        servers.await_more(5)
    await_boards(quiz)
    assert_all_accepted(servers.posts)
    assert_ledger_is(quiz, ledger_of([quiet, *(post.scores for post in servers.posts)]))
    assert (recovery.loss, recovery.problem) == (loss, "")
    # That of a few writes may be over between two questions.
    assert {"recovering"} <= said & states or not recovery.is_rebuilding
    eventually(lambda: state_of(site, quiz.board()) == "live", "the board does not say that it is right again")
    print(f"{loss}: noted and right again {seconds:.1f} seconds after the loss")


def test_flushall_during_a_quiz(site: RunningSite, quiz: Quiz) -> None:
    play(site, quiz, lambda boards: boards.flushall(), "empty")


def test_redis_is_killed_and_restarted_empty_during_a_quiz(site: RunningSite, quiz: Quiz) -> None:
    play(site, quiz, lambda _: site.restart("boards"), "empty")


def test_a_dump_of_ten_minutes_ago_is_restored_during_a_quiz(site: RunningSite, quiz: Quiz) -> None:
    def lose(boards: redis.Redis) -> None:
        old, number = dump(boards), RedisWatch.objects.get().number
        eventually(lambda: RedisWatch.objects.get().number > number + 1, "no further heartbeat")
        restore(boards, old, older_by=timedelta(minutes=10))

    play(site, quiz, lose, "old")


def test_redis_is_restarted_with_all_it_had_during_a_quiz(site: RunningSite, quiz: Quiz) -> None:
    def restart(_: redis.Redis) -> None:
        site.stop("boards")
        site.start("boards")

    play(site, quiz, restart, "tail")
