"""The table at the end of a night."""

from collections.abc import Sequence

from rich.table import Table

from leaderboard_site.simulation.measures import Tally, quantile
from leaderboard_site.simulation.sums import Sums


def night_table(match_prefix: str, tally: Tally, sums: Sums) -> Table:
    table = Table(title=match_prefix, show_header=False, title_justify="left")
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, value in rows(tally, sums):
        table.add_row(name, value)
    return table


def rows(tally: Tally, sums: Sums) -> list[tuple[str, str]]:
    """Name and value, as shown."""
    reads_a_second = len(tally.read_after) / tally.reading_seconds if tally.reading_seconds else 0.0
    points = (
        f"{sums.ledger:,} = {sums.totals:,} = {sums.board:,}"
        if sums.agree
        else (f"{sums.ledger:,} / {sums.totals:,} / {sums.board:,}  THEY DIFFER")
    )
    return [
        ("events sent", f"{tally.sent:,}"),
        ("accepted", f"{tally.accepted:,}"),
        ("duplicates", f"{tally.duplicates:,}"),
        ("rejected", f"{tally.rejected:,}"),
        *((f"  {code}", f"{count:,}") for code, count in tally.rejected_codes.most_common(5)),
        ("requests repeated", f"{tally.repeated_requests:,}"),
        ("of this night in the ledger", f"{sums.night_events:,} events, {sums.night_points:,} points"),
        ("points in ledger = totals = board", points),
        ("from 202 to visible, median / p99", _milliseconds(tally.visible_after)),
        *([("never became visible", f"{tally.never_visible:,}")] if tally.never_visible else []),
        ("rank reads a second", f"{reads_a_second:,.0f}"),
        ("rank read, median / p99", _milliseconds(tally.read_after)),
    ]


def _milliseconds(seconds: Sequence[float]) -> str:
    median, p99 = quantile(seconds, 0.5), quantile(seconds, 0.99)
    if median is None or p99 is None:
        return "none"
    return f"{median * 1000:,.1f} / {p99 * 1000:,.1f} ms of {len(seconds):,}"
