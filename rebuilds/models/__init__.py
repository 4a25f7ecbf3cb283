"""What the repair remembers."""

from rebuilds.models.expiry_find import ExpiryFind
from rebuilds.models.period_notice import PeriodNotice
from rebuilds.models.webhook import Webhook
from rebuilds.models.webhook_delivery import WebhookDelivery

__all__ = ["ExpiryFind", "PeriodNotice", "Webhook", "WebhookDelivery"]
