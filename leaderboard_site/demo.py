"""The demo: a leaderboard `quiz`, its season, and a key that stays the same over restarts."""

import os
from datetime import datetime
from pathlib import Path

from scoring import setup
from scoring.models import ApiKey, Leaderboard, Period

SLUG = "quiz"
SEASON = "s1"
TIMEZONE = "Asia/Kolkata"
KEY_NAME = "demo"
SCOPES = ("submit", "read")


def create_demo(key_file: Path, now: datetime) -> str:
    """Create what is missing; returns the demo's key. May be repeated."""
    if not Leaderboard.objects.filter(slug=SLUG).exists():
        setup.create_leaderboard(
            slug=SLUG,
            name="Quiz night",
            operator="add",
            timezone=TIMEZONE,
            period_kinds=["day", "week", "season", "all"],
            scopes=["city"],
        )
    if not Period.objects.filter(leaderboard__slug=SLUG, label=SEASON).exists():
        setup.open_season(SLUG, SEASON, starts_at=now)
    return _key(key_file)


def _key(key_file: Path) -> str:
    """The kept key if the database knows it; only a hash is stored, so a lost one is replaced."""
    if key_file.is_file():
        kept = key_file.read_text().strip()
        if ApiKey.objects.is_valid(kept):
            return kept
    created = setup.create_api_key(KEY_NAME, SCOPES, [SLUG])
    descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(created + "\n")
    return created
