"""The yardstick of HTTP: a WSGI callable that reads the body and answers `status` and `size` bytes. Nothing else.

`/202/60` answers 202 with 60 bytes.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    environ["wsgi.input"].read()
    _, status, size = environ["PATH_INFO"].split("/")
    headers = [("Content-Type", "application/json"), ("Content-Length", size)]
    start_response(f"{status} {HTTPStatus(int(status)).phrase}", headers)
    return [b" " * int(size)]
