"""Seed, run the wanted parts, report."""

from argparse import Namespace
from collections.abc import Callable
from datetime import datetime

from django.core.management import call_command
from django.db import connection
from django_celery_beat.models import PeriodicTask
from rich.console import Console

from benchmarks import report
from benchmarks.apply import bench_apply
from benchmarks.corrections import bench_corrections
from benchmarks.figures import Results
from benchmarks.intake import bench_intake
from benchmarks.machine import machine_facts
from benchmarks.path import bench_path
from benchmarks.programs import running_site
from benchmarks.reads import bench_reads
from benchmarks.rebuild import ROUNDS, bench_readers, bench_rebuild
from benchmarks.seed import World, add_crowd, seed
from benchmarks.services import cpu_groups
from benchmarks.singles import bench_singles
from leaderboard_site.embedded.services import Service

WIDTH_IN_FILES = 140
OVER_HTTP = {"path", "singles", "corrections", "reads", "rebuild"}


def run_parts(wanted: Namespace, services: list[Service], now: datetime) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH_IN_FILES
    groups = cpu_groups(services)
    with console.status(f"seeding {wanted.players:,} players"):
        call_command("migrate", verbosity=0, interactive=False)
        call_command("install_schedule", verbosity=0, stdout=console.file)
        # A site that starts for the first time verifies all boards and takes a snapshot, in the middle of a measurement.
        PeriodicTask.objects.filter(name__in=["verify-every-night", "take-snapshots"]).update(enabled=False)
        world = seed(wanted.players, now)
    machine = machine_facts()
    parts: list[Results] = []

    def done(results: Results) -> None:
        report.show(results, console)
        parts.append(results)

    with console.status("measuring"):
        if "rebuild" in wanted.only:
            # First: the plain statement of intake leaves totals in disorder, since it knows nothing of their room.
            done(bench_rebuild(world.board_id, ROUNDS, groups))
        if "intake" in wanted.only:
            done(bench_intake(world, wanted.seconds, groups))
        if "apply" in wanted.only:
            done(bench_apply(world, wanted.seconds, groups))
        if OVER_HTTP & set(wanted.only):
            _over_http(wanted, world, groups, done)
        if "rebuild" in wanted.only and wanted.crowd:
            # Last: all else is measured with the players of the world alone.
            done(bench_rebuild(add_crowd(wanted.crowd), 1, groups))
    console.print(f"written to {report.write_json(machine, parts, now)}")
    connection.close()


def _over_http(wanted: Namespace, world: World, groups: dict[str, int], done: Callable[[Results], None]) -> None:
    with running_site() as (address, program_groups):
        groups = groups | program_groups
        if "path" in wanted.only:
            done(bench_path(world, wanted.seconds, wanted.pace, groups, address))
        if "singles" in wanted.only:
            done(bench_singles(world, wanted.seconds, groups, address))
        if "corrections" in wanted.only:
            done(bench_corrections(world, wanted.seconds, wanted.pace, groups, address))
        if "reads" in wanted.only:
            # Four kinds, each beside its yardstick.
            done(bench_reads(world, wanted.seconds / 2, groups, address))
        if "rebuild" in wanted.only:
            done(bench_readers(world, wanted.seconds / 2, groups, address))
