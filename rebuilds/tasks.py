"""Celery tasks of the repair: entry points only, on the queue `rebuilds` where none is named.

None but the closing of a large period works for longer than some seconds: what takes minutes is done in steps.
Arguments are keywords, and unknown ones are ignored, so that old and new workers can run side by side.
"""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from boards.store import BoardsUnavailable
from rebuilds import (
    audit,
    closing,
    nightly,
    previous_ranks,
    recovering,
    running,
    sampling,
    snapshot_pruning,
    snapshots,
    watching,
    webhooks,
    windows,
)
from rebuilds.running import Turn

STEP_SECONDS = 5.0

CLOSING_LIMIT_SECONDS = 900
"""A period of ten million players, three times over; a run that is delivered twice meanwhile finds the period taken. For
snapshots and their ranks likewise."""

RECOVERY_CLAIM = timedelta(seconds=30)
"""No step of a recovery takes longer, since no task may."""


@shared_task(name="rebuilds.sweep")
def sweep(**_: Any) -> None:
    """Start jobs that wait, also for custom windows, and send on those that nobody works on. By beat every second."""
    windows.ask_builds(timezone.now())
    for turn in running.sweep(timezone.now(), _claim(), settings.REBUILDS_AT_ONCE):
        send_turn(turn)


@shared_task(name="rebuilds.run_turn")
def run_turn(*, job_id: int, number: int, **_: Any) -> None:
    """Work on a job for some seconds, then send its next turn. Repeatable: a turn is taken once."""
    following = running.run_turn(Turn(job_id, number), timezone.now, _claim(), STEP_SECONDS)
    if following is not None:
        send_turn(following)
    else:
        # The job is over, or waits: of many small boards, the next need not wait for the next second.
        sweep()


@shared_task(name="rebuilds.sample_boards")
def sample_boards(**_: Any) -> None:
    """Compare some entries of every board with the totals. By beat every minute."""
    sampling.sample_boards(timezone.now())


@shared_task(name="rebuilds.ask_nightly_verification")
def ask_nightly_verification(**_: Any) -> None:
    """Have all boards verified, once a night. By beat every few minutes."""
    nightly.ask_nightly_verification(timezone.now(), settings.VERIFY_AT_HOUR)


@shared_task(
    name="rebuilds.close_periods", time_limit=CLOSING_LIMIT_SECONDS, soft_time_limit=CLOSING_LIMIT_SECONDS - 30
)
def close_periods(**_: Any) -> None:
    """Archive the periods that are over. By beat every few seconds."""
    closing.close_periods(timezone.now)


@shared_task(
    name="rebuilds.take_snapshots", time_limit=CLOSING_LIMIT_SECONDS, soft_time_limit=CLOSING_LIMIT_SECONDS - 30
)
def take_snapshots(**_: Any) -> None:
    """Take the snapshots that are due. By beat twice a minute."""
    snapshots.finish_snapshots(timezone.now())
    if settings.SNAPSHOT_MINUTES:
        snapshots.take_due_snapshots(timezone.now, timedelta(minutes=settings.SNAPSHOT_MINUTES))


@shared_task(
    name="rebuilds.show_previous_ranks", time_limit=CLOSING_LIMIT_SECONDS, soft_time_limit=CLOSING_LIMIT_SECONDS - 30
)
def show_previous_ranks(**_: Any) -> None:
    """Bring the ranks of the newest snapshots to the boards that lack them. By beat every few seconds."""
    previous_ranks.show_previous_ranks(timezone.now())


@shared_task(name="rebuilds.prune_snapshots")
def prune_snapshots(**_: Any) -> None:
    """Delete what newer snapshots have replaced, for some seconds. By beat every minute."""
    snapshot_pruning.prune_snapshots(timezone.now(), settings.SNAPSHOTS_KEPT, STEP_SECONDS)


@shared_task(name="rebuilds.deliver_webhooks")
def deliver_webhooks(**_: Any) -> None:
    """Send the notices that are due. By beat every few seconds."""
    webhooks.deliver_webhooks(timezone.now)


@shared_task(name="rebuilds.audit_expiry")
def audit_expiry(**_: Any) -> None:
    """Look at the expiry of every board's keys, and mend it. By beat every ten minutes."""
    audit.audit_expiry(timezone.now)


@shared_task(name="rebuilds.watch_redis")
def watch_redis(**_: Any) -> None:
    """See whether Redis has lost data, and have somebody see to it. By beat every second, on the queue `corrections`."""
    try:
        watching.watch_redis(timezone.now())
    except BoardsUnavailable:
        # It is asked again in a second, and says then what it has lost.
        return
    if recovering.is_to_go_on(timezone.now()):
        send_recovery()


@shared_task(name="rebuilds.go_on_recovering")
def go_on_recovering(**_: Any) -> None:
    """Work on a recovery for some seconds. Repeatable, also side by side: one of them has the turn."""
    if recovering.go_on(timezone.now, RECOVERY_CLAIM, STEP_SECONDS):
        send_recovery()


def send_recovery() -> None:
    """To the queue that has several workers and no long tasks. Should it get lost, the next second sends it again."""
    go_on_recovering.apply_async(queue="live", expires=30)


def send_turn(turn: Turn) -> None:
    """Should it get lost, the sweep sends it again when its claim has run out."""
    run_turn.apply_async(kwargs=turn._asdict(), queue="rebuilds")


def _claim() -> timedelta:
    return timedelta(seconds=settings.REBUILD_CLAIM_SECONDS)
