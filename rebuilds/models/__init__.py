"""What the repair keeps of itself, as tables."""

from rebuilds.models.board_job import BoardJob
from rebuilds.models.expiry_find import ExpiryFind
from rebuilds.models.period_notice import PeriodNotice
from rebuilds.models.recovery import Recovery
from rebuilds.models.redis_watch import RedisWatch
from rebuilds.models.sample import Sample
from rebuilds.models.webhook import Webhook
from rebuilds.models.webhook_delivery import WebhookDelivery

__all__ = ["BoardJob", "ExpiryFind", "PeriodNotice", "Recovery", "RedisWatch", "Sample", "Webhook", "WebhookDelivery"]
