from tests.outages import redis_away
from tests.process_caches import forget_rows

__all__ = ["forget_rows", "redis_away"]
