"""The embedded Redis: a clean stop keeps the boards, a crash leaves nothing old behind."""

import signal
from pathlib import Path

import pytest

from leaderboard_site.embedded import redis as embedded_redis
from leaderboard_site.embedded.errors import ServiceFailed
from leaderboard_site.embedded.redis import EmbeddedRedis

pytestmark = pytest.mark.slow


def test_a_clean_stop_keeps_the_data(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path, "boards", kept=True)
    server.start()
    with server.client() as client:
        client.zadd("lb:quiz:all:global", {"you": 10})
    server.stop()

    server.start()
    with server.client() as client:
        score = client.zscore("lb:quiz:all:global", "you")
    server.stop()

    assert score == 10


def test_a_crash_brings_back_nothing_rather_than_something_old(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path, "boards", kept=True)
    server.start()
    with server.client() as client:
        client.set("old", 1)
    server.stop()
    server.start()
    assert server.process is not None
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()

    server.start()
    with server.client() as client:
        count = client.dbsize()
    server.stop()

    assert count == 0


def test_what_is_not_kept_is_gone_after_a_stop(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path, "broker", kept=False)
    server.start()
    with server.client() as client:
        client.set("message", 1)
    server.stop()
    server.start()
    with server.client() as client:
        count = client.dbsize()
    server.stop()

    assert count == 0


def test_a_leftover_is_replaced_and_its_data_taken_over(tmp_path: Path) -> None:
    leftover = EmbeddedRedis(tmp_path, "boards", kept=True)
    leftover.start()
    assert leftover.process is not None
    with leftover.client() as client:
        client.set("kept", 1)

    successor = EmbeddedRedis(tmp_path, "boards", kept=True)
    successor.start()
    try:
        assert leftover.process.wait(5) == 0
        with successor.client() as client:
            assert client.get("kept") == b"1"
    finally:
        successor.stop()


def test_it_refuses_a_write_rather_than_drop_a_board(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path, "boards", kept=True)
    server.start()
    with server.client() as client:
        settings = client.config_get("maxmemory-policy", "lazyfree-lazy-server-del", "port")
    server.stop()

    assert settings == {"maxmemory-policy": "noeviction", "lazyfree-lazy-server-del": "yes", "port": "0"}


def test_the_wheels_redis_serves_where_path_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    server = EmbeddedRedis(tmp_path, "boards", kept=True)

    server.start()
    with server.client() as client:
        version = client.info("server")["redis_version"]
    server.stop()

    assert version.startswith("6.2")


def test_a_server_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_redis, "redis_conf", lambda *_: "no-such-option yes\n")

    with pytest.raises(ServiceFailed, match="no-such-option"):
        EmbeddedRedis(tmp_path, "boards", kept=True).start()
