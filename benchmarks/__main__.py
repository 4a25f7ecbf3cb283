"""``python -m benchmarks``: what `make bench` runs."""

import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

import django

from benchmarks.services import services_for_benchmarks
from leaderboard_site.embedded.errors import ServiceFailed

PARTS = ("intake", "apply", "path", "corrections", "singles", "reads", "rebuild")


def parts(text: str) -> list[str]:
    wanted = text.split(",")
    if not set(wanted) <= set(PARTS):
        raise ValueError
    return wanted


def parse(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", type=parts, default=list(PARTS), help=f"of {','.join(PARTS)}; default: all")
    parser.add_argument("--players", type=int, default=300_000)
    parser.add_argument("--seconds", type=float, default=20.0, help="length of a measured run; default: %(default)s")
    parser.add_argument(
        "--pace",
        type=float,
        # A little above the goal: a run ends with the last answer, not with the last post.
        default=25_600,
        help="events/s offered in the paced run of path; default: %(default)s",
    )
    parser.add_argument(
        "--crowd",
        type=int,
        default=3_000_000,
        help="players of the large board that is rebuilt, twice; 0 for none; default: %(default)s, which takes two minutes",
    )
    parser.add_argument("--data-dir", type=Path, help="on which disk; default: where temporary files go")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> None:
    wanted = parse(arguments)
    with services_for_benchmarks(wanted.data_dir) as services:
        django.setup()
        # Models can be imported only now: the settings name the services just started.
        from benchmarks.run import run_parts

        run_parts(wanted, services, datetime.now(UTC))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ServiceFailed as error:
        raise SystemExit(str(error)) from None
