"""Differences as people and scripts read them."""

import json
from typing import Any

from rebuilds.comparing import Difference
from rebuilds.truth import Truth
from scoring.points import from_units


def report_line(truth: Truth, difference: Difference) -> str:
    """One line of JSON: board, player_id, kind (missing, extra, different), and what is `shown` and what is `true`.

    Both are null or points with the packed score, by which ties fall; details if there are any.
    """
    kind, player_id, stored, row, _ = difference
    shown = None if stored.score is None else _side(truth, stored.score, stored.details)
    return json.dumps(
        {
            "board": truth.board.id,
            "player_id": player_id,
            "kind": str(kind),
            "shown": shown,
            "true": row and _side(truth, str(row.packed).encode(), row.details and row.details.encode()),
        },
        default=float,
    )


def _side(truth: Truth, score: bytes, details: bytes | str | None) -> dict[str, Any]:
    rules = truth.board.rules
    try:
        points = from_units(rules.packing.unpack_points(score), rules.scale)
    except (ValueError, OverflowError):
        # Infinity, or no score of ours.
        points = None
    side = {"points": points, "score": score.decode()}
    return {**side, "details": json.loads(details)} if details else side
