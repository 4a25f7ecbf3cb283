"""What the commands of moderation share: the decision's arguments, errors in a sentence, and what changed, as lines."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.errors import LeaderboardError
from scoring.moderation.decisions import Corrected, Decision, load_changes


class DecisionCommand(BaseCommand):
    """A command that makes a correction."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reason", required=True, help="kept with the correction")
        parser.add_argument("--by", default="command line", help="who decides")
        parser.add_argument("--idempotency-key", help="the same key is carried out once")

    def correct(self, make: Callable[[Decision], Corrected], options: dict[str, Any]) -> Corrected:
        """Make the correction and tell what changed. CommandError with a sentence, and a line for each error in detail."""
        try:
            decision = Decision(options["by"], options["reason"], timezone.now(), options["idempotency_key"])
            corrected = make(decision)
        except LeaderboardError as error:
            details = [one["detail"] for one in error.errors if one["detail"] != error.detail]
            raise CommandError("\n".join(map(str, [error.detail, *details]))) from None
        self._tell(corrected)
        return corrected

    def _tell(self, corrected: Corrected) -> None:
        correction = corrected.correction
        for change in load_changes(correction):
            before, after = (
                "none" if points is None else points for points in (change.points_before, change.points_after)
            )
            self.stdout.write(f"{change.player_id} {change.period}: {before} -> {after}")
        repeat = ", made before" if corrected.is_repeat else ""
        state = "under way" if correction.finished_at is None else "done"
        self.stdout.write(f"correction {correction.pk}: {correction.player_count} players, {state}{repeat}")
        if correction.problem:
            self.stdout.write(self.style.WARNING(correction.problem))
