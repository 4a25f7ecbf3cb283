"""What the load generator is asked to do and what it reports; JSON between the processes."""

import resource
import subprocess
import sys
from typing import Self, TypeVar

import msgspec

from benchmarks.closed_loop import Measured
from leaderboard_site.simulation.measures import quantile


class PostJob(msgspec.Struct, kw_only=True):
    """Post batches. `events_a_second` of 0: as fast as answers come. `watched_board`: empty for none."""

    url: str
    key: str = ""
    target: str = "/v1/scores/batch?results=rejected"
    leaderboard: str
    players: int
    batch_size: int
    match_prefix: str
    connections: int
    seconds: float
    events_a_second: float = 0.0
    watched_board: str = ""


class PostReport(msgspec.Struct, kw_only=True):
    """Times in milliseconds. `visible_*`: from a 202 until a read shows its total, of the players watched."""

    accepted: int
    seconds: float
    cpu_seconds: float
    post_p50: float
    post_p99: float
    watched: int = 0
    never_visible: int = 0
    visible_p50: float = 0.0
    visible_p99: float = 0.0


class ReadJob(msgspec.Struct, kw_only=True):
    """Send these requests over and over. Each target and body may hold `<player>`, filled in at random.

    `requests_a_second` of 0: as fast as answers come.
    """

    url: str
    key: str = ""
    method: str = "GET"
    target: str
    players_in_body: int = 0
    players: int
    connections: int
    seconds: float
    requests_a_second: float = 0.0


class SinglesJob(msgspec.Struct, kw_only=True):
    """Post scores one by one, as fast as answers come."""

    url: str
    key: str
    leaderboard: str
    players: int
    match_prefix: str
    connections: int
    seconds: float


class ReadReport(msgspec.Struct, kw_only=True):
    """Latencies in milliseconds. `body_bytes`: mean length of the answers' bodies."""

    requests: int
    seconds: float
    cpu_seconds: float
    p50: float
    p99: float
    body_bytes: float

    @classmethod
    def of(cls, measured: Measured, cpu_seconds: float) -> Self:
        requests = len(measured.after)
        return cls(
            requests=requests,
            seconds=measured.seconds,
            cpu_seconds=cpu_seconds,
            p50=(quantile(measured.after, 0.5) or 0.0) * 1000,
            p99=(quantile(measured.after, 0.99) or 0.0) * 1000,
            body_bytes=measured.body_bytes / max(requests, 1),
        )


class CorrectJob(msgspec.Struct, kw_only=True):
    """Bonuses, voids of `match_id` for one player, flags and unflags, by turns, for players of `board`."""

    url: str
    key: str
    leaderboard: str
    board: str
    match_id: str
    players: int
    corrections_a_second: float
    seconds: float


class CorrectReport(msgspec.Struct, kw_only=True):
    """Times in milliseconds. `visible_*`: from the 202 of a flag or unflag until a read shows it."""

    corrections: int
    accepted_p99: float
    visible_p50: float
    visible_p99: float
    never_visible: int


R = TypeVar("R", PostReport, ReadReport, CorrectReport)


def run_job(module: str, job: PostJob | SinglesJob | ReadJob | CorrectJob, report: type[R]) -> R:
    """Run the job in a process of its own, so that generator and measured code share no interpreter."""
    command = [sys.executable, "-m", module, msgspec.json.encode(job).decode()]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return msgspec.json.decode(output, type=report)


def own_cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
