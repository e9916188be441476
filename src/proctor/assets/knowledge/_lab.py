"""Test tubes, the stand they are kept in, and a wide flask.

A tube is a closed shell to the touch; what is seen in it is its fill. Stand: 2 x 4 square holes with 2 mm of room on
every side. Row 1 is the near one; slots count from the left (+y), 1 to 4 near, 5 to 8 far, and each is also called
``r1c1`` to ``r2c4``. The rows are 60 mm apart, not 45 mm, so that the tags of the far row can be seen between them.
"""

from __future__ import annotations

import math

from .._model import Grasp

TUBE_M, TUBE_HIGH_M = 0.0095, 0.110


def _pitched(z: float) -> tuple[Grasp, ...]:
    """Grasps from the robot's side, pitched down, for whoever wants to tip the tube forward."""
    return tuple(
        Grasp((0.0, 0.0, z), (0.0, 1.0, 0.0), (math.cos(p), 0.0, -math.sin(p)), 0.5, 2 * TUBE_M)
        for p in (math.radians(50), math.radians(60))
    )
