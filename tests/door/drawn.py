"""Requests drawn at random: good, bad and absurd, most of them to the hot calls. The same seed draws the same ones."""

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

PLAYERS = ["ann", "bob", "eve", "dan", "x" * 64]
BOARDS = [
    *["quiz:all:global"] * 12,
    "quiz:s1:global",
    "quiz:season:city:hyd",
    "quiz:day:global",
    "quiz%3Aall%3Acity%3Apune",
    "lap:all:global",
    "hidden:all:global",
    "quiz:over:global",
    "quiz:none:global",
    "quiz:all:city:",
    "quiz:all:clan:red",
    "quiz:day:2026-02-31:global",
    "nothing:all:global",
    "quiz",
    "%00",
    "qu%C3%AFz:all:global",
    "%FF:all:global",
    "quiz:all:global%2Fdeeper",
    "quiz:all:global%0A",
]
KEYS = [
    *["both"] * 20,
    "submit",
    "read",
    "quiz only",
    "limited",
    "revoked",
    "expired",
    "unknown",
    "bare",
    "basic",
    None,
]
NUMBERS = [
    "",
    "0",
    "1",
    "5",
    "50",
    "51",
    "100",
    "1000",
    "1001",
    "-1",
    "-0",
    "007",
    "1e3",
    "٣",
    "9" * 30,
    "5.5",
    "a",
    "%00",
]
QUERY_NAMES = ["n", "offset", "around", "expect", "results", "N", "%6E", "format", ""]


class Drawn(NamedTuple):
    """A request, and which key it is to carry (None: none)."""

    method: str
    target: bytes
    key: str | None
    headers: list[tuple[bytes, bytes]]
    body: list[bytes]


