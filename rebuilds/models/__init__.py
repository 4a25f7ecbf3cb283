"""What the repair keeps of itself, as tables."""

from rebuilds.models.board_job import BoardJob

__all__ = ["BoardJob"]
