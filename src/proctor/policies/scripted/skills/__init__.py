"""Skills of reference plans, one file each: what a call like ``(pick mango_1)`` makes the arm do."""

from .._arm import Doing, SkillError
from .._hands import Hands
from ._frame import perform, play, skill, skills
from ._target import Target, target_of

__all__ = ["Doing", "Hands", "SkillError", "Target", "perform", "play", "skill", "skills", "target_of"]
