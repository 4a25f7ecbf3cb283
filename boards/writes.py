"""What totals mean for the boards of a period: pure translation into one call of the apply script a board."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from boards.board_ids import GLOBAL, KEPT
from boards.keys import board_keys
from boards.store import Argument, Call
from scoring.rules import Rules
from scoring.totals import PeriodInfo

REMOVED = ""


class ShownPlayer(NamedTuple):
    """What boards need to know of a player. `segments` as JSON text; hidden players are removed from their boards."""

    player_id: str
    segments: str
    former_scopes: Sequence[str]
    is_hidden: bool


Members = dict[str, list[int]]
"""Scopes, and the places of the players who are on their boards."""


def raises_of(packed: Sequence[Argument], player_ids: Sequence[str]) -> list[Argument]:
    """Packed score, player id, packed score, …: as the scripts take raises of epoch 0."""
    pairs: list[Argument] = [*packed, *player_ids]
    pairs[::2], pairs[1::2] = packed, player_ids
    return pairs


class BoardWrites:
    """The writes of one board, gathered over many players."""

    def __init__(self, board_id: str, kept: timedelta | None, *, may_begin: bool) -> None:
        self.board_id = board_id
        self._kept_seconds = int(kept.total_seconds()) if kept else 0
        self._may_begin = may_begin
        self.raises: list[Argument] = []
        """Of epoch 0, which nearly all are: packed score, player id, packed score, …"""
        self.by_epoch: list[Argument] = []
        """All others: player id, epoch, packed score or REMOVED, …"""
        self.details: list[Argument] = []
        """Of those whose points have any: player id, JSON, …"""

    def raise_all(self, packed: Sequence[Argument], player_ids: Sequence[str]) -> None:
        self.raises += raises_of(packed, player_ids)

    def call(self) -> Call:
        head: list[Argument] = [
            self._kept_seconds,
            int(self._may_begin),
            len(self.raises) // 2,
            len(self.by_epoch) // 3,
        ]
        return Call("apply", board_keys(self.board_id), [*head, *self.raises, *self.by_epoch, *self.details])


class PeriodBoards:
    """All boards of one period, by scope."""

    def __init__(self, rules: Rules, period: PeriodInfo, now: datetime) -> None:
        window = rules.window_of(period.label)
        self.ranked_segments = rules.scopes
        self._first_accept_no = period.first_accept_no
        self._packing = rules.packing
        self._prefix = f"{rules.slug}:{window.label}:"
        self._kept = KEPT[window.kind]
        # A closed period's board may have expired: it must not begin anew with the one player just corrected.
        grace = timedelta(seconds=rules.grace_seconds)
        self._may_begin = window.ends_at is None or now < window.ends_at + grace
        self._boards: dict[str, BoardWrites] = {}

    def show(self, player: ShownPlayer, points: int, accept_no: int, epoch: int, details: str | None) -> None:
        """Write a total to every board of its player, or remove it where the player is not or no longer ranked.

        `epoch` is the player's and the total's, added up. Unpackable if the total does not fit into a score.
        """
        packed: Argument = REMOVED
        if not player.is_hidden:
            packed = self._packing.pack(points, accept_no - self._first_accept_no)
        for scope in scopes_of(player.segments, self.ranked_segments):
            board = self._boards.get(scope) or self._begin(scope)
            if epoch == 0 and packed != REMOVED:
                board.raises += (packed, player.player_id)
            else:
                board.by_epoch += (player.player_id, epoch, packed)
            if details is not None:
                board.details += (player.player_id, details)
        if player.former_scopes:
            self._remove(player.player_id, self._ranked(player.former_scopes), epoch)

    def pack_all(self, points: Sequence[int], accept_nos: Sequence[int]) -> list[int | str]:
        """Scores of totals, in their order. Unpackable if one of them does not fit."""
        return self._packing.pack_all(points, [accept_no - self._first_accept_no for accept_no in accept_nos])

    def raise_all(self, packed: Sequence[Argument], player_ids: Sequence[str], members: Members) -> None:
        """Write raises of epoch 0 to every board: whose each is, by scope, stands in `members`."""
        for scope, places in members.items():
            board = self._boards.get(scope) or self._begin(scope)
            if len(places) == len(packed):
                board.raise_all(packed, player_ids)
            else:
                board.raise_all([packed[place] for place in places], [player_ids[place] for place in places])

    def remove(self, player: ShownPlayer, player_epoch: int) -> None:
        """Take a player whose total is gone off every board.

        When a total goes, the player's epoch steps over the total's by two: one for the removal, one for a total that
        begins again (see refold.sql).
        """
        self._remove(player.player_id, scopes_of(player.segments, self.ranked_segments), player_epoch - 1)
        self._remove(player.player_id, self._ranked(player.former_scopes), player_epoch - 1)

    def _ranked(self, scopes: Iterable[str]) -> list[str]:
        return [scope for scope in scopes if scope.partition(":")[0] in self.ranked_segments]

    def _remove(self, player_id: str, scopes: Iterable[str], epoch: int) -> None:
        for scope in scopes:
            board = self._boards.get(scope) or self._begin(scope)
            board.by_epoch += (player_id, epoch, REMOVED)

    def calls(self) -> list[Call]:
        return [board.call() for board in self._boards.values()]

    def _begin(self, scope: str) -> BoardWrites:
        board = BoardWrites(self._prefix + scope, self._kept, may_begin=self._may_begin)
        self._boards[scope] = board
        return board


@lru_cache(maxsize=100_000)
def scopes_of(segments: str, ranked: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes whose boards a player is on, given the segments as JSON text and the names that are ranked."""
    values = json.loads(segments)
    return (GLOBAL, *(f"{name}:{values[name]}" for name in ranked if name in values))
