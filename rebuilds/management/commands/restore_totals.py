"""``manage.py restore_totals``: JSON lines on stdout, words on stderr."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rebuilds.restoring import NoSnapshot, find_restore_point
from scoring.errors import LeaderboardError
from scoring.moderation.decisions import Decision
from scoring.rules import get_rules

REASON = "restored from {snapshot} and the events after it"


class Command(BaseCommand):
    help = (
        "Make totals what the newest snapshot and the events after it say, also while scores arrive. Trusts the snapshot: if the"
        " totals were wrong when it was taken, recount instead. Exit code 1 if one can't be put right."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard")
        parser.add_argument("--period", action="append", default=[], help="such as s42; default: all that it covers")
        parser.add_argument("--snapshot", type=int, help="its number; default: the newest")
        parser.add_argument("--dry-run", action="store_true", help="only say which totals differ")
        parser.add_argument("--reason", help=f"kept with the correction; default: {REASON}")

    def handle(
        self,
        *,
        leaderboard: str,
        period: list[str],
        snapshot: int | None,
        dry_run: bool,
        reason: str | None,
        **_: Any,
    ) -> None:
        try:
            point = find_restore_point(get_rules(leaderboard), period, snapshot)
            why = REASON.format(snapshot=point.snapshot) if reason is None else reason
            fixer = point.fixer(Decision("manage.py restore_totals", why, timezone.now()), timezone.now)
            found = fixed = 0
            for portion in point.compare():
                for miscount in portion.miscounts:
                    self.stdout.write(json.dumps({"leaderboard": leaderboard, **miscount._asdict()}, default=float))
                found += len(portion.miscounts)
                fixed += 0 if dry_run else fixer.fix(portion)
        except (LeaderboardError, ValueError, NoSnapshot) as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError("interrupted; what was restored stays, and it may be begun again") from None
        labels = ", ".join(period.label for period in point.periods)
        self.stderr.write(
            f"{leaderboard} ({labels}), from {point.snapshot} of {point.snapshot.taken_at:%Y-%m-%d %H:%M:%S} UTC:"
        )
        self.stderr.write(f"{found} totals differed, {fixed} were restored")
