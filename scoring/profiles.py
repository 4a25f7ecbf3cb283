"""What a score may tell about its player: name and segments. The rare path: most scores change neither."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
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


TOO_MANY = FieldError("segments", "too_many_segments", f"a player has up to {MAX_SEGMENTS} segments")


class ProfilesDiffer(Exception):
    """Some players are unknown, or sent with another name or segments than stored. Nothing was written."""


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


def save_profiles(submissions: list[Submission], locked: set[str], now: datetime) -> dict[str, FieldError]:
    """Create the players of these scores that are missing and bring the others up to date; lock the players in `locked`.

    Within the caller's transaction, before it locks anything else; player rows are locked in the order of their ids.
    Returns the players whose segments would be too many, with the error; nothing of these is saved. A change of segment
    begins a new epoch and leaves a correction in the outbox, a new name leaves a live event. 2 queries, and one more for
    each existing player that changed. ProfilesDiffer if a player to be locked is neither known nor of these scores.
    """
    profiles = profiles_of(submissions)
    refused = {id_: TOO_MANY for id_, profile in profiles.items() if len(profile.kept_segments()) > MAX_SEGMENTS}
    named = _create({submission.player_id for submission in submissions} - refused.keys(), profiles, now)
    moved: list[int] = []
    players = _locked((profiles.keys() - refused.keys()) | locked)
    if locked - refused.keys() - {player.player_id for player in players}:
        # Somebody else may be creating them: by the time of the statement they would be known, and not locked.
        raise ProfilesDiffer
    for player in players:
        if player.merged_into_id is not None:
            # Its profile is the other account's.
            continue
        profile = profiles.get(player.player_id, Profile())
        if len(_merged(player, profile)) > MAX_SEGMENTS:
            refused[player.player_id] = TOO_MANY
            continue
        is_renamed, is_moved = _rename(player, profile), _move(player, profile)
        named += [player.pk] * is_renamed
        moved += [player.pk] * is_moved
        if is_renamed or is_moved:
            player.save()
    if named:
        write_event(OutboxEvent.Queue.LIVE, named, now, period_ids=[], names_changed=True)
    if moved:
        # Closed periods are over: whoever moves now was ranked there where he was then.
        write_event(OutboxEvent.Queue.CORRECTIONS, moved, now, period_ids=load_open_period_ids(now))
    return refused


def _create(player_ids: set[str], profiles: dict[str, Profile], now: datetime) -> list[int]:
    """Create those that are missing; the primary keys of those created with a name."""
    in_order = [(player_id, profiles.get(player_id, Profile())) for player_id in sorted(player_ids)]
    created = fetch_all(
        statement("create_players"),
        {
            "player_ids": [player_id for player_id, _ in in_order],
            "names": [profile.name or "" for _, profile in in_order],
            "segments": [Jsonb(profile.kept_segments()) for _, profile in in_order],
            "now": now,
        },
    )
    return [pk for pk, _, is_named in created if is_named]


def _locked(player_ids: set[str]) -> list[Player]:
    """These players, and the accounts that merged ones of them are part of by now."""
    if not player_ids:
        return []
    merged_into = Player.objects.filter(player_id__in=player_ids, merged_into__isnull=False).values("merged_into")
    wanted = Q(player_id__in=player_ids) | Q(pk__in=merged_into)
    return list(Player.objects.select_for_update(no_key=True).filter(wanted).order_by("player_id"))


def _rename(player: Player, profile: Profile) -> bool:
    if profile.name is None or profile.name == player.name:
        return False
    player.name = profile.name
    player.name_version += 1
    return True


def _merged(player: Player, profile: Profile) -> dict[str, str]:
    merged = {**player.segments, **profile.segments}
    return {name: value for name, value in merged.items() if value is not None}


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
