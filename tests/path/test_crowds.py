"""Many game servers at once: no deadlock, no point lost or doubled, and the boards equal the totals afterwards."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

from scoring.acceptance import Outcome, Stored
from scoring.models import ScoreEvent
from scoring.submissions import Submission
from tests.boards_truth import differences, true_boards
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept, codes, score
from tests.ledger_truth import folded_ledger, stored_totals

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 20
PLAYERS = [f"player-{n}" for n in range(50)]
CITIES = ["hyd", "pune", "delhi"]


def post_all(batches: list[list[Submission]]) -> list[list[Outcome]]:
    """Each batch from a thread of its own, all let go at the same moment."""
    ready = threading.Barrier(len(batches))

    def post(batch: list[Submission]) -> list[Outcome]:
        ready.wait(timeout=60)
        while True:
            try:
                return accept(*batch)
            except OperationalError as error:
                # More threads than connections: told to repeat, as a game server is by a 503. Nothing else is forgiven.
                if not isinstance(error.__cause__, PoolTimeout):
                    raise
            finally:
                connection.close()

    with ThreadPoolExecutor(len(batches)) as threads:
        return list(threads.map(post, batches))


def profile(dice: random.Random) -> dict[str, object]:
    """What some of the scores say about their player."""
    names = {"name": f"Name {dice.randrange(3)}"} if dice.random() < 0.3 else {}
    return names | ({"segments": {"city": dice.choice(CITIES)}} if dice.random() < 0.2 else {})


def batches_of(dice: random.Random, scores: list[Submission], *, profiles: bool) -> list[list[Submission]]:
    """Every thread posts half of the scores, shuffled, so that each score is posted by about ten."""
    batches = []
    for _ in range(THREADS):
        some = dice.sample(scores, len(scores) // 2)
        if profiles:
            some = [score(s.player_id, s.points, s.match_id, leaderboard=s.leaderboard, **profile(dice)) for s in some]
        batches.append(some)
    return batches


@pytest.mark.parametrize("profiles", [False, True], ids=["points only", "with profiles"])
@pytest.mark.parametrize("slugs", [["quiz"], ["quiz", "race"]], ids="-".join)
def test_a_crowd_of_overlapping_batches(slugs: list[str], profiles: bool) -> None:
    dice = random.Random(42)
    for slug, operator in zip(slugs, ("add", "best"), strict=False):
        LeaderboardFactory.create(
            slug=slug, operator=operator, scopes=["city"], period_kinds=["day", "all"], min_points=-5
        )
    scores = [
        score(player_id, dice.choice([-5, 0, 10, 10]), f"m{n}", leaderboard=slug)
        for slug in slugs
        for player_id in PLAYERS
        for n in range(4)
    ]
    batches = batches_of(dice, scores, profiles=profiles)

    answers = post_all(batches)

    outcomes = [outcome for answer in answers for outcome in answer]
    assert set(codes(outcomes)) == {"accepted", "duplicate"}
    accepted = [outcome for outcome in outcomes if isinstance(outcome, Stored) and not outcome.duplicate]
    posted = {(s.leaderboard, s.player_id, s.match_id): s.points for batch in batches for s in batch}
    assert (
        len({outcome.accept_no for outcome in accepted}) == len(accepted) == len(posted) == ScoreEvent.objects.count()
    )
    for slug, operator in zip(slugs, ("add", "best"), strict=False):
        assert stored_totals(slug) == folded_ledger(slug, operator)
    for (_, player_id), (points, _) in folded_ledger("quiz", "add").items():
        assert points == sum(p for (slug, player, _), p in posted.items() if (slug, player) == ("quiz", player_id))
    deliver()
    for slug in slugs:
        assert true_boards(slug)
        assert differences(slug) == []
