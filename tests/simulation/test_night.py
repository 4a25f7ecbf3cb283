import random
from collections import Counter
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from leaderboard_site.simulation.night import (
    FLUSH_SECONDS,
    Answer,
    Batch,
    cut_batches,
    plan_answers,
    plan_question,
    watch,
)

seeds = st.integers(0, 2**32).map(random.Random)
players = st.integers(1, 400)
seconds = st.floats(0.5, 60)


def all_of(batches: Iterable[Iterable[Batch]]) -> list[Batch]:
    return [batch for some in batches for batch in some]


@given(players=players, seconds=seconds, servers=st.integers(1, 5), size=st.integers(1, 50), rng=seeds)
def test_each_player_answers_each_question_once(
    players: int, seconds: float, servers: int, size: int, rng: random.Random
) -> None:
    question = plan_question(1, players=players, seconds=seconds, servers=servers, batch_size=size, readers=7, rng=rng)
    answers = Counter(answer.player for batch in all_of(question.batches) for answer in batch.answers)
    assert answers == dict.fromkeys(range(players), 1)
    assert len(question.batches) == servers


@given(players=players, seconds=seconds, rng=seeds)
def test_answers_come_in_time_and_in_order(players: int, seconds: float, rng: random.Random) -> None:
    answers = plan_answers(players, seconds, rng)
    assert all(0 < answer.at_seconds <= seconds for answer in answers)
    assert answers == sorted(answers)
    assert {answer.points for answer in answers} <= {0, 10}


def test_four_of_five_answers_are_right() -> None:
    answers = plan_answers(20_000, 15, random.Random(1))
    assert 0.78 < sum(answer.points == 10 for answer in answers) / 20_000 < 0.82


times = st.lists(st.floats(0, 20), max_size=200).map(sorted)


@given(times=times, size=st.integers(1, 30))
def test_batches_never_exceed_their_size_and_keep_nothing_back_for_long(times: list[float], size: int) -> None:
    answers = [Answer(at, player, 10) for player, at in enumerate(times)]
    batches = cut_batches(answers, size, FLUSH_SECONDS)
    assert [answer for batch in batches for answer in batch.answers] == answers
    for batch in batches:
        assert 1 <= len(batch.answers) <= size
        first, last = batch.answers[0].at_seconds, batch.answers[-1].at_seconds
        assert last <= batch.flush_at_seconds <= first + FLUSH_SECONDS
    assert [b.flush_at_seconds for b in batches] == sorted(b.flush_at_seconds for b in batches)


@given(sizes=st.lists(st.integers(1, 30), min_size=1, max_size=40), readers=st.integers(0, 200), rng=seeds)
def test_watched_players_are_in_their_batch_and_not_more_than_asked_for(
    sizes: list[int], readers: int, rng: random.Random
) -> None:
    batches = [[Batch(0.0, tuple(Answer(0.0, player, 0) for player in range(size))) for size in sizes]]
    watched = all_of(watch(batches, readers, rng))
    assert sum(len(batch.watched) for batch in watched) <= readers
    for batch in watched:
        assert set(batch.watched) <= {answer.player for answer in batch.answers}
        assert len(set(batch.watched)) == len(batch.watched)


def test_as_many_players_are_watched_as_asked_for_when_there_are_enough() -> None:
    question = plan_question(
        1, players=50_000, seconds=1, servers=4, batch_size=500, readers=1_000, rng=random.Random(2)
    )
    watched = [len(batch.watched) for batch in all_of(question.batches)]
    assert sum(watched) == 1_000
    assert sum(count > 0 for count in watched) <= 20


def test_the_same_seed_plans_the_same_question() -> None:
    one, other = (
        plan_question(3, players=500, seconds=10, servers=2, batch_size=50, readers=20, rng=random.Random(4))
        for _ in range(2)
    )
    assert one == other
