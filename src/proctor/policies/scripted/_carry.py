"""How fast the arm may go: what is in the hand may hold something itself.

A full vessel is carried at a walking pace: heaped mugs and bowls lost nothing below 1.7 m/s2 and one to three balls at
5 (shared/facts/physics.md, section 1). Whoever does not care moves as fast as the actions allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from proctor.assets import Grasp
from proctor.sim import Scene

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
