"""Redis keys of a board. Pure.

The board itself lives under `lb:` + its id; what must change with it lives in the same cluster slot, since the hash tag of
its keys is the whole name of the board's key.
"""

from typing import NamedTuple

NAMES = "lb-names"
"""Hash of player id to `version:name`, for all boards; no board id can begin with `lb-`."""

NAMES_COPY = f"{{{NAMES}}}:new"
"""The same while it is filled anew, in the same cluster slot."""

HEARTBEAT = "lb-heartbeat"
"""Hash: a number that only grows, and what the boards had when it was raised."""

RECOVERING = "lb-recovering"
"""Set of the ids of boards that are being recovered."""

WINDOWS = "lb-windows"
"""Sorted set of the ids of custom windows that are there or asked for, by how long they are listed."""

BOARD_COPIES_PATTERN = "{lb:*}:*"
"""What the keys beside the boards match: staging boards, fences, leases, details, previous ranks, what says that a window is
built."""


class BoardKeys(NamedTuple):
    """The keys of one board, in the order in which scripts take them."""

    live: str
    staging: str
    fence: str
    lease: str
    details: str
    staging_details: str
    previous: str
    staging_previous: str


BOARD_KEYS_PATTERN = "*lb:*"
"""What all keys of boards match, for a scan."""


def board_id_of(key: str) -> str | None:
    """The board that a key belongs to; None for a key of something else."""
    if key.startswith("lb:"):
        return key.removeprefix("lb:").partition("#")[0]
    tag, closes, _ = key.removeprefix("{lb:").partition("}:")
    return tag.partition("#")[0] if key.startswith("{lb:") and closes else None


def board_keys(board_id: str, shard: int = 0) -> BoardKeys:
    """The keys of one shard of a board, all in one cluster slot; of an unsharded board there is only shard 0.

    Shards have no hash tag in common, so that they spread over the nodes of a cluster. No board id has a `#`.
    """
    live = f"lb:{board_id}#{shard}" if shard else f"lb:{board_id}"
    tag = f"{{{live}}}"
    return BoardKeys(
        live,
        f"{tag}:new",
        f"{tag}:fence",
        f"{tag}:lease",
        f"{tag}:details",
        f"{tag}:new:details",
        f"{tag}:previous",
        f"{tag}:new:previous",
    )


def built_key(board_id: str) -> str:
    """Of a custom window: there if the board under its id is whole. In the slot of the board's other keys."""
    return f"{{lb:{board_id}}}:built"
