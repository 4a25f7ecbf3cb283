"""Whatever is sent at once through the door is answered as if it had been sent in some order, one after another."""

import asyncio
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.models import ApiKey, Leaderboard, OutboxEvent, Period, Player, ScoreEvent, Total
from scoring.setup import create_api_key
from tests.door.asgi import Answer, ask, opened
from tests.door.one_order import Request, Told, explains
from tests.factories import LeaderboardFactory
from tests.ledger_truth import folded_ledger, stored_totals
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db(transaction=True)


def scores_for(*slugs: str) -> st.SearchStrategy[dict[str, Any]]:
    """Few players and matches, so that they repeat and contradict each other; some are bad."""
    good = st.fixed_dictionaries(
        {
            "leaderboard": st.sampled_from(slugs),
            "player_id": st.sampled_from(["ann", "bob", "eve"]),
            "match_id": st.sampled_from(["m1", "m2", "m3"]),
            "points": st.sampled_from([0, 1, 100]),
        }
    )
    fault = st.sampled_from([{"points": -1}, {"points": "many"}, {"player_id": "a b"}, {"leaderboard": "nothing"}])
    return st.one_of(good, good, good, st.builds(lambda score, wrong: {**score, **wrong}, good, fault))


singles = st.builds(lambda score, key: Request([score], False, key), scores_for("quiz", "race"), st.booleans())
# A batch is of one leaderboard: what it tells of two is read a moment apart.
batches = st.builds(
    lambda scores, key: Request(scores, True, key), st.lists(scores_for("quiz"), max_size=4), st.booleans()
)


def begin() -> list[str]:
    """Two leaderboards without players; a key for both, and one for quiz only."""
    for model in (OutboxEvent, Total, ScoreEvent, Player, Period, ApiKey, Leaderboard):
        model._default_manager.all().delete()
    forget_everything()
    for slug in ("quiz", "race"):
        LeaderboardFactory.create(slug=slug)
    return [create_api_key("all", ["submit"]), create_api_key("one", ["submit"], ["quiz"])]


async def send_at_once(requests: list[Request], keys: list[str]) -> list[Answer]:
    async with opened() as door:
        return await asyncio.gather(
            *(
                ask(
                    door,
                    "POST",
                    b"/v1/scores/batch" if request.is_batch else b"/v1/scores",
                    [(b"host", b"localhost"), (b"authorization", f"Api-Key {keys[request.is_limited]}".encode())],
                    msgspec.json.encode({"scores": request.scores} if request.is_batch else request.scores[0]),
                )
                for request in requests
            )
        )


def told_by(request: Request, answer: Answer) -> list[Told]:
    body = msgspec.json.decode(answer.body)
    if request.is_batch:
        assert answer.status == 202, answer
        return [(one.get("code", one["status"]), one.get("totals", {}).get("all")) for one in body["results"]]
    if answer.status != 202:
        return [(body["code"], None)]
    return [("duplicate" if body["duplicate"] else "accepted", body["totals"]["all"])]


@settings(max_examples=30)
@given(requests=st.lists(st.one_of(singles, singles, singles, batches), min_size=2, max_size=12))
def test_all_answers_are_those_of_one_order(requests: list[Request]) -> None:
    keys = begin()

    answers = asyncio.run(send_at_once(requests, keys))

    told = [told_by(request, answer) for request, answer in zip(requests, answers, strict=True)]
    assert explains(requests, told), list(zip(requests, told, strict=True))
    for slug in ("quiz", "race"):
        assert stored_totals(slug) == folded_ledger(slug, "add")
