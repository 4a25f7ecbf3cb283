"""The repair in the admin."""

from rebuilds.admin.closed_periods import ArchivedPeriodAdmin, WebhookAdmin, WebhookDeliveryAdmin
from rebuilds.admin.jobs import BoardJobAdmin

__all__ = ["ArchivedPeriodAdmin", "BoardJobAdmin", "WebhookAdmin", "WebhookDeliveryAdmin"]
