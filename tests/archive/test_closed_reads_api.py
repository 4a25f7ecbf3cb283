"""Closed periods are answered by the archive: by the same URLs, with the same fields and ranks as before."""

from typing import Any, NoReturn

import pytest
import redis
from django.db import OperationalError, connection
from django.utils import timezone
from psycopg_pool import PoolTimeout

from boards import archive, archive_access, archived_periods
from boards.models import ArchivedPeriod
from scoring.database import fetch_all
from scoring.models import Leaderboard, Player, ReviewState
from scoring.moderation.decisions import Decision
from scoring.moderation.erasing import erase_player
from tests.api import get, post, problem
from tests.archive.past import deliver_and_close, label_of, past_day
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

PLAYERS = "abcdefgh"
RULES = [
    {"ties": "first"},
    {"ties": "shared"},
    {"ties": "latest_first", "operator": "best", "order": "low", "scale": 2},
]


def board(scope: str = "global") -> str:
    return f"leaderboards/quiz:{label_of(past_day())}:{scope}"


def play(**rules: Any) -> None:
    """Eight players of a day that is over, some on equal points, half of them in Hyderabad, one without any points."""
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], grace_seconds=0, **rules)
    now = past_day()
    for player_id, points in zip(PLAYERS, (5, 7, 5, 1, 7, 5, 9, 3), strict=True):
        segments = {"city": "hyd"} if points % 3 else {}
        details = {"lap": points} if rules.get("operator") == "best" else None
        accept_all(
            score(player_id, points, name=f"Player {player_id}", segments=segments, details=details or {}), now=now
        )
    deliver(now)


def asked(scope: str = "global") -> list[Any]:
    """Every question about the board, and what is answered."""
    responses = [
        get(f"{board(scope)}/top"),
        get(f"{board(scope)}/top?n=2&offset=3"),
        get(f"{board(scope)}/top?offset=50"),
        *(get(f"{board(scope)}/players/{player}?around={n}") for player in "abg" for n in (0, 2, 50)),
        get(f"{board(scope)}/players/nobody"),
        post(f"{board(scope)}/ranks", {"player_ids": ["nobody", "g", "a", "a"]}),
        post(f"{board(scope)}/ranks", {"player_ids": []}),
        post(f"{board(scope)}/friends", {"player_id": "a", "friend_ids": ["f", "c", "nobody", "d", "a", "b"]}),
        get(board(scope)),
    ]
    answers = [(response.status_code, response.json()) for response in responses]
    for _, answer in answers:
        answer.pop("as_of", None)
    return answers


def without_marks(answers: list[Any]) -> list[Any]:
    return [(status, {name: value for name, value in answer.items() if name != "closed"}) for status, answer in answers]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules["ties"])
@pytest.mark.parametrize("scope", ["global", "city:hyd", "city:pune"])
def test_every_answer_is_the_one_of_before_but_for_the_mark(rules: dict[str, Any], scope: str) -> None:
    play(**rules)
    before = asked(scope)

    assert deliver_and_close(timezone.now()) == 1
    after = asked(scope)

    assert without_marks(after) == before
    for _, answer in after:
        assert answer.get("closed") or "errors" in answer or answer["state"] == "closed"


@pytest.mark.usefixtures("redis_away")
def test_they_are_answered_while_redis_is_away() -> None:
    play()
    deliver_and_close(timezone.now())

    assert {status for status, _ in asked()} == {200, 404}
    assert problem(get("leaderboards/quiz:all:global/top")) == (503, "boards_unavailable")


def test_they_are_answered_when_the_key_has_expired(boards_redis: redis.Redis) -> None:
    play()
    deliver_and_close(timezone.now())
    before = asked()

    boards_redis.flushdb()

    assert asked() == before


def test_a_closed_period_that_is_not_archived_yet_is_read_from_redis() -> None:
    play()

    answer = get(f"{board()}/top").json()

    assert answer["players"] == len(PLAYERS)
    assert "closed" not in answer
    assert get(board()).json()["state"] == "closed"


def test_of_final_standings_nothing_is_on_its_way() -> None:
    play()
    asked_with_more = f"{board()}/players/b?expect=100"
    assert get(asked_with_more).json()["updating"]

    deliver_and_close(timezone.now())

    assert not get(asked_with_more).json()["updating"]


def test_the_mark_makes_another_etag() -> None:
    play()
    before = get(f"{board()}/top")["ETag"]

    deliver_and_close(timezone.now())

    assert get(f"{board()}/top", {"If-None-Match": before}).status_code == 200


