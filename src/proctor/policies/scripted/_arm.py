"""The expert's hands and eyes: privileged state in, 7-D actions out, at the pace that what it carries allows.

Skills are generators: they yield one action per control step and read the state again when they are resumed. Nothing
is welded, nothing teleported; whatever the expert does, a policy could do through the same actions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from proctor.assets import Grasp
from proctor.sim import (
    CONTROL_DT,
    FINGER_OPEN_M,
    FINGER_SQUEEZE_M,
    POSITION_SCALE_M,
    ROTATION_SCALE_RAD,
    Scene,
    SimEnv,
    geom_force,
    rotvec,
)

# How fast the arm may go: what is in the hand may hold something itself.
#
# A full vessel is carried at a walking pace: heaped mugs and bowls lost nothing below 1.7 m/s2 and one to three balls
# at 5 (shared/facts/physics.md, section 1). Whoever does not care moves as fast as the actions allow.

# From speed [m/s], turn speed [rad/s] and acceleration [m/s2] of a move to those at which it is done.
Pace: TypeAlias = Callable[[float, float, float], tuple[float, float, float]]

CAREFUL = (0.30, 0.8, 0.8)
# Full-size actions: 5 cm and half a radian per control step, from standstill.
HURRIED = (1.0, 10.0, 20.0)
FINE_SPEED = 0.2
HANDLE = "handle"
DIPPING_COST = 5.0
# Opening per finger with which to dip into contents: nothing that floats there gets between finger and wall.
NARROW_M = 0.011


def unhurried(speed: float, turn_speed: float, acceleration: float) -> tuple[float, float, float]:
    """As the skill wishes."""
    return speed, turn_speed, acceleration


def careful(speed: float, turn_speed: float, acceleration: float) -> tuple[float, float, float]:
    """No faster than contents allow."""
    return min(speed, CAREFUL[0]), min(turn_speed, CAREFUL[1]), min(acceleration, CAREFUL[2])


def hurried(speed: float, turn_speed: float, acceleration: float) -> tuple[float, float, float]:
    """As fast as the actions go, but for the fine moves that end on something."""
    return (speed, turn_speed, acceleration) if speed <= FINE_SPEED else HURRIED


def contents_in(scene: Scene, name: str) -> frozenset[str]:
    """Return the particles that an entity held at the start of the episode."""
    return frozenset(p for contents in scene.contents if contents.vessel == name for p in contents.particles)


def pace_for(scene: Scene, name: str, *, avoid: bool) -> Pace:
    if not contents_in(scene, name):
        return unhurried
    return careful if avoid else hurried


def by_the_handle(grasps: Sequence[Grasp]) -> tuple[Grasp, ...]:
    """Return the grasps of a vessel that holds something: those for which no finger dips into it are liked better."""
    return tuple(g if g.part == HANDLE else replace(g, cost=g.cost + DIPPING_COST) for g in grasps)


Array: TypeAlias = NDArray[np.float64]
Motion: TypeAlias = Generator[Array, None, bool]
Doing: TypeAlias = Generator[Array, None, None]

OPEN, HOLD, CLOSE = -1.0, 0.0, 1.0
FULLY_OPEN_M = FINGER_OPEN_M - 0.001
FULLY_CLOSED_M = FINGER_SQUEEZE_M + 1e-4


class SkillError(Exception):
    """A skill cannot go on; the text says why."""


class SlippedError(SkillError):
    """Something was grasped and lost, in every way that was tried."""


class BlockedError(SkillError):
    """Something cannot be put where it shall go, because ``by`` is in the way."""

    def __init__(self, text: str, by: str) -> None:
        super().__init__(text)
        self.by = by


class Arm:
    """Commanded pose, gripper and touch of one environment."""

    def __init__(self, env: SimEnv) -> None:
        self.env = env
        self.grip = OPEN
        self.pace: Pace = unhurried

    @property
    def scene(self) -> Scene:
        return self.env.scene

    @property
    def position(self) -> Array:
        return self.env.controller.position

    @property
    def rotation(self) -> Array:
        return self.env.controller.rotation

    @property
    def finger_m(self) -> float:
        """Commanded opening per finger."""
        return self.env.controller.finger_m

    def measured_finger_m(self) -> float:
        """Mean measured opening per finger."""
        return float(self.scene.data.qpos[self.scene.finger_qpos].mean())

    def action(self, move: Array | None = None, turn: Array | None = None) -> Array:
        """Return the action that moves the commanded pose by ``move`` metres and ``turn`` radians."""
        out = np.zeros(7)
        if move is not None:
            out[:3] = move / POSITION_SCALE_M
        if turn is not None:
            out[3:6] = turn / ROTATION_SCALE_RAD
        out[6] = self.grip
        return np.clip(out, -1.0, 1.0)

    def force(self, a: str, b: str) -> float:
        """Return the normal force [N] between two entities right now."""
        scene = self.scene
        first, second = frozenset(scene.geoms(a).tolist()), frozenset(scene.geoms(b).tolist())
        return geom_force(scene.model, scene.data, first, second)

    def supports(self, name: str) -> frozenset[str]:
        """Return what an entity touches, the robot left out: what it stands on, or in."""
        scene = self.scene
        mine = set(scene.geoms(name).tolist())
        others = (h if g in mine else g for g, h in scene.data.contact.geom.tolist() if (g in mine) != (h in mine))
        return frozenset(scene.owner(geom) for geom in others) & frozenset((*scene.movable, *scene.fixed))

    def finger_forces(self, name: str) -> tuple[float, float]:
        """Return the force [N] of each finger on an entity."""
        scene = self.scene
        thing = frozenset(scene.geoms(name).tolist())
        left, right = (geom_force(scene.model, scene.data, frozenset(g.tolist()), thing) for g in scene.finger_geoms)
        return left, right

    # -- motions -------------------------------------------------------------------------------------------------------
    def move(
        self,
        position: Array,
        rotation: Array,
        *,
        speed: float = 0.5,
        turn_speed: float = 2.2,
        acceleration: float = 2.0,
        stop: Callable[[], bool] | None = None,
        settle: int = 3,
    ) -> Motion:
        """Move the commanded pose on a straight, speed- and acceleration-limited line; True when ``stop`` ended it.

        Gives up when no progress is made for 12 steps (blocked or out of reach); then waits up to ``settle`` steps
        for the tool. What is held may set another pace.
        """
        speed, turn_speed, acceleration = self.pace(speed, turn_speed, acceleration)
        velocity, best, idle = 0.0, np.inf, 0
        while True:
            ahead, turn = position - self.position, rotvec(rotation @ self.rotation.T)
            distance, angle = float(np.linalg.norm(ahead)), float(np.linalg.norm(turn))
            if distance < 2e-4 and angle < 2e-3:
                break
            braking = 0.7 * math.sqrt(2 * acceleration * distance) + 0.01
            velocity = min(speed, velocity + acceleration * CONTROL_DT, braking)
            part = min(1.0, velocity * CONTROL_DT / max(distance, 1e-9))
            yield self.action(ahead * part, turn * min(1.0, turn_speed * CONTROL_DT / max(angle, 1e-9)))
            if stop is not None and stop():
                return True
            left = distance + 0.2 * angle
            idle = 0 if left < best - 1e-4 else idle + 1
            best = min(best, left)
            if idle > 12:
                break
        for _ in range(settle):
            if np.linalg.norm(self.scene.tcp()[0] - position) < 0.0015:
                break
            yield self.action()
            if stop is not None and stop():
                return True
        return False

    def shift(self, by: Array, *, speed: float = 0.4, rotation: Array | None = None) -> Doing:
        """Move by a vector, keeping (or reaching) a rotation, without waiting at the end."""
        yield from self.move(self.position + by, self.rotation if rotation is None else rotation, speed=speed, settle=0)

    def fingers(self, grip: float, steps: int, until: Callable[[], bool] | None = None) -> Doing:
        """Open, hold or close for up to ``steps`` control steps, or until a condition holds."""
        self.grip = grip
        for _ in range(steps):
            if until is not None and until():
                return
            yield self.action()

    def open_hand(self) -> Doing:
        yield from self.fingers(OPEN, 14, lambda: self.finger_m >= FULLY_OPEN_M)

    def close_hand(self) -> Doing:
        """Close until the command is at its limit, so that whatever is between the pads gets the full force."""
        yield from self.fingers(CLOSE, 12, lambda: self.finger_m <= FULLY_CLOSED_M)

    def wait(self, steps: int) -> Doing:
        for _ in range(steps):
            yield self.action()
