"""What the repair keeps of itself, as tables."""

from rebuilds.models.board_job import BoardJob
from rebuilds.models.sample import Sample

__all__ = ["BoardJob", "Sample"]
