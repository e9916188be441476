"""Which episodes to run, in which order, with which seeds."""

from ._extend import contains, difference
from ._plan import DRAWN, LANGUAGES, Plan, PlanTask, Told, episode_seed

__all__ = ["DRAWN", "LANGUAGES", "Plan", "PlanTask", "Told", "contains", "difference", "episode_seed"]
