"""Motion planning in joint space (extra ``motion``: OMPL), and the expert that travels by it."""

from ._body import Body
from ._errors import MotionError, NoPathError
from ._ompl import available
from ._picker import CarefulPicker
from ._plan import PlannedPath, joint_space, plan
from ._policy import TRAVELS, PlanningExpert
from ._shorten import shorten, smooth
from ._slerp import Track, slerp
from ._space import JointSpace, length, resampled
from ._traveller import Effort, PlannedTraveller

__all__ = [
    "TRAVELS",
    "Body",
    "CarefulPicker",
    "Effort",
    "JointSpace",
    "MotionError",
    "NoPathError",
    "PlannedPath",
    "PlannedTraveller",
    "PlanningExpert",
    "Track",
    "available",
    "joint_space",
    "length",
    "plan",
    "resampled",
    "shorten",
    "slerp",
    "smooth",
]
