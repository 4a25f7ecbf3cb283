"""HTTP by hand, for what no client library would send."""

import json
import socket
from collections.abc import Mapping
from typing import Any

from leaderboard_site.simulation.http_parsing import Response, ResponseParser
from tests.faults.keeper import HOST
from tests.faults.running_site import RunningSite

TIMEOUT_SECONDS = 30.0


def connect(site: RunningSite) -> socket.socket:
    return socket.create_connection((HOST, site.port), timeout=TIMEOUT_SECONDS)


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"", version: str = "1.1") -> bytes:
    lines = [
        f"{method} {path} HTTP/{version}",
        "Host: localhost",
        *(f"{name}: {text}" for name, text in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def post(site: RunningSite, path: str, document: Any) -> bytes:
    """A POST with the site's key and its length, as a client library would send it."""
    body = json.dumps(document).encode()
    headers = {"Authorization": f"Api-Key {site.key}", "Content-Length": str(len(body))}
    return request("POST", path, headers, body)


def responses(connection: socket.socket, count: int) -> list[Response]:
    """The next responses on the connection. ConnectionError if it ends before."""
    parser = ResponseParser()
    found: list[Response] = []
    data = b""
    while len(found) < count:
        response = parser.feed(data)
        if response is not None:
            found.append(response)
            data = b""
            continue
        data = connection.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
    return found
