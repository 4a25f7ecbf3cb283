"""However scores, corrections, their workers and a rebuild overtake each other, the boards end at the totals.

Before anything is applied a second time (`confirm_corrections` is never called here).
"""

import itertools
import json
import random
from collections.abc import Iterator

import pytest
import redis

from scoring.models import Player
from tests.moderation.interleaving import ACTS, History, Write, by_epoch, naive

pytestmark = pytest.mark.django_db


def every_end(
    client: redis.Redis, planned: list[str], *, rebuild: bool = False, write: Write = by_epoch
) -> Iterator[tuple[History, list[str]]]:
    """The end of every possible order of the steps, and the order: as places in the lists of possible next steps."""
    begun: list[list[int]] = [[]]
    while begun:
        history = History(client, planned, rebuild=rebuild, write=write)
        order, taken = begun.pop(), []
        for place in order:
            taken.append(history.steps()[place])
            history.take(taken[-1])
        while steps := history.steps():
            begun += [[*order, other] for other in range(1, len(steps))]
            order = [*order, 0]
            taken.append(steps[0])
            history.take(steps[0])
        yield history, taken


def some_end(
    client: redis.Redis, planned: list[str], dice: random.Random, *, rebuild: bool
) -> tuple[History, list[str]]:
    history = History(client, planned, rebuild=rebuild)
    taken = []
    while steps := history.steps():
        taken.append(dice.choice(steps))
        history.take(taken[-1])
    return history, taken


@pytest.mark.parametrize(
    "planned", [pair for pair in itertools.product(ACTS, repeat=2) if "lower" not in pair], ids="-".join
)
def test_every_order_of_two_acts_and_their_workers(boards_redis: redis.Redis, planned: tuple[str, str]) -> None:
    for history, taken in every_end(boards_redis, list(planned)):
        assert history.differences() == [], taken


@pytest.mark.parametrize("act", ACTS)
def test_every_order_of_an_act_and_a_rebuild(boards_redis: redis.Redis, act: str) -> None:
    for history, taken in every_end(boards_redis, [act], rebuild=True):
        assert history.differences() == [], taken


@pytest.mark.parametrize("rebuild", [False, True], ids=["alone", "with a rebuild"])
@pytest.mark.parametrize("seed", range(4))
def test_a_share_of_the_orders_of_many_acts(boards_redis: redis.Redis, seed: int, rebuild: bool) -> None:
    dice = random.Random(seed)
    for _ in range(10):
        planned = dice.choices(ACTS, k=dice.randint(3, 6))
        history, taken = some_end(boards_redis, planned, dice, rebuild=rebuild)
        assert history.differences() == [], (planned, taken)


@pytest.mark.parametrize(
    "planned",
    [
        # A total whose only match is void goes; a score after it begins a new one.
        ["void", "raise", "void"],
        ["void", "raise", "lower"],
        ["flag", "void", "raise", "unflag"],
        # A change of city beside it.
        ["move", "void", "raise"],
        ["void", "move", "raise"],
        ["void", "move", "void"],
    ],
    ids="-".join,
)
def test_a_total_that_goes_and_comes_again(boards_redis: redis.Redis, planned: list[str]) -> None:
    dice = random.Random("-".join(planned))
    for _ in range(20):
        history, taken = some_end(boards_redis, planned, dice, rebuild=False)
        assert history.differences() == [], taken


@pytest.mark.parametrize("planned", [["adjust", "raise"], ["raise", "flag"], ["raise", "void"]], ids="-".join)
def test_the_naive_rule_goes_wrong_in_the_same_harness(boards_redis: redis.Redis, planned: list[str]) -> None:
    """Raises only upwards and corrections as they are: some orders end wrong, and not all."""
    ends = [bool(history.differences()) for history, _ in every_end(boards_redis, planned, write=naive)]

    assert any(ends)
    assert not all(ends)


def test_totals_that_events_carry_are_not_enough(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at the player, who has an epoch, and so are refused."""
    monkeypatch.setattr("boards.carried.load_plain", load_as_if_plain)

    ends = [bool(history.differences()) for history, _ in every_end(boards_redis, ["move", "raise"])]

    assert any(ends)


def load_as_if_plain(players: list[int]) -> tuple[list[int], list[str], list[str]]:
    found = Player.objects.in_bulk(players)
    player_ids = [found[player].player_id for player in players]
    return list(range(len(players))), player_ids, [json.dumps(found[player].segments) for player in players]
