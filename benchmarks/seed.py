"""A quiz night that has begun: 3 periods, 2 scopes, and many players with points. Set-based, seconds for 300,000."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from psycopg.types.json import Jsonb

from boards.apply import apply_events, apply_players
from leaderboard_site.simulation.players import Population
from scoring import setup
from scoring.models import OutboxEvent, Player
from scoring.outbox import write_event
from scoring.period_rows import WindowSets, open_period
from scoring.periods import ALL_TIME, PeriodKind
from scoring.rules import Rules, get_rules

SLUG = "quiz"
SEASON = "s1"
AT_ONCE = 2_000

FIRST_MATCH = "first-question"

SEED_LEDGER = """
INSERT INTO scoring_scoreevent (leaderboard_id, match_id, player_id, points, accept_no, occurred_at, accepted_at)
SELECT %(leaderboard_id)s, night.match_id, night.player, night.points, nextval('scoring_accept_no'), night.at, night.at
FROM (
    SELECT 'nights-before' AS match_id, id AS player, round(random_normal(96, 4.4)) * 10 AS points, %(yesterday)s AS at
    FROM scoring_player
    UNION ALL
    SELECT 'first-question', id, (random() < 0.8)::int * 10, %(now)s
    FROM scoring_player
) night
ORDER BY night.at, random()
"""
"""A season in which everyone has played ten nights of 12 questions, and tonight's first: in season and all time 300,000
players stand on some 40 different totals, tonight on two. Whoever moves up passes thousands, and is the last of the next."""

SEED_TOTALS = """
ALTER TABLE scoring_total SET (fillfactor = 86);
INSERT INTO scoring_total (player_id, period_id, points, accept_no, epoch, room)
SELECT e.player_id, w.id, sum(e.points), max(e.accept_no), 0, NULL
FROM scoring_scoreevent e
CROSS JOIN unnest(%(period_ids)s::int[]) AS w (id)
WHERE w.id <> %(day_period_id)s
GROUP BY e.player_id, w.id
ORDER BY min(e.accept_no), w.id;
ALTER TABLE scoring_total SET (fillfactor = 90);
INSERT INTO scoring_total (player_id, period_id, points, accept_no, epoch)
SELECT player_id, %(day_period_id)s, points, accept_no, 0
FROM scoring_scoreevent
WHERE match_id = 'first-question'
ORDER BY accept_no
"""
"""Where rows lie is as the scores have left it: those of season and all time beside each other, in the order in which players
first came, raised since, and partly filled up with the days after; those of the day by themselves."""


CROWD_SLUG = "crowd"
CROWD_PLAYERS = """
INSERT INTO scoring_player (player_id, name, segments, former_scopes, review_state, epoch, name_version, created_at)
SELECT 'crowd' || n, '', '{}', '{}', 0, 0, 0, now() FROM generate_series(1, %s) AS n
"""
CROWD_TOTALS = """
INSERT INTO scoring_total (period_id, player_id, points, accept_no, epoch)
SELECT %s, id, hashint8(id) & 65535, nextval('scoring_accept_no'), 0
FROM scoring_player
WHERE player_id LIKE 'crowd%%'
ORDER BY id
"""


@dataclass(frozen=True)
class World:
    """What has been seeded. `primary_keys` of the players, by their number."""

    people: Population
    rules: Rules
    period_ids: tuple[int, ...]
    board_id: str
    key: str
    primary_keys: list[int]


def seed(players: int, now: datetime) -> World:
    people = Population(players)
    setup.create_leaderboard(
        SLUG,
        period_kinds=["day", "season", "all"],
        scopes=["city"],
        # Half a day away, so that no run crosses into the next day.
        day_starts_at_hour=(now.hour + 12) % 24,
    )
    setup.open_season(SLUG, SEASON, starts_at=now - timedelta(days=30))
    rules = get_rules(SLUG)
    windows = WindowSets(rules, now)
    assert windows.number_of(now) == 0
    period_ids = windows.sets[0].period_ids
    _copy_players(people, now)
    with connection.cursor() as cursor:
        yesterday = now - timedelta(days=1)
        cursor.execute(SEED_LEDGER, {"leaderboard_id": rules.leaderboard_id, "now": now, "yesterday": yesterday})
        day_period_id = period_ids[rules.period_kinds.index(PeriodKind.DAY)]
        cursor.execute(SEED_TOTALS, {"period_ids": list(period_ids), "day_period_id": day_period_id})
        cursor.execute("VACUUM ANALYZE scoring_player, scoring_total, scoring_scoreevent")
    primary_keys = list(Player.objects.order_by("player_id").values_list("pk", flat=True))
    _fill_boards(primary_keys, period_ids, now)
    key = setup.create_api_key("benchmarks", ["submit", "read"])
    return World(people, rules, period_ids, f"{SLUG}:{SEASON}:global", key, primary_keys)


def drain(now: datetime) -> None:
    """Apply whatever waits in the outbox."""
    waiting = list(OutboxEvent.objects.waiting().order_by("id").values_list("id", flat=True))
    for first in range(0, len(waiting), 4):
        apply_events(waiting[first : first + 4], lambda: now)


def _copy_players(people: Population, now: datetime) -> None:
    columns = "player_id, name, segments, former_scopes, review_state, epoch, name_version, created_at"
    connection.ensure_connection()
    with connection.connection.cursor() as cursor, cursor.copy(f"COPY scoring_player ({columns}) FROM STDIN") as copy:
        for player in range(people.count):
            segments = Jsonb({"city": people.city(player)})
            copy.write_row((people.player_id(player), people.name(player), segments, "{}", 0, 0, 1, now))


def _fill_boards(primary_keys: list[int], period_ids: tuple[int, ...], now: datetime) -> None:
    for first in range(0, len(primary_keys), AT_ONCE):
        some = primary_keys[first : first + AT_ONCE]
        apply_players(some, period_ids, now)
        write_event(OutboxEvent.Queue.LIVE, some, now, period_ids=[], names_changed=True)
    drain(now)


def add_crowd(players: int) -> str:
    """A board of that many players, rows only; its id. Its ledger is empty: nothing but rebuilds may look at it."""
    setup.create_leaderboard(CROWD_SLUG, period_kinds=["all"])
    period = open_period(get_rules(CROWD_SLUG).leaderboard_id, ALL_TIME)
    with connection.cursor() as cursor:
        cursor.execute(CROWD_PLAYERS, [players])
        cursor.execute(CROWD_TOTALS, [period.pk])
        cursor.execute("VACUUM ANALYZE scoring_player, scoring_total")
    return f"{CROWD_SLUG}:all:global"
