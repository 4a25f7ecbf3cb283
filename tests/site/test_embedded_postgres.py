"""The embedded PostgreSQL: starts anywhere, keeps its data, clears a leftover away."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from leaderboard_site.embedded import places
from leaderboard_site.embedded.ownership import open_way_to
from leaderboard_site.embedded.postgres import EmbeddedPostgres

pytestmark = pytest.mark.slow


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(tmp_path, durable=True)
    server.start()
    yield server
    server.stop()


def run(data_directory: Path, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(places.database_url(data_directory), autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_it_keeps_its_data_over_a_restart(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    run(tmp_path, "CREATE TABLE kept AS SELECT 7 AS number")

    postgres.stop()
    postgres.start()

    assert run(tmp_path, "SELECT number FROM kept") == [(7,)]


def test_it_is_durable_when_asked_to(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert run(tmp_path, f"SHOW {name}") == [("on",)]
    assert run(tmp_path, "SHOW listen_addresses") == [("",)]


@pytest.mark.usefixtures("postgres")
def test_a_leftover_is_replaced(tmp_path: Path) -> None:
    pid_file = places.postgres_directory(tmp_path) / "postmaster.pid"
    leftover = psutil.Process(int(pid_file.read_text().split()[0]))
    run(tmp_path, "CREATE TABLE kept AS SELECT 7 AS number")

    successor = EmbeddedPostgres(tmp_path, durable=False)
    successor.start()
    try:
        assert not leftover.is_running() or leftover.status() == psutil.STATUS_ZOMBIE
        assert run(tmp_path, "SELECT number FROM kept") == [(7,)]
        assert run(tmp_path, "SHOW fsync") == [("off",)]
    finally:
        successor.stop()


def test_after_a_crash_the_stale_pid_file_does_not_matter(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    assert postgres.process is not None
    run(tmp_path, "CREATE TABLE kept AS SELECT 7 AS number")
    postgres.process.kill()
    postgres.process.wait()

    postgres.start()

    assert run(tmp_path, "SELECT number FROM kept") == [(7,)]


def test_a_half_made_cluster_is_made_anew(tmp_path: Path) -> None:
    unfinished = tmp_path / "postgres.new"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    server = EmbeddedPostgres(tmp_path, durable=False)

    server.start()
    try:
        assert run(tmp_path, "SELECT 1") == [(1,)]
    finally:
        server.stop()


def test_a_path_too_long_for_a_socket_works(tmp_path: Path) -> None:
    deep = tmp_path / "with a space" / ("d" * 100)
    server = EmbeddedPostgres(deep, durable=False)

    server.start()
    try:
        assert run(deep, "SELECT 1") == [(1,)]
        assert len(str(server.sockets)) < places.LONGEST_SOCKET_PATH
    finally:
        server.stop()
    assert not server.sockets.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL runs as somebody else")
def test_below_a_closed_directory_only_passing_through_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    server = EmbeddedPostgres(closed / "data", durable=False)

    server.start()
    try:
        assert run(closed / "data", "SELECT 1") == [(1,)]
    finally:
        server.stop()

    assert stat.S_IMODE(closed.stat().st_mode) == 0o701
    assert f"opened {closed} for passing through" in capsys.readouterr().err


def test_an_open_way_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = tmp_path / "open"
    inner.mkdir(mode=0o755)
    open_way_to(inner / "target")
    capsys.readouterr()

    open_way_to(inner / "target")

    assert capsys.readouterr().err == ""
    assert stat.S_IMODE(inner.stat().st_mode) == 0o755
