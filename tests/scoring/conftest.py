from tests.process_caches import forget_rows

__all__ = ["forget_rows"]
