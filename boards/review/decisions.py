"""What was decided about a player before."""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.models import CorrectedTotal, Correction, Player
from scoring.points import Points, from_units
from scoring.rules import Rules


class TotalChange(NamedTuple):
    """What became of one of the player's totals. None where there was, or is, none."""

    leaderboard: str
    period: str
    before: Points | None
    after: Points | None


class DecisionLine(NamedTuple):
    """A correction, and what it did to this player's totals."""

    correction: Correction
    points: Points | None
    changes: list[TotalChange]


def load_decisions(player: Player, rules_by_id: Mapping[int, Rules], limit: int) -> list[DecisionLine]:
    """The newest first, also those about a match or another account that changed the player's totals. 3 queries."""
    # Each part by its own index; one condition with OR would read all corrections.
    concerned = (
        Correction.objects.order_by()
        .filter(player=player)
        .values_list("id")
        .union(
            Correction.objects.order_by().filter(into=player).values_list("id"),
            CorrectedTotal.objects.filter(player=player).values_list("correction_id"),
        )
    )
    newest = [pk for (pk,) in concerned.order_by("-id")[:limit]]
    corrections = list(
        Correction.objects.filter(pk__in=newest).select_related("leaderboard", "player", "into").order_by("-pk")
    )
    changes: dict[int, list[TotalChange]] = {}
    rows = CorrectedTotal.objects.filter(player=player, correction__in=corrections).select_related("period")
    for row in rows.order_by("correction_id", "period_id"):
        rules = rules_by_id[row.period.leaderboard_id]
        change = TotalChange(
            rules.slug, row.period.label, _shown(row.points_before, rules), _shown(row.points_after, rules)
        )
        changes.setdefault(row.correction_id, []).append(change)
    return [
        DecisionLine(correction, _points(correction, rules_by_id), changes.get(correction.pk, []))
        for correction in corrections
    ]


def _points(correction: Correction, rules_by_id: Mapping[int, Rules]) -> Points | None:
    if correction.leaderboard_id is None:
        return None
    return _shown(correction.points, rules_by_id[correction.leaderboard_id])


def _shown(units: int | None, rules: Rules) -> Points | None:
    return None if units is None else from_units(units, rules.scale)
