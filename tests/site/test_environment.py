"""The environment: read once, typed, and refused with one sentence."""

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from leaderboard_site.environment import PROJECT_DIRECTORY, Environment, read_environment
from leaderboard_site.environment_table import environment_table
from leaderboard_site.variables import WrongEnvironment, description_of, name_of

GOOD_DATABASE_URL = "postgresql://user:secret@host:5432/leaderboard"


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for declared in fields(Environment):
        monkeypatch.delenv(name_of(declared), raising=False)


def test_defaults_need_no_environment() -> None:
    environment = read_environment()

    assert environment == Environment()
    assert environment.data_directory == PROJECT_DIRECTORY / ".data"


@pytest.mark.parametrize(
    ("cores", "environment", "processes", "batches"),
    [
        (2, Environment(), 1, 2),
        (2, Environment(web_workers=2), 2, 1),
        (2, Environment(front_door=False), 2, 1),
        (16, Environment(), 8, 2),
        (16, Environment(web_workers=16), 16, 1),
        (1, Environment(), 1, 1),
        (1, Environment(front_door=False), 1, 1),
    ],
)
def test_web_processes_leave_half_of_the_cores_to_what_is_behind_the_door(
    monkeypatch: pytest.MonkeyPatch, cores: int, environment: Environment, processes: int, batches: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(cores), raising=False)

    assert (environment.web_processes, environment.batches_together) == (processes, batches)


def test_every_example_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    for declared in fields(Environment):
        monkeypatch.setenv(name_of(declared), description_of(declared).example)

    environment = read_environment()

    assert environment.database_url == GOOD_DATABASE_URL.replace("secret", "password")
    assert environment.allowed_hosts == ("scores.example.com", "localhost")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("PORT", "eighty", "is not a whole number"),
        ("PORT", "0", "must be at least 1"),
        ("DEBUG", "perhaps", "is not true or false"),
        ("REDIS_TIMEOUT_SECONDS", "soon", "is not a number"),
        ("REDIS_TIMEOUT_SECONDS", "nan", "is not a number"),
        ("REDIS_TIMEOUT_SECONDS", "0", "must be at least 0.05"),
        ("OUTBOX_LEASE_SECONDS", "-5", "must be at least 1"),
        ("LOG_LEVEL", "LOUD", "must be one of DEBUG, INFO, WARNING, ERROR"),
        ("DATABASE_URL", "mysql://host/db", "must be a URL that starts with postgresql://"),
        ("REDIS_URL", "localhost:6379", "must be a URL that starts with redis://"),
        ("REDIS_URL", "redis://host:port", "must be a URL that starts with redis://"),
    ],
)
def test_a_wrong_value_names_variable_problem_and_example(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(WrongEnvironment) as caught:
        read_environment()

    sentence = str(caught.value)
    assert sentence.startswith(f"{name} {problem}")
    assert f"for example {name}=" in sentence


def test_a_password_is_not_repeated_in_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://user:hunter2@host/db")

    with pytest.raises(WrongEnvironment) as caught:
        read_environment()

    assert "hunter2" not in str(caught.value)


def test_an_empty_value_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")

    assert read_environment().port == Environment.port


def test_own_database_wants_own_secret_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", GOOD_DATABASE_URL)

    with pytest.raises(WrongEnvironment, match="SECRET_KEY must be set when DATABASE_URL is"):
        read_environment()


def test_a_redis_cluster_wants_another_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis+cluster://host:6379")

    with pytest.raises(WrongEnvironment, match="CELERY_BROKER_URL must be set"):
        read_environment()


def test_the_pool_can_not_be_smaller_than_its_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_POOL_MIN", "9")

    with pytest.raises(WrongEnvironment, match="DATABASE_POOL_MAX must not be below"):
        read_environment()


def test_the_process_environment_beats_the_env_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    env_file = tmp_path / "env"
    env_file.write_text("PORT=1111\nWEB_THREADS=7\n")
    monkeypatch.setenv("ENV_FILE", str(env_file))
    monkeypatch.setenv("PORT", "2222")

    environment = read_environment()

    assert (environment.port, environment.web_threads) == (2222, 7)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["manage.py", "check"], ["-m", "celery", "-A", "leaderboard_site", "report"]])
def test_a_wrong_value_stops_every_program_with_one_line(command: list[str]) -> None:
    started = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PORT": "eighty"},
        cwd=PROJECT_DIRECTORY,
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.returncode == 2
    assert started.stderr == "PORT is not a whole number, for example PORT=8000\n"
    assert started.stdout == ""


def test_the_readme_shows_the_declared_variables() -> None:
    assert environment_table() in (PROJECT_DIRECTORY / "README.md").read_text()


def test_the_env_example_names_only_declared_variables() -> None:
    names = {name_of(declared) for declared in fields(Environment)}
    lines = (PROJECT_DIRECTORY / ".env.example").read_text().splitlines()
    shown = {line.lstrip("# ").split("=")[0] for line in lines if "=" in line}

    assert shown
    assert shown <= names
