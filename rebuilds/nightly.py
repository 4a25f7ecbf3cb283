"""Once a night, every board is compared with its totals; and what is remembered of old jobs is pruned."""

from datetime import datetime, time, timedelta

from rebuilds.jobs import ask_verification
from rebuilds.models import BoardJob
from rebuilds.selection import all_boards
from scoring.models import Leaderboard

ASKED_BY = "every night"
KEPT = timedelta(days=30)


def ask_nightly_verification(now: datetime, hour: int) -> int:
    """Ask for the verification of all boards, once a day from `hour` (UTC) on; how many boards, 0 if that was done.

    Called again and again: a night in which the site was down is made up for when it is back. Not one that was before the first
    leaderboard: a site that has just begun has other things to do.
    """
    begins_at = datetime.combine(now.date(), time(hour), tzinfo=now.tzinfo)
    if now < begins_at:
        begins_at -= timedelta(days=1)
    if BoardJob.objects.filter(asked_by=ASKED_BY, asked_at__gte=begins_at).exists():
        return 0
    if not Leaderboard.objects.filter(created_at__lt=begins_at).exists():
        return 0
    BoardJob.objects.filter(finished_at__lt=now - KEPT).delete()
    boards = list(all_boards(now))
    if boards:
        ask_verification(boards, ASKED_BY, now)
    return len(boards)


def is_nightly(job: BoardJob) -> bool:
    """Whether nobody waits for it."""
    return not job.is_rebuild and job.asked_by == ASKED_BY
