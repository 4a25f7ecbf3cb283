"""Which boards a command is about: shared by the commands."""

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime

from django.core.management.base import CommandError

from boards.board_ids import Board, find_board
from rebuilds.selection import all_boards, boards_of
from scoring.errors import LeaderboardError
from scoring.rules import get_rules


def add_board_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("boards", nargs="*", metavar="BOARD", help="such as quiz:s42:global or quiz:day:city:hyd")
    parser.add_argument("--leaderboard", help="all boards of this leaderboard")
    parser.add_argument("--all", action="store_true", dest="every", help="all boards of all leaderboards")


def chosen_boards(boards: Sequence[str], leaderboard: str | None, every: bool, now: datetime) -> list[Board]:
    """The boards named by the arguments. CommandError if they name none, or one that can't be."""
    if bool(boards) + bool(leaderboard) + every != 1:
        raise CommandError("name boards, or --leaderboard, or --all")
    try:
        if every:
            return list(all_boards(now))
        if leaderboard:
            return boards_of(get_rules(leaderboard), now)
        return [find_board(board_id, now) for board_id in boards]
    except LeaderboardError as error:
        raise CommandError(error.detail) from None
