"""Which episodes to run, in which order, with which seeds."""

from ._extend import contains, difference
from ._plan import Plan, PlanTask, episode_seed

__all__ = ["Plan", "PlanTask", "contains", "difference", "episode_seed"]
