"""Clients that are slow, rude, old or many: handled by the server, or answered clearly."""

import contextlib
import json
from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from scoring.ledger_locks import hold_ledgers
from scoring.models import Leaderboard
from tests.faults.quiz import Quiz, Score, await_empty_outbox, stored_ledger
from tests.faults.raw_http import connect, post, request, responses
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

pytestmark = pytest.mark.slow

IDLE_CONNECTIONS = 1_000
PIPELINED = 50
HANGING_UP = 3
"""As many as one web process writes at once while they are held up."""


@pytest.fixture
def score(quiz: Quiz) -> Score:
    return quiz.score(3, 1, "hyd")


@pytest.fixture
def impatient_site(site: RunningSite) -> Iterator[RunningSite]:
    """Its web gives a body one second."""
    site.restart("web", WEB_BODY_SECONDS="1")
    eventually(lambda: site.get("/healthz").status == 200, "the web does not come back")
    yield site
    site.restart("web")


def code(body: bytes) -> str:
    found: str = json.loads(body)["code"]
    return found


def test_a_client_that_hangs_up_does_not_stop_its_score(site: RunningSite, quiz: Quiz) -> None:
    """It has to wait until the server has taken the request: one whose sender is gone before that is dropped unread."""
    scores = [quiz.score(player, 1, "hyd") for player in range(1, HANGING_UP + 1)]
    with transaction.atomic():
        hold_ledgers(Leaderboard.objects.filter(slug=quiz.slug).values_list("pk", flat=True))
        for number, score in enumerate(scores, 1):
            with connect(site) as client:
                client.sendall(post(site, "/v1/scores", score))
                await_scores_at_the_lock(number)

    eventually(lambda: len(stored_ledger(quiz)) == len(scores), "a score of a client that has hung up is missing")
    await_empty_outbox()
    shown = site.get(f"/v1/leaderboards/{quiz.board()}/top").body
    assert shown["players"] == len(scores)


def await_scores_at_the_lock(count: int) -> None:
    def are_waiting() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            return bool(cursor.fetchone() == (count,))

    eventually(are_waiting, f"no {count} scores wait for the ledger")


def test_pipelined_requests_are_answered_in_their_order(site: RunningSite, quiz: Quiz) -> None:
    scores = [quiz.score(player, 1, "hyd") for player in range(PIPELINED)]
    with connect(site) as client:
        client.sendall(b"".join(post(site, "/v1/scores", score) for score in scores))
        answers = responses(client, PIPELINED)

    assert [answer.status for answer in answers] == [202] * PIPELINED
    assert [json.loads(answer.body)["player_id"] for answer in answers] == [score["player_id"] for score in scores]


@pytest.mark.parametrize("path", ["/v1/scores", "/v1/leaderboards/{board}/friends"])
def test_a_body_in_chunks_is_read_by_both_doors(site: RunningSite, quiz: Quiz, score: Score, path: str) -> None:
    document = score if path == "/v1/scores" else {"player_id": score["player_id"], "friend_ids": []}
    body = json.dumps(document).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at : at + 7]), body[at : at + 7]) for at in range(0, len(body), 7))
    headers = {"Authorization": f"Api-Key {site.key}", "Transfer-Encoding": "chunked"}
    with connect(site) as client:
        client.sendall(request("POST", path.format(board=quiz.board()), headers, chunks + b"0\r\n\r\n"))
        (answer,) = responses(client, 1)

    assert answer.status in (200, 202)


@pytest.mark.parametrize("path", ["/v1/leaderboards/{board}/top", "/healthz"])
def test_http_1_0_is_answered_and_the_connection_closed(site: RunningSite, quiz: Quiz, path: str) -> None:
    with connect(site) as client:
        client.sendall(request("GET", path.format(board=quiz.board()), {}, version="1.0"))
        received = b"".join(iter(lambda: client.recv(65536), b""))

    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 200")
    assert json.loads(body)


@pytest.mark.parametrize("path", ["/v1/leaderboards/{board}/top", "/healthz"])
def test_head_has_the_headers_of_get_and_no_body(site: RunningSite, quiz: Quiz, path: str) -> None:
    with connect(site) as client:
        client.sendall(request("HEAD", path.format(board=quiz.board()), {"Connection": "close"}))
        received = b"".join(iter(lambda: client.recv(65536), b""))

    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert b"content-type: application/json" in head
    assert body == b""


@pytest.mark.parametrize("path", ["/v1/scores", "/v1/scores/batch", "/v1/leaderboards/{board}/friends"])
def test_a_body_above_2_mib_is_refused_and_its_sender_hears_it(site: RunningSite, quiz: Quiz, path: str) -> None:
    body = b" " * 3 * 1024 * 1024
    headers = {"Authorization": f"Api-Key {site.key}", "Content-Length": str(len(body))}
    with connect(site) as client:
        client.sendall(request("POST", path.format(board=quiz.board()), headers, body))
        (answer,) = responses(client, 1)

    assert (answer.status, code(answer.body)) == (413, "body_too_large")


def test_a_body_that_does_not_arrive_in_time_is_answered(impatient_site: RunningSite, quiz: Quiz, score: Score) -> None:
    answers = []
    for path in ("/v1/scores", "/v1/scores/batch", f"/v1/leaderboards/{quiz.board()}/friends"):
        with connect(impatient_site) as client:
            client.sendall(post(impatient_site, path, score)[:-5])
            answers += responses(client, 1)

    assert [(answer.status, code(answer.body)) for answer in answers] == [(408, "request_timeout")] * 3


def test_huge_headers_are_refused(site: RunningSite) -> None:
    with connect(site) as client:
        # The server may hang up before all is sent.
        with contextlib.suppress(OSError):
            client.sendall(request("GET", "/healthz", {"X-Huge": "x" * 1024 * 1024}))
        try:
            status = responses(client, 1)[0].status
        except OSError:
            status = None

    assert status in (None, 431)
    assert site.get("/healthz").status == 200


def test_a_thousand_idle_connections_and_half_requests_keep_nobody_out(
    site: RunningSite, quiz: Quiz, score: Score
) -> None:
    message = post(site, "/v1/scores", score)
    with contextlib.ExitStack() as idle:
        for number in range(IDLE_CONNECTIONS):
            client = idle.enter_context(connect(site))
            # Some say nothing, some begin a head, some a body.
            client.sendall((b"", message[:20], message[:-5])[number % 3])

        answers = [site.post("/v1/scores", quiz.score(player, 1)).status for player in range(10)]
        read = site.get(f"/v1/leaderboards/{quiz.board()}/top").status

    assert (answers, read) == ([202] * 10, 200)


def test_what_is_no_http_is_refused_and_harms_nobody(site: RunningSite) -> None:
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"\r\n" * 100, b"POST / HTTP/9.9\r\n\r\n"):
        with connect(site) as client:
            client.sendall(noise)

    assert site.get("/healthz").status == 200