class Draw:
    def __init__(self, seed: int, boards: Iterable[str] = BOARDS) -> None:
        self._rng = random.Random(seed)
        self._boards = list(boards)

    def requests(self, count: int) -> list[Drawn]:
        return [self._request() for _ in range(count)]

    def _request(self) -> Drawn:
        kinds = [(self._single, 6), (self._batch, 3), (self._read, 8), (self._ranks, 3), (self._other, 2)]
        (kind,) = self._rng.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])
        method, target, body = kind()
        if self._rng.random() < 0.06:
            method = self._rng.choice(["GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "BREW"])
        return Drawn(method, target.encode(), self._one(KEYS), self._headers(), self._chunks(body))

    def _one(self, values: Iterable[Any]) -> Any:
        return self._rng.choice(list(values))

    def _single(self) -> tuple[str, str, bytes]:
        return "POST", self._path("/v1/scores"), self._json(self._score())

    def _batch(self) -> tuple[str, str, bytes]:
        scores = [self._score() for _ in range(self._rng.randrange(6))]
        body: Any = self._one([{"scores": scores}] * 12 + [{"scores": None}, {}, scores, {"scores": [None, 5, {}]}])
        return "POST", self._path("/v1/scores/batch", self._one(["", "", "?results=rejected"])), self._json(body)

    def _read(self) -> tuple[str, str, bytes]:
        what = self._one(["top", "top", f"players/{self._player()}", f"players/{self._player()}"])
        return "GET", self._path(f"/v1/leaderboards/{self._one(self._boards)}/{what}", self._query()), b""

    def _ranks(self) -> tuple[str, str, bytes]:
        players = [self._player() for _ in range(self._rng.randrange(5))]
        bodies: list[Any] = [{"player_ids": players}] * 10
        bodies += [{}, {"player_ids": None}, {"player_ids": ["ann"] * 1001}, {"player_ids": [""]}, {"player_ids": [1]}]
        path = self._path(f"/v1/leaderboards/{self._one(self._boards)}/ranks", self._query())
        return "POST", path, self._json(self._one(bodies))

    def _other(self) -> tuple[str, str, bytes]:
        paths = [
            "/",
            "/v1",
            "/v1/",
            "/v1/leaderboards",
            f"/v1/leaderboards/{self._one(self._boards)}",
            "/v1/players/ann",
            "/healthz",
        ]
        paths += [
            "/v1/leaderboards/quiz:all:global/friends",
            "/admin/nothing",
            "/v1/scores/",
            "//v1/scores",
            "/v1/scores/batch/",
        ]
        paths += [
            "/v1/leaderboards//top",
            "/v1/leaderboards/quiz:all:global/top/",
            "/v1/leaderboards/a/players/",
            "/v1/Scores",
            "/%",
        ]
        body = self._one([b"", b"{}", b'{"player_id":"ann","friend_ids":["bob"]}'])
        return self._one(["GET", "POST"]), self._path(self._one(paths), self._query()), body

    def _path(self, path: str, query: str = "") -> str:
        if self._rng.random() < 0.03:
            path = self._one(
                [path + "/", path.upper(), path.replace("/", "//", 1), path + "%20", path.replace("v1", "v2")]
            )
        return path + query

    def _player(self) -> str:
        return str(self._one([*PLAYERS * 4, "nobody", "", "a b", "ä", "x" * 65, "a/b", "%2E%2E"]))

    def _query(self) -> str:
        if self._rng.random() < 0.7:
            return ""
        pairs = [f"{self._one(QUERY_NAMES)}={self._one(NUMBERS)}" for _ in range(self._rng.randrange(1, 4))]
        pairs += self._one([[], [], [], ["n"], ["&&"], ["n=%FF"], ["x=" + "y" * 3000], ["a=1"] * 1100])
        return "?" + "&".join(pairs)

    def _score(self) -> Any:
        score: dict[str, Any] = {
            "leaderboard": self._one(["quiz", "quiz", "quiz", "lap", "nothing", "hidden"]),
            "player_id": self._one(PLAYERS),
            "match_id": f"m{self._rng.randrange(12)}",
            "points": self._one([0, 1, 10, 10, 10, 25]),
        }
        if self._rng.random() < 0.3:
            name, values = self._one(
                {
                    "points": ["NaN", -1, 10**6, 10**30, "10", 1.5, None, True],
                    "player_id": [None, "", "a b", "x" * 65, 5],
                    "match_id": [None, "", "ä", [], "y" * 64],
                    "name": ["Ann", "", "n" * 65, "line\u2028break", "\ud800", 5, "Ö. O'Neil"],
                    "segments": [{"city": "hyd"}, {"city": "pune"}, {"City": "x"}, {"city": None}, {"city": "a b"}, []],
                    "occurred_at": ["2026-10-19T20:15:00", "2999-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", 0, "x"],
                    "leaderboard": [None, 5, "\ud800", "q" * 200, "l'eau"],
                    "details": [{"a": 1}, {"a": "x" * 2000}, [], {"a": "\u0000"}],
                    "unknown": [1, None],
                }.items()
            )
            score[name] = self._one(values)
        if self._rng.random() < 0.05:
            score.pop(self._one(list(score)))
        return score

    def _json(self, document: Any) -> bytes:
        body = json.dumps(document, ensure_ascii=self._rng.random() < 0.5).encode(errors="surrogatepass")
        broken = [
            b"",
            b"{",
            b"\xff",
            body[:-1],
            body + b"x",
            b"[" * 200_000,
            body.replace(b'"', b"'"),
            b"\xef\xbb\xbf" + body,
        ]
        broken += [body + b" " * (2 * 1024 * 1024 - len(body)), body + b" " * 2 * 1024 * 1024, b" " * 3 * 1024 * 1024]
        return self._one(broken) if self._rng.random() < 0.12 else body

    def _headers(self) -> list[tuple[bytes, bytes]]:
        host = self._one(
            [b"localhost"] * 60 + [b"localhost:8000", b"LOCALHOST", b"example.com", b"", b"[::1]:80", b"a b", None]
        )
        headers = [] if host is None else [(b"host", host)]
        drawn: dict[bytes, list[bytes]] = {
            b"accept": [
                b"*/*",
                b"application/json",
                b"text/html",
                b"application/json; indent=4",
                b"text/html, */*;q=0.1",
                b"",
            ],
            b"content-type": [
                b"application/json",
                b"text/plain",
                b"multipart/form-data",
                b"application/json; charset=latin-1",
            ],
            b"if-none-match": [b"*", b"*", b"*", b'W/"abc"', b'"abc", "def"', b"abc", b"\xff"],
            b"user-agent": [b"curl/8", b"\xff\xfe"],
            b"x-forwarded-host": [b"example.com"],
            b"x_underscored": [b"1"],
            b"cookie": [b"sessionid=abc", b"a=b; c"],
            b"content-encoding": [b"gzip"],
            b"x-http-method-override": [b"DELETE"],
        }
        headers += [(name, self._one(values)) for name, values in drawn.items() if self._rng.random() < 0.06]
        if self._rng.random() < 0.03:
            headers.append((b"accept", b"*/*"))
        return headers

    def _chunks(self, body: bytes) -> list[bytes]:
        """The body in one piece, or cut as a network may cut it."""
        if self._rng.random() < 0.7 or len(body) < 2:
            return [body]
        cuts = sorted(self._rng.randrange(len(body)) for _ in range(self._rng.randrange(1, 4)))
        return [body[first:last] for first, last in zip([0, *cuts], [*cuts, len(body)], strict=True)]
