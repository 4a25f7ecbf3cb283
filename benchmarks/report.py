"""Results as tables and as JSON."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.figures import CpuUse, Figure, Results

RESULTS_DIRECTORY = Path(__file__).parent / "results"


def show(results: Results, console: Console) -> None:
    table = Table(title=results.part, title_justify="left")
    table.add_column("figure")
    table.add_column("measured", justify="right")
    table.add_column("goal")
    table.add_column("yardstick", justify="right")
    table.add_column("ratio", justify="right")
    for figure in results.figures:
        table.add_row(*_cells(figure))
    console.print(table)
    for use in results.cpu:
        console.print(cpu_line(use), style="dim", highlight=False)
    for note in results.notes:
        console.print(note, style="dim", highlight=False)
    console.print()


def cpu_line(use: CpuUse) -> str:
    groups = ", ".join(f"{group} {seconds:.1f}" for group, seconds in use.by_group.items())
    return f"CPU seconds in {use.seconds:.0f} s, {use.what}: {groups}"


def _cells(figure: Figure) -> list[str]:
    met = {None: "", True: "[green]met[/] ", False: "[red]missed[/] "}[figure.is_met]
    yardstick = figure.yardstick
    return [
        figure.name,
        f"{_number(figure.value)} {figure.unit}",
        f"{met}{figure.goal or ''}",
        f"{_number(yardstick.value)}  [dim]{yardstick.name}[/]" if yardstick else "",
        f"{figure.ratio:.2f}" if figure.ratio is not None else "",
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"


def write_json(machine: dict[str, Any], parts: list[Results], at: datetime) -> Path:
    """`benchmarks/results/20261019T201500Z.json`."""
    RESULTS_DIRECTORY.mkdir(exist_ok=True)
    file = RESULTS_DIRECTORY / f"{at:%Y%m%dT%H%M%SZ}.json"
    document = {"at": at.isoformat(), "machine": machine, "parts": [results.as_dict() for results in parts]}
    file.write_text(json.dumps(document, indent=2) + "\n")
    return file
