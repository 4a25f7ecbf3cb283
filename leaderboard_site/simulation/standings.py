"""Reading boards over HTTP, as players' apps do."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard_site.simulation.contract import (
    Refused,
    StandingAnswer,
    decode_ranks,
    decode_standing,
    decode_top,
    encode,
)
from leaderboard_site.simulation.persistence import PersistentClient

PERIODS = ("all", "season", "month", "week", "day")
"""The longest first: a night that goes on past midnight stays within one period."""

RANKS_AT_ONCE = 1_000


@dataclass(frozen=True)
class NightBoard:
    """The board on which a night is followed: its full id, and the label of its period."""

    id: str
    period: str


async def find_night_board(client: PersistentClient, leaderboard: str) -> NightBoard:
    """The global board of the leaderboard's longest period. Raises Refused if it has none."""
    for kind in PERIODS:
        response = await client.get(f"/v1/leaderboards/{leaderboard}:{kind}:global/top?n=1")
        if response.status == 200:
            board_id = decode_top(response.body).board
            return NightBoard(board_id, board_id.removeprefix(f"{leaderboard}:").removesuffix(":global"))
    raise Refused(response)


async def read_standing(client: PersistentClient, board_id: str, player_id: str, expect: int) -> StandingAnswer | None:
    """A player's place, None if there is none (yet)."""
    response = await client.get(f"/v1/leaderboards/{board_id}/players/{player_id}?around=5&expect={expect}")
    if response.status == 404:
        return None
    if response.status != 200:
        raise Refused(response)
    return decode_standing(response.body)


async def read_sum_of_points(client: PersistentClient, board_id: str, player_ids: Sequence[str]) -> int:
    """What the board shows for these players, added up. One request for each 1,000."""
    total = 0
    for first in range(0, len(player_ids), RANKS_AT_ONCE):
        body = encode({"player_ids": player_ids[first : first + RANKS_AT_ONCE]})
        response = await client.post(f"/v1/leaderboards/{board_id}/ranks", body)
        if response.status != 200:
            raise Refused(response)
        total += sum(entry.points or 0 for entry in decode_ranks(response.body).entries)
    return total
