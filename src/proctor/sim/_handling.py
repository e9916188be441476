"""Held, let go, at rest: what a hand does to a thing, as several predicates and scores mean it.

Each is built once per scene and thing and then shared.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ._contacts import Condition, geom_force
from ._rotation import Array
from ._scene import ROBOT_NAMES, Scene

GRIP_N = 0.2
"""Least force of each finger by which a thing is held."""
HELD_S = 0.3
RELEASED_S = 0.3
STILL_S = 0.5
STILL_M_S = 0.02
STILL_RAD_S = 0.3
SWING_S = 1.5
SWING_M_S = 0.4
"""What hangs on a nail swings for seconds: it rests if its mean speed over `SWING_S` is below this."""
CARRIES = 0.3
"""Least vertical part of a contact's normal by which one thing carries another."""
CARRIED_SHARE = 0.1
"""Share of its weight from which on something else carries a thing."""
GRAVITY_M_S2 = 9.81


def held(scene: Scene, name: str) -> Condition:
    """Return a condition: for 0.3 s both fingers have pressed ``name`` with 0.2 N and nothing else has carried it."""
    return scene.shared(("held", name), lambda: scene.lasting.lasts(gripped(scene, name), HELD_S))


def gripped(scene: Scene, name: str) -> Condition:
    """Return a condition: both fingers press ``name`` with 0.2 N or more each and nothing else carries it, now."""
    touching = scene.held(name)
    mine = frozenset(scene.geoms(name).tolist())
    fingers = [frozenset(geoms.tolist()) for geoms in scene.finger_geoms]

    def grips() -> bool:
        if not touching():
            return False
        pressed = all(geom_force(scene.model, scene.data, finger, mine) >= GRIP_N for finger in fingers)
        return pressed and not carried(scene, name)

    return scene.shared(("gripped", name), lambda: grips)


def carried(scene: Scene, name: str, but: frozenset[int] = frozenset()) -> bool:
    """Whether things other than the robot (and the geoms ``but``) carry a tenth of the weight of ``name`` now."""
    mine = frozenset(scene.geoms(name).tolist())
    robot, buffer, contacts = scene.robot_geoms, np.zeros(6), scene.data.contact
    lifted_n = 0.0
    for index, ((a, b), up) in enumerate(zip(contacts.geom.tolist(), contacts.frame[:, 2].tolist(), strict=True)):
        if (a in mine) == (b in mine):
            continue
        other = b if a in mine else a
        # A contact's normal points from its first geom to its second.
        rise = -up if a in mine else up
        if other in robot or other in but or rise <= CARRIES:
            continue
        mujoco.mj_contactForce(scene.model, scene.data, index, buffer)
        lifted_n += rise * float(buffer[0])
    weight_n = float(scene.model.body_subtreemass[scene.body(name)]) * GRAVITY_M_S2
    return lifted_n >= CARRIED_SHARE * weight_n


def released(scene: Scene, name: str) -> Condition:
    """Return a condition: no link of the robot has touched ``name`` for 0.3 s."""

    def build() -> Condition:
        touching = scene.contacts.now(scene.geoms(ROBOT_NAMES[0]), scene.geoms(name))
        return scene.lasting.lasts(lambda: not touching(), RELEASED_S)

    return scene.shared(("released", name), build)


def still(scene: Scene, name: str) -> Condition:
    """Return a condition: ``name`` has been slower than 2 cm/s and 0.3 rad/s for 0.5 s, or hangs and swings."""

    def build() -> Condition:
        def slow() -> bool:
            speed, turn = speeds(scene, name)
            return speed < STILL_M_S and turn < STILL_RAD_S

        rests = scene.lasting.lasts(slow, STILL_S)
        if not scene.has_part(name, "loop"):
            return rests
        lies = scene.contacts.now(scene.geoms(name), scene.geoms(scene.workspace))
        mean = scene.lasting.mean(lambda: speeds(scene, name)[0], SWING_S)

        def swings() -> bool:
            average = mean()
            return average is not None and average < SWING_M_S and not lies()

        return lambda: rests() or swings()

    return scene.shared(("still", name), build)


def speeds(scene: Scene, name: str) -> tuple[float, float]:
    """Return the speed of the centre of mass [m/s] and of turning [rad/s]; both 0 for what is fixed."""
    if name not in scene.movable:
        return 0.0, 0.0
    velocity = scene.data.qvel[scene.free_dofs(name)]
    spin: Array = scene.rotation(name) @ velocity[3:]
    linear = velocity[:3] + np.cross(spin, scene.com(name) - scene.origin(name))
    return float(np.linalg.norm(linear)), float(np.linalg.norm(spin))
