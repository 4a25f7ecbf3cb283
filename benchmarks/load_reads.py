"""Load generator: reads boards. `python -m benchmarks.load_reads JOB`, see `benchmarks.jobs`."""

import itertools
import random
import sys
from collections.abc import Iterator

import msgspec

from benchmarks.closed_loop import run_closed_loop
from benchmarks.jobs import ReadJob, ReadReport, own_cpu_seconds
from leaderboard_site.simulation.http_parsing import encode_request
from leaderboard_site.simulation.players import Population

MESSAGES = 20_000
"""Requests are encoded before the clock starts; players among them are random."""

MESSAGES_WITH_BODY = 100


def messages_of(job: ReadJob) -> Iterator[bytes]:
    """The job's requests, over and over."""
    rng = random.Random(0)  # noqa: S311 - the same players in every run
    people = Population(job.players)
    headers = {"Authorization": f"Api-Key {job.key}"} if job.key else {}

    def player() -> str:
        return people.player_id(rng.randrange(people.count))

    def message() -> bytes:
        body = b""
        if job.players_in_body:
            body = msgspec.json.encode({"player_ids": [player() for _ in range(job.players_in_body)]})
        target = job.target.replace("<player>", player())
        return encode_request(job.method, target, job.url.rpartition("/")[2], headers, body)

    count = MESSAGES_WITH_BODY if job.players_in_body else MESSAGES
    return itertools.cycle([message() for _ in range(count)])


def main() -> None:
    job = msgspec.json.decode(sys.argv[1], type=ReadJob)
    messages = messages_of(job)
    cpu_before = own_cpu_seconds()
    measured = run_closed_loop(
        job.url, job.connections, messages, job.seconds, status=200, requests_a_second=job.requests_a_second
    )
    report = ReadReport.of(measured, own_cpu_seconds() - cpu_before)
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
