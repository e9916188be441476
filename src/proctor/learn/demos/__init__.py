"""Expert demonstrations: which episodes succeeded, what they took, and a dataset to learn from."""

from ._export import ACTION_NAMES, STATE_NAMES, export
from ._table import TaskDemos, by_task, total

__all__ = ["ACTION_NAMES", "STATE_NAMES", "TaskDemos", "by_task", "export", "total"]
