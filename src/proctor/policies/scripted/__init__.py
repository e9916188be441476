"""A scripted policy that solves the tasks from privileged state, through the same actions as any policy."""

from ._arm import Arm, Doing, SkillError
from ._clearance import MARGIN_M, TIGHT_M, Clearance, Held, held_now
from ._hands import Hands
from ._pick import LIFT_M, Candidate, Picker
from ._policy import ExpertPolicy, RecklessPolicy
from ._travel import Path, Traveller

__all__ = [
    "LIFT_M",
    "MARGIN_M",
    "TIGHT_M",
    "Arm",
    "Candidate",
    "Clearance",
    "Doing",
    "ExpertPolicy",
    "Hands",
    "Held",
    "Path",
    "Picker",
    "RecklessPolicy",
    "SkillError",
    "Traveller",
    "held_now",
]
