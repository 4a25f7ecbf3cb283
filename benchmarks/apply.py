"""(b) Apply alone: outbox events to boards, the reading of the rows and the marking included, against pipelined ZADD GT.

By turns, with the same entries, on equal boards. Medians of the rounds.
"""

import itertools
import statistics
import time

from django.db import connection
from django.utils import timezone

from benchmarks.bodies import Bodies
from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.intake import BATCH_SIZE, accept
from benchmarks.seed import SLUG, World
from benchmarks.yardsticks import Entry, PlainZadd
from boards.apply import apply_events
from boards.keys import board_keys
from scoring.models import OutboxEvent
from scoring.totals import load_period

BATCHES_A_PORTION = 4
PORTIONS_A_ROUND = 2
"""A portion is what a relay sends to a worker at once: 2,000 players."""

TOTALS = """
SELECT p.player_id, p.segments->>'city', t.period_id, t.points, t.accept_no
FROM scoring_total t
JOIN scoring_player p ON p.id = t.player_id
WHERE t.period_id = ANY(%s) AND t.player_id = ANY(%s)
"""

WARM_UP_ROUNDS = 1
LEAST_ROUNDS = 3


def bench_apply(world: World, seconds: float, groups: dict[str, int]) -> Results:
    results = Results("(b) apply alone: rows of 6 boards a player, one process")
    bodies = Bodies(world.people, SLUG, BATCH_SIZE, "apply")
    plain = PlainZadd(_all_board_keys(world))
    ours: list[float] = []
    zadd: list[float] = []
    deadline = time.monotonic() + seconds
    with cpu_measured(results, "intake (not timed), apply and ZADD by turns", groups):
        for round_number in itertools.count():
            if round_number >= WARM_UP_ROUNDS + LEAST_ROUNDS and time.monotonic() > deadline:
                break
            portions, entries = _prepare(world, bodies, round_number)
            players = len(entries)
            started_at = time.perf_counter()
            for portion in portions:
                apply_events(portion, timezone.now)
            ours.append(players / (time.perf_counter() - started_at))
            started_at = time.perf_counter()
            plain.write(entries)
            zadd.append(players / (time.perf_counter() - started_at))
    plain.delete_copies()
    yardstick = Yardstick("pipelined ZADD GT", statistics.median(zadd[WARM_UP_ROUNDS:]))
    value = statistics.median(ours[WARM_UP_ROUNDS:])
    results.figures = [
        Figure("apply_events, portions of 2,000", value, "players/s", Goal(GoalKind.RATIO, 0.4), yardstick)
    ]
    return results


def _prepare(world: World, bodies: Bodies, round_number: int) -> tuple[list[list[int]], list[list[Entry]]]:
    """Outbox events of new scores, in portions, and the entries that applying them will write, by player."""
    size = BATCHES_A_PORTION * PORTIONS_A_ROUND
    newest = OutboxEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0
    for index in range(round_number * size, (round_number + 1) * size):
        accept(world, bodies.body(index), with_totals=False)
    events = list(OutboxEvent.objects.filter(id__gt=newest).order_by("id"))
    players = {player for event in events for player in event.player_ids}
    by_player: dict[str, list[Entry]] = {}
    with connection.cursor() as cursor:
        cursor.execute(TOTALS, [list(world.period_ids), sorted(players)])
        for player_id, city, period_id, points, accept_no in cursor.fetchall():
            packed = world.rules.packing.pack(points, accept_no - load_period(period_id).first_accept_no)
            entries = by_player.setdefault(player_id, [])
            entries += [(_key(world, period_id, scope), packed, player_id) for scope in ("global", f"city:{city}")]
    ids = [event.pk for event in events]
    portions = [ids[first : first + BATCHES_A_PORTION] for first in range(0, len(ids), BATCHES_A_PORTION)]
    return portions, list(by_player.values())


def _key(world: World, period_id: int, scope: str) -> str:
    return board_keys(f"{world.rules.slug}:{load_period(period_id).label}:{scope}").live


def _all_board_keys(world: World) -> list[str]:
    scopes = ["global", *(f"city:{city}" for city in world.people.cities)]
    return [_key(world, period_id, scope) for period_id in world.period_ids for scope in scopes]