def test_who_is_erased_is_shown_nowhere_and_nobody_else_moves() -> None:
    play()
    deliver_and_close(timezone.now())
    before = get(f"{board()}/top").json()["entries"]

    erase_player("b", Decision("a test", "asked for it", timezone.now()))
    deliver_and_close(timezone.now())
    after = get(f"{board()}/top").json()["entries"]

    assert after == [entry for entry in before if entry["player_id"] != "b"]
    assert problem(get(f"{board()}/players/b")) == (404, "player_not_ranked")
    assert get(f"{board()}/players/a?around=50").json()["neighbours"] == after
    (entry,) = post(f"{board()}/ranks", {"player_ids": ["b"]}).json()["entries"]
    assert entry == {"rank": None, "player_id": "b", "name": None, "points": None}
    new_id = Player.objects.get(review_state=ReviewState.ERASED).player_id
    assert problem(get(f"{board()}/players/{new_id}")) == (404, "player_not_ranked")


def test_who_is_flagged_after_the_end_keeps_the_place() -> None:
    play()
    deliver_and_close(timezone.now())

    Player.objects.filter(player_id="b").update(review_state=ReviewState.FLAGGED)

    assert get(f"{board()}/players/b").json()["rank"] == 2


def test_reads_of_an_open_board_ask_the_database_nothing(django_assert_num_queries: Any) -> None:
    play()
    deliver_and_close(timezone.now())
    get("leaderboards/quiz:all:global/top")

    with django_assert_num_queries(0):
        get("leaderboards/quiz:all:global/players/a")
        post("leaderboards/quiz:all:global/ranks", {"player_ids": ["a"]})


def test_reads_of_a_closed_board_are_one_statement_each(monkeypatch: pytest.MonkeyPatch) -> None:
    play()
    deliver_and_close(timezone.now())
    loaded: list[str] = []

    def counted(sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        loaded.append(sql.split(":", maxsplit=1)[0])
        return fetch_all(sql, parameters)

    monkeypatch.setattr(archive, "fetch_all", counted)
    get(f"{board()}/top")
    get(f"{board()}/players/a")
    get(board())
    post(f"{board()}/friends", {"player_id": "a", "friend_ids": ["b"]})

    names = ("page", "neighbours", "page", "players")
    assert loaded == [f"-- load_archived_{name}" for name in names]


@pytest.mark.parametrize("error", [OperationalError, PoolTimeout])
def test_while_postgresql_is_away_it_is_asked_once_a_second_and_others_are_told_at_once(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    play()
    deliver_and_close(timezone.now())
    get(board())
    tried: list[str] = []

    def away(sql: str, parameters: Any) -> NoReturn:
        tried.append(sql)
        raise error("away")

    with monkeypatch.context() as patch:
        patch.setattr(archive, "fetch_all", away)
        for path in ("top?n=7", "players/a", "players/b"):
            assert problem(get(f"{board()}/{path}")) == (503, "archive_unavailable")
        assert get("leaderboards/quiz:all:global/top").status_code == 200
    assert len(tried) == 1

    archive_access.forget_outage()
    assert get(f"{board()}/players/a").status_code == 200


def test_when_nobody_can_tell_whether_a_period_is_archived_redis_answers() -> None:
    play()
    deliver_and_close(timezone.now())
    get("leaderboards/quiz:all:global/top")

    def away(*_: object) -> NoReturn:
        raise OperationalError("away")

    with connection.execute_wrapper(away):
        answer = get(f"{board()}/top").json()

    assert (answer["players"], "closed" in answer) == (len(PLAYERS), False)


def test_whether_a_closed_period_is_archived_is_asked_once_a_second(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    play()
    get(f"{board()}/top")
    monkeypatch.setattr(archived_periods, "ASK_AGAIN_SECONDS", 3600.0)
    archived_periods.forget_archived_periods()

    with django_assert_num_queries(1):
        get(f"{board()}/players/a")
        get(f"{board()}/players/b")


def test_a_period_whose_grace_is_lengthened_is_open_once_more() -> None:
    play()
    deliver_and_close(timezone.now())
    Leaderboard.objects.update(grace_seconds=5 * 86_400)
    accept_all(score("a", 90, occurred_at=past_day()), now=timezone.now())
    assert deliver_and_close(timezone.now()) == 0
    assert get(f"{board()}/players/a").json()["points"] == 95

    Leaderboard.objects.update(grace_seconds=1)

    assert deliver_and_close(timezone.now()) == 1
    answer = get(f"{board()}/players/a").json()
    assert (answer["points"], answer["closed"]) == (95, True)
    assert ArchivedPeriod.objects.get().is_outdated is False
