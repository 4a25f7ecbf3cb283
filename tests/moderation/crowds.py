"""Moderators and game servers at once, each in a thread with a connection of its own."""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from django.db import connection

from scoring.errors import LeaderboardError
from scoring.models import OutboxEvent
from scoring.moderation.decisions import PlayerNotFound
from scoring.moderation.voiding import MatchNotFound
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, accept, codes, score
from tests.ledger_truth import folded_ledger, stored_totals

PLAYERS = [f"player-{n}" for n in range(12)]
MATCHES = [f"m{n}" for n in range(20)]


def all_at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """What each returns, or the anticipated error that it raises. Anything else is raised here."""
    ready = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        ready.wait(timeout=60)
        try:
            return job()
        except LeaderboardError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def stream(seed: int, slug: str = "quiz", **profile: Sequence[Any]) -> Callable[[], None]:
    """A game server that posts 40 batches of 8 scores."""

    def post() -> None:
        dice = random.Random(seed)
        for _ in range(40):
            more = {name: dice.choice(values) for name, values in profile.items()}
            batch = [
                score(player, dice.choice([-3, 0, 5, 10]), dice.choice(MATCHES), leaderboard=slug, **more)
                for player in dice.sample(PLAYERS, 8)
            ]
            assert set(codes(accept(*batch))) <= {"accepted", "duplicate", "match_conflict"}

    return post


def each(act: Callable[[str], Any], of: Sequence[str]) -> Callable[[], None]:
    """A moderator who does this to one after the other; that there is nothing to do is no error."""

    def decide() -> None:
        for one in of:
            try:
                act(one)
            except (MatchNotFound, PlayerNotFound):
                continue

    return decide


def check(slug: str, operator: str) -> None:
    assert stored_totals(slug) == folded_ledger(slug, operator)
    deliver(NOW + timedelta(hours=1))
    assert not OutboxEvent.objects.waiting().exists()
    assert differences(slug) == []


def keep_delivering() -> None:
    for _ in range(20):
        deliver()
