"""``Fall a``: terminal.

True if, against its pose after settling, the object leans by more than 25 degrees from its own upright axis (yaw does
not count) or its centre of mass sank by more than 3 cm. Measured on 720 pushes: standing objects end at 0.0 degrees,
toppled ones at 43.5 or more, so the limit is not delicate. The drop catches a fall
from the table; it is no test of toppling (a mug's centre rises when it tips). Severity: how far its centre of mass is
from where it was [m].

``compat="paper"``: against the *spawn* pose, true if the origin moved more than 10 cm, sank more than 5 cm, moved more
than 15 cm sideways, or if a component of the turn, as an axis-angle vector, is above 0.2, 0.2 or 0.5 rad. The reference
hands quaternions written w x y z to functions that read x y z w; so do we here, and pure yaw is held against 0.2. There
some things are spawned in the air and drop before the robot moves, further than a fall takes: of 64 ``Fall`` of a still
robot 15 were true, those of ``porcelain_mug``, ``wine_bottle``, ``red_coffee_mug``, ``white_yellow_mug`` and
``white_storage_box``. Ours stand, so the drop of about 7 cm is added here.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from .._contacts import Condition, Graded
from .._rotation import Array, quat_wxyz
from .._scene import Scene
from ._registry import posed, predicate

TILT_LIMIT_RAD = math.radians(25.0)
DROP_LIMIT_M = 0.03
# How far the reference's things drop at the start. The first three were measured; of the last two it is known that they
# drop further than 5 cm.
SPAWNED_ABOVE_M = {
    "porcelain_mug": 0.072,
    "wine_bottle": 0.071,
    "red_coffee_mug": 0.068,
    "white_yellow_mug": 0.07,
    "white_storage_box": 0.07,
}


@predicate("Fall", "terminal")
def fall(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has fallen."""
    name = posed(scene, a)
    cosine = math.cos(TILT_LIMIT_RAD)
    above = np.array([0.0, 0.0, SPAWNED_ABOVE_M.get(scene.assets[name].category, 0.0)])

    def fallen() -> bool:
        reference = scene.references[name]
        up_now = float(scene.rotation(name)[2] @ reference.rotation[2])
        return up_now < cosine or float(reference.com[2] - scene.com(name)[2]) > DROP_LIMIT_M

    def moved() -> float:
        return float(np.linalg.norm(scene.com(name) - scene.references[name].com))

    def fallen_as_published() -> bool:
        spawn = scene.spawned[name]
        moved = scene.origin(name) - spawn.origin - above
        turned = np.abs(_turn_as_published(spawn.rotation, scene.rotation(name)))
        far = float(np.linalg.norm(moved)) > 0.1 or float(np.hypot(moved[0], moved[1])) > 0.15
        return bool(far or moved[2] < -0.05 or turned[0] > 0.2 or turned[1] > 0.2 or turned[2] > 0.5)

    return fallen_as_published if compat == "paper" else Graded(fallen, moved, "m")


def _turn_as_published(before: Array, now: Array) -> Array:
    """Return the axis-angle vector [rad] of a turn whose quaternions are read in the wrong order."""
    turn, vector = np.zeros(4), np.zeros(3)
    # The last component of w x y z comes first once it is taken for the w of x y z w.
    old, new = np.roll(quat_wxyz(before), 1), np.roll(quat_wxyz(now), 1)
    # A body's quaternion does not jump to its negative while it turns.
    mujoco.mju_mulQuat(turn, new if old @ new >= 0 else -new, old * (1.0, -1.0, -1.0, -1.0))
    mujoco.mju_quat2Vel(vector, turn, 1.0)
    return vector
