"""``manage.py verify_board``: JSON lines on stdout, words on stderr."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from boards.board_ids import Board
from rebuilds import fixing
from rebuilds.comparing import NotSettled
from rebuilds.management.boards import add_board_arguments, chosen_boards
from rebuilds.reporting import report_line
from rebuilds.truth import require_known_members
from rebuilds.verifying import verify_live
from rebuilds.window_truth import truth_of
from scoring.errors import LeaderboardError


class Command(BaseCommand):
    help = "Compare boards with the totals, also while scores arrive. Prints each difference as a line of JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_board_arguments(parser)
        parser.add_argument("--fix", action="store_true", help="put right what differs, and nothing else")

    def handle(self, *, boards: Sequence[str], leaderboard: str | None, every: bool, fix: bool, **_: Any) -> None:
        left = 0
        try:
            for board in chosen_boards(boards, leaderboard, every, timezone.now()):
                left += self._verify(board, is_to_fix=fix)
        except (LeaderboardError, NotSettled) as error:
            raise CommandError(str(error)) from None
        if left:
            how = "left; rebuild_board puts them right" if fix else "found"
            raise CommandError(f"{left} differences {how}")

    def _verify(self, board: Board, *, is_to_fix: bool) -> int:
        """How many differences there are, or are left."""
        require_known_members(board, timezone.now())
        truth = truth_of(board)
        left = compared = 0
        for findings in verify_live(truth, timezone.now()):
            for difference in findings.differences:
                self.stdout.write(report_line(truth, difference))
            for problem in findings.problems:
                self.stderr.write(f"{board.id}: fits into no score and is not shown: {problem}")
            found = findings.differences
            left += len(fixing.fix(truth, found, timezone.now()) if is_to_fix and found else found)
            compared = findings.walk.compared
        self.stderr.write(f"{board.id}: {compared} rows compared, {left} differences{' left' if is_to_fix else ''}")
        return left
