"""What the repair remembers."""

from rebuilds.models.period_notice import PeriodNotice

__all__ = ["PeriodNotice"]
