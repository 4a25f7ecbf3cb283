"""What moderators do, with the least that a test has to say; and what boards show afterwards."""

from datetime import datetime
from typing import Any

from boards import reads, store
from boards.board_ids import find_board
from boards.entries import Entry
from scoring.models import Correction
from scoring.moderation.adjusting import adjust as adjust_player
from scoring.moderation.decisions import Corrected, Decision
from scoring.moderation.erasing import erase_player
from scoring.moderation.flagging import flag_player, unflag_player
from scoring.moderation.merging import merge_players
from scoring.moderation.voiding import void_match
from scoring.points import Points
from scoring.rules import get_rules
from tests.factories import NOW


def decide(key: str | None = None, *, now: datetime = NOW, reason: str = "as reported") -> Decision:
    return Decision("a reviewer", reason, now, key)


def adjust(player_id: str, points: Points, slug: str = "quiz", *, now: datetime = NOW, **more: Any) -> Corrected:
    return adjust_player(get_rules(slug), player_id, points, decide(now=now), **more)


def void(
    match_id: str, player_id: str | None = None, slug: str = "quiz", *, now: datetime = NOW, **more: Any
) -> Corrected:
    return void_match(get_rules(slug), match_id, decide(now=now), player_id=player_id, **more)


def flag(player_id: str = "ann", *, now: datetime = NOW) -> Corrected:
    return flag_player(player_id, decide(now=now))


def unflag(player_id: str = "ann", *, now: datetime = NOW) -> Corrected:
    return unflag_player(player_id, decide(now=now))


def merge(player_id: str, into: str, *, now: datetime = NOW, **more: Any) -> Corrected:
    return merge_players(player_id, into, decide(now=now), **more)


def erase(player_id: str = "ann", *, now: datetime = NOW, **more: Any) -> Corrected:
    return erase_player(player_id, decide(now=now, **more))


def board(board_id: str = "quiz:all:global", now: datetime = NOW) -> list[tuple[int | None, str, Points | None]]:
    """Rank, player and points of each line, best first."""
    return [(entry.rank, entry.player_id, entry.points) for entry in entries(board_id, now)]


def entries(board_id: str = "quiz:all:global", now: datetime = NOW) -> list[Entry]:
    top: reads.Top = read(reads.top(find_board(board_id, now), 1_000))
    return top.entries


def read(one: reads.Read[Any]) -> Any:
    (reply,) = store.run([one.call])
    return one.parse(reply)


def changes(corrected: Corrected) -> list[tuple[int | None, int | None]]:
    """Points before and after of each total that the correction changed."""
    kept = Correction.objects.get(pk=corrected.correction.pk).corrected_totals.order_by("player_id", "period_id")
    return list(kept.values_list("points_before", "points_after"))
