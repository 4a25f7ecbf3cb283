"""One leaderboard, its scores, what became of them, and what its boards must show."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from scoring.models import OutboxEvent, ScoreEvent
from tests.boards_truth import Line, differences, shown_boards, true_boards
from tests.faults.http_client import Answer
from tests.faults.waiting import WITHIN_SECONDS, eventually
from tests.ledger_truth import folded_ledger, stored_totals

CITIES = ("hyd", "pune", "goa")
PLAYERS = 60

Score = dict[str, Any]
Ledger = dict[tuple[str, str], int]


def home_of(player: int) -> str:
    return CITIES[player % len(CITIES)]


class Post(NamedTuple):
    """A batch and its answer."""

    scores: list[Score]
    answer: Answer


class Quiz:
    """One leaderboard for one test: whatever happened before, its boards are empty."""

    def __init__(self, slug: str) -> None:
        self.slug = slug

    def player_id(self, player: int) -> str:
        return f"{self.slug}-{player}"

    def board(self, scope: str = "global") -> str:
        return f"{self.slug}:all:{scope}"

    def score(self, player: int, match: int, city: str | None = None) -> Score:
        """The same player and match always has the same points, so that it can be repeated. Some are worth nothing."""
        score = {
            "leaderboard": self.slug,
            "player_id": self.player_id(player),
            "match_id": f"m{match}",
            "points": (7 * player + 13 * match) % 21,
        }
        return score if city is None else {**score, "segments": {"city": city}}

    def first_batch(self, players: int = PLAYERS) -> list[Score]:
        """Everybody's first match, from home."""
        return [self.score(player, 0, home_of(player)) for player in range(players)]

    def batches(
        self, players: int = PLAYERS, size: int = 40, seed: int = 1, city_of: Callable[[int], str | None] = home_of
    ) -> Iterator[list[Score]]:
        """Without end. Batches have players in common, in no order, and repeat scores of each other and of themselves."""
        choice = random.Random(seed)
        number = 0
        while True:
            number += 1
            drawn = [(choice.randrange(players), number // 3 + choice.randrange(3)) for _ in range(size)]
            yield [self.score(player, match, city_of(player)) for player, match in drawn]


def ledger_of(batches: Iterable[list[Score]]) -> Ledger:
    """What the ledger has of these scores: points by player and match, each once."""
    return {(score["player_id"], score["match_id"]): score["points"] for batch in batches for score in batch}


def accepted(posts: Iterable[Post]) -> list[list[Score]]:
    """The batches that got a 202, in which nothing may have been refused."""
    taken = [post for post in posts if post.answer.status == 202]
    assert [post.answer.body for post in taken if post.answer.body["rejected"]] == []
    return [post.scores for post in taken]


def unanswered(posts: Iterable[Post]) -> list[list[Score]]:
    """The batches that a game server must repeat."""
    return [post.scores for post in posts if post.answer.status != 202]


def assert_all_accepted(posts: Iterable[Post]) -> None:
    posts = list(posts)
    assert Counter(post.answer.status for post in posts) == {202: len(posts)}
    accepted(posts)


def slowest_seconds(posts: Iterable[Post]) -> float:
    return max(post.answer.seconds for post in posts)


def stored_ledger(quiz: Quiz) -> Ledger:
    rows = ScoreEvent.objects.filter(leaderboard__slug=quiz.slug)
    return {
        (player, match): points for player, match, points in rows.values_list("player__player_id", "match_id", "points")
    }


def assert_ledger_is(quiz: Quiz, expected: Ledger) -> None:
    """The ledger has exactly these scores, and the totals are its fold."""
    assert expected
    assert stored_ledger(quiz) == expected
    assert stored_totals(quiz.slug) == folded_ledger(quiz.slug, "add")
    of_all = [points for (label, _), (points, _) in stored_totals(quiz.slug).items() if label == "all"]
    assert sum(of_all) == sum(expected.values())


def await_boards(quiz: Quiz, within_seconds: float = WITHIN_SECONDS) -> None:
    """Wait until every board, global and of each city, of day, season and all time, is exactly what the totals say."""
    eventually(lambda: not differences(quiz.slug), "the boards differ from the totals", within_seconds)
    assert len(shown_boards(quiz.slug)) >= 3 * (1 + len(CITIES))
    await_empty_outbox(within_seconds)


def await_empty_outbox(within_seconds: float = WITHIN_SECONDS) -> None:
    eventually(lambda: not OutboxEvent.objects.waiting().exists(), "outbox events are still waiting", within_seconds)


def await_lines(quiz: Quiz, players: Iterable[int]) -> None:
    """Wait until these players' lines are exactly what the totals say, whatever else is on the boards or missing."""
    wanted = {quiz.player_id(player) for player in players}

    def lines_of(boards: dict[str, list[Line]]) -> dict[str, list[Line]]:
        own = {board: [line for line in lines if line[0] in wanted] for board, lines in boards.items()}
        return {board: lines for board, lines in own.items() if lines}

    assert lines_of(true_boards(quiz.slug))
    eventually(
        lambda: lines_of(shown_boards(quiz.slug)) == lines_of(true_boards(quiz.slug)),
        "lines of these players differ from the totals",
    )
