"""The repair in the admin."""

from rebuilds.admin.board_reads import BoardReadsAdmin
from rebuilds.admin.closed_periods import ArchivedPeriodAdmin, WebhookAdmin, WebhookDeliveryAdmin
from rebuilds.admin.jobs import BoardJobAdmin
from rebuilds.admin.snapshots import StandingsSnapshotAdmin

__all__ = [
    "ArchivedPeriodAdmin",
    "BoardJobAdmin",
    "BoardReadsAdmin",
    "StandingsSnapshotAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
