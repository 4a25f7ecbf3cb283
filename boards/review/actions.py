"""The four decisions that a reviewer can make: what each asks for, what it would change, and doing it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from boards.review.forms import AdjustForm, DecisionForm, VoidForm
from boards.review.match import MOST_COUNTED, count_players
from scoring.models import Player
from scoring.moderation.adjusting import adjust
from scoring.moderation.decisions import Change, Corrected, Decision
from scoring.moderation.flagging import flag_player, unflag_player
from scoring.moderation.previews import preview
from scoring.moderation.voiding import void_match
from scoring.rules import get_rules

CHANGES_SHOWN = 40

Asked = Mapping[str, Any]
"""The cleaned data of the action's form."""


class Foreseen(NamedTuple):
    """The first CHANGES_SHOWN of the totals that would change. `player_count`, up to MOST_COUNTED: whose match it is."""

    changes: list[Change]
    player_count: int | None

    @property
    def has_more_changes(self) -> bool:
        return len(self.changes) == CHANGES_SHOWN

    @property
    def has_more_players(self) -> bool:
        return self.player_count == MOST_COUNTED


@dataclass(frozen=True, slots=True)
class Action:
    """`moves_player`: it changes no total, but whether the boards show the player at all."""

    name: str
    title: str
    effect: str
    form: type[DecisionForm]
    carry_out: Callable[[Player, Asked, Decision], Corrected]
    moves_player: bool = False

    def foresee(self, player: Player, asked: Asked, decision: Decision) -> Foreseen:
        """What it would change now. Raises what carrying it out would raise; nothing is saved."""
        # Without the key: a decision that was made already would show what it did then.
        unkeyed = replace(decision, idempotency_key=None)
        changes = preview(lambda: self.carry_out(player, asked, unkeyed), CHANGES_SHOWN)
        is_for_all = asked.get("whom") == VoidForm.ALL
        return Foreseen(changes, count_players(asked["leaderboard"], asked["match"]) if is_for_all else None)


def _flag(player: Player, asked: Asked, decision: Decision) -> Corrected:
    return flag_player(player.player_id, decision)


def _unflag(player: Player, asked: Asked, decision: Decision) -> Corrected:
    return unflag_player(player.player_id, decision)


def _void(player: Player, asked: Asked, decision: Decision) -> Corrected:
    return void_match(
        get_rules(asked["leaderboard"]),
        asked["match"],
        decision,
        player_id=player.player_id if asked["whom"] == VoidForm.PLAYER else None,
        reopen=asked["reopen"],
    )


def _adjust(player: Player, asked: Asked, decision: Decision) -> Corrected:
    return adjust(
        get_rules(asked["leaderboard"]),
        player.player_id,
        asked["points"],
        decision,
        occurred_at=asked["occurred_at"],
        reopen=asked["reopen"],
    )


ACTIONS = {
    action.name: action
    for action in (
        Action(
            "flag",
            "Flag",
            "The player leaves every board, and stays off while scores go on being recorded.",
            DecisionForm,
            _flag,
            moves_player=True,
        ),
        Action(
            "unflag",
            "Unflag",
            "The player comes back on every board, with the totals as they are now.",
            DecisionForm,
            _unflag,
            moves_player=True,
        ),
        Action(
            "void",
            "Void match",
            "The match no longer counts: totals fall back to what the others say.",
            VoidForm,
            _void,
        ),
        Action("adjust", "Adjust points", "Points are added to the player's totals, or taken.", AdjustForm, _adjust),
    )
}
