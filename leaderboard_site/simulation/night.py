"""The plan of a quiz night: who answers what when, and in which batches game servers send it. Pure."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

POINTS = 10
RIGHT_SHARE = 0.8
FLUSH_SECONDS = 0.25
"""A game server never keeps an answer back for longer."""

REPEATED_SHARE = 0.01
"""Of the batches: sent twice, as after a reply that got lost."""

WATCHED_BATCHES = 20
"""In so many batches of a question players are watched, in more if they are small: each asks for all its results."""


class Answer(NamedTuple):
    """`at_seconds` after the question was shown; 0 points for a wrong one."""

    at_seconds: float
    player: int
    points: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What a game server sends at once, `flush_at_seconds` after the question was shown.

    `watched` players read their ranks afterwards, so the server needs their totals.
    """

    flush_at_seconds: float
    answers: tuple[Answer, ...]
    is_repeated: bool = False
    watched: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question's traffic: the batches of each game server, in the order of sending."""

    number: int
    batches: list[list[Batch]]


def plan_question(
    number: int, *, players: int, seconds: float, servers: int, batch_size: int, readers: int, rng: random.Random
) -> Question:
    """Every player answers once; a player's answers always go through the same server."""
    by_server = share_out(plan_answers(players, seconds, rng), servers)
    batches = [cut_batches(answers, batch_size, FLUSH_SECONDS) for answers in by_server]
    batches = [[replace(b, is_repeated=rng.random() < REPEATED_SHARE) for b in some] for some in batches]
    return Question(number, watch(batches, readers, rng))


def plan_answers(players: int, seconds: float, rng: random.Random) -> list[Answer]:
    """One answer of each player, in the order of time, all within the `seconds`.

    The shape is that of human reaction times (log-normal: a steep rise, a long tail), with a small rush at the end of
    those who would have thought for longer.
    """
    answers = []
    for player in range(players):
        thought_for = seconds * 0.33 * rng.lognormvariate(0, 0.5)
        last_moment = seconds * (0.9 + 0.1 * rng.random())
        points = POINTS if rng.random() < RIGHT_SHARE else 0
        answers.append(Answer(min(thought_for, last_moment), player, points))
    answers.sort()
    return answers


def share_out(answers: Sequence[Answer], servers: int) -> list[list[Answer]]:
    by_server: list[list[Answer]] = [[] for _ in range(servers)]
    for answer in answers:
        by_server[answer.player % servers].append(answer)
    return by_server


def cut_batches(answers: Sequence[Answer], size: int, wait_seconds: float) -> list[Batch]:
    """One server's answers, in the order of time, as it sends them: when it has `size`, or the oldest waits too long."""
    batches: list[Batch] = []
    collected: list[Answer] = []
    for answer in answers:
        if collected and answer.at_seconds > collected[0].at_seconds + wait_seconds:
            batches.append(Batch(collected[0].at_seconds + wait_seconds, tuple(collected)))
            collected = []
        collected.append(answer)
        if len(collected) == size:
            batches.append(Batch(answer.at_seconds, tuple(collected)))
            collected = []
    if collected:
        batches.append(Batch(collected[0].at_seconds + wait_seconds, tuple(collected)))
    return batches


def watch(batches: list[list[Batch]], readers: int, rng: random.Random) -> list[list[Batch]]:
    """Choose `readers` players (fewer if there are fewer) out of a few batches."""
    places = [(server, place) for server, some in enumerate(batches) for place in range(len(some))]
    watched = [list(some) for some in batches]
    rng.shuffle(places)
    wanted = math.ceil(readers / WATCHED_BATCHES)
    for passed, (server, place) in enumerate(places):
        if readers <= 0:
            break
        batch = watched[server][place]
        # Where there are few batches, each has to give more.
        share = max(wanted, math.ceil(readers / (len(places) - passed)))
        some = rng.sample(batch.answers, min(share, readers, len(batch.answers)))
        watched[server][place] = replace(batch, watched=tuple(answer.player for answer in some))
        readers -= len(some)
    return watched
