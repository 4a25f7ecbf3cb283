"""What a score may tell about its player: name and segments. The rare path: most scores change neither."""

from dataclasses import dataclass, field
from datetime import datetime

from psycopg.types.json import Jsonb

from scoring.database import fetch_all
from scoring.errors import FieldError
from scoring.models import OutboxEvent, Player
from scoring.outbox import write_event
from scoring.period_rows import load_open_period_ids
from scoring.sql import statement
from scoring.submissions import MAX_SEGMENTS, Submission


@dataclass(slots=True)
class Profile:
    """The last word of a batch about one player. A segment of None is left by the player."""

    name: str | None = None
    segments: dict[str, str | None] = field(default_factory=dict)

    def kept_segments(self) -> dict[str, str]:
        return {name: value for name, value in self.segments.items() if value is not None}


def profiles_of(submissions: list[Submission]) -> dict[str, Profile]:
    """What the submissions say about players, by player id; later ones overrule earlier ones."""
    profiles: dict[str, Profile] = {}
    for submission in submissions:
        if submission.name is None and submission.segments is None:
            continue
        profile = profiles.setdefault(submission.player_id, Profile())
        if submission.name is not None:
            profile.name = submission.name
        profile.segments.update(submission.segments or {})
    return profiles


def save_profiles(profiles: dict[str, Profile], now: datetime) -> dict[str, FieldError]:
    """Create the players that are missing and bring the others up to date, within the caller's transaction.

    Returns the players whose segments would be too many, with the error; nothing of these is saved. Locks player rows
    in the order of their ids. A change of segment begins a new epoch and leaves a correction in the outbox, a new name
    leaves a live event. 2 queries for new players, one more for each existing one that changed.
    """
    created = fetch_all(
        statement("create_players"),
        {
            "player_ids": list(profiles),
            "names": [profile.name or "" for profile in profiles.values()],
            "segments": [Jsonb(profile.kept_segments()) for profile in profiles.values()],
            "now": now,
        },
    )
    named = [pk for pk, _, is_named in created if is_named]
    moved: list[int] = []
    refused: dict[str, FieldError] = {}
    existing = profiles.keys() - {player_id for _, player_id, _ in created}
    for player in _locked(existing) if existing else ():
        profile = profiles[player.player_id]
        if not _may_move(player, profile):
            refused[player.player_id] = FieldError(
                "segments", "too_many_segments", f"a player has up to {MAX_SEGMENTS} segments"
            )
            continue
        if _rename(player, profile):
            named.append(player.pk)
        if _move(player, profile):
            moved.append(player.pk)
        player.save()
    if named:
        write_event(OutboxEvent.Queue.LIVE, named, now, period_ids=[], names_changed=True)
    if moved:
        # Closed periods are over: whoever moves now was ranked there where he was then.
        write_event(OutboxEvent.Queue.CORRECTIONS, moved, now, period_ids=load_open_period_ids(now))
    return refused


def _locked(player_ids: set[str]) -> list[Player]:
    return list(Player.objects.select_for_update().filter(player_id__in=player_ids).order_by("player_id"))


def _rename(player: Player, profile: Profile) -> bool:
    if profile.name is None or profile.name == player.name:
        return False
    player.name = profile.name
    player.name_version += 1
    return True


def _merged(player: Player, profile: Profile) -> dict[str, str]:
    merged = {**player.segments, **profile.segments}
    return {name: value for name, value in merged.items() if value is not None}


def _may_move(player: Player, profile: Profile) -> bool:
    return len(_merged(player, profile)) <= MAX_SEGMENTS


def _move(player: Player, profile: Profile) -> bool:
    segments = _merged(player, profile)
    if segments == player.segments:
        return False
    before = {f"{name}:{value}" for name, value in player.segments.items()}
    after = {f"{name}:{value}" for name, value in segments.items()}
    player.former_scopes = sorted((set(player.former_scopes) | before) - after)
    player.segments = segments
    player.epoch += 1
    return True
