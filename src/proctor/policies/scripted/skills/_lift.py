"""``lift``: raise what is held by 10 cm."""

from __future__ import annotations

import numpy as np

from .._arm import Doing
from .._hands import Hands
from .._travel import reach_z
from ._frame import skill

LIFT_M = 0.10


@skill("lift", needs="holding")
def lift(hands: Hands) -> Doing:
    """Raise straight up, as far as the arm reaches over this spot."""
    arm = hands.arm
    rise = min(LIFT_M, max(reach_z(arm.position) - float(arm.position[2]), 0.0))
    yield from arm.move(arm.position + np.array([0.0, 0.0, rise]), arm.rotation, speed=0.3)
