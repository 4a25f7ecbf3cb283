"""The HTTP client of a game server that does not give up when the site does."""

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any

BROKEN = 0
"""In place of a status: no answer, the connection broke or could not be made."""

TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    """By name in lower case."""
    body: Any
    seconds: float


class HttpClient:
    """One connection, kept open while that goes well."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
        self._headers = {"Authorization": f"Api-Key {key}", "Content-Type": "application/json", "Host": "localhost"}

    def close(self) -> None:
        self._connection.close()

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, None)

    def post(self, path: str, body: Any) -> Answer:
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None) -> Answer:
        asked_at = time.monotonic()
        try:
            self._connection.request(method, path, body, self._headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return Answer(BROKEN, {}, repr(error), time.monotonic() - asked_at)
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, headers, json.loads(content), time.monotonic() - asked_at)
