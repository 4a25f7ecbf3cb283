"""Load generator: posts scores one by one. `python -m benchmarks.load_singles JOB`, see `benchmarks.jobs`."""

import random
import sys
from collections.abc import Iterator

import msgspec

from benchmarks.closed_loop import run_closed_loop
from benchmarks.jobs import ReadReport, SinglesJob, own_cpu_seconds
from leaderboard_site.simulation.contract import Score
from leaderboard_site.simulation.http_parsing import encode_request
from leaderboard_site.simulation.night import POINTS, RIGHT_SHARE
from leaderboard_site.simulation.players import Population

PLACEHOLDER = "#######"
"""In place of a match's number: as long, so that each request's length is known before."""

MESSAGES = 20_000


def messages_of(job: SinglesJob) -> Iterator[bytes]:
    """Without end: random players, each time in a match of their own, four of five answers right."""
    rng = random.Random(0)  # noqa: S311 - the same order in every run
    people = Population(job.players)
    templates = []
    for _ in range(MESSAGES):
        points = POINTS if rng.random() < RIGHT_SHARE else 0
        player_id = people.player_id(rng.randrange(people.count))
        score = Score(job.leaderboard, player_id, f"{job.match_prefix}-{PLACEHOLDER}", points)
        headers = {"Authorization": f"Api-Key {job.key}"}
        body = msgspec.json.encode(score)
        message = encode_request("POST", "/v1/scores", job.url.rpartition("/")[2], headers, body)
        templates.append(message.partition(PLACEHOLDER.encode()))
    number = 0
    while True:
        for before, _, after in templates:
            number += 1
            yield b"%s%07d%s" % (before, number, after)


def main() -> None:
    job = msgspec.json.decode(sys.argv[1], type=SinglesJob)
    messages = messages_of(job)
    # The templates are made before the clock starts.
    next(messages)
    cpu_before = own_cpu_seconds()
    measured = run_closed_loop(job.url, job.connections, messages, job.seconds, status=202)
    report = ReadReport.of(measured, own_cpu_seconds() - cpu_before)
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
