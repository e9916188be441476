"""A scripted policy that solves the tasks from privileged state, through the same actions as any policy."""

from ._arm import SkillError
from ._policy import ExpertPolicy, RecklessPolicy

__all__ = ["ExpertPolicy", "RecklessPolicy", "SkillError"]
