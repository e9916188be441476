"""``pour``: hold a vessel's mouth over an opening, tilt it until enough has flowed, and set it upright again.

The vessel turns about its own mouth, which stays in the middle over the opening and sinks towards it: nothing flows
beside it, however far the tilt has come. Which way it tilts, how far, and how high over the rim are searched: the first
way that the arm can follow without touching anything, and without stretching out if there is one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from proctor.assets import Site
from proctor.sim import BASE_POS, CONTROL_DT, HOME_Q, flow_rate, matrix

from .._arm import Array, Doing, SkillError
from .._clearance import ELBOW, STRETCHED_RAD, Held, held_now
from .._hands import Hands
from .._travel import Path
from ._frame import skill
from ._target import Target, asset_of, target_of
from ._turn import shortest

# Share of the content that is poured where nobody says how much: tasks ask for 0.3 or 0.5.
WANTED = 0.6
TILTS_RAD = tuple(math.radians(degrees) for degrees in (95.0, 90.0, 105.0))
# Directions in which the mouth goes down, about the vertical from straight ahead of the hand. Aside is best: the arm
# reaches that with hands pitched by 50 to 90 degrees, ahead only with 50 and stretched out (measured, 95 degrees).
HEADINGS_RAD = tuple(math.radians(degrees) for degrees in (60, -60, 80, -80, 45, -45, 100, -100, 25, -25, 0))
# Free height between the rim and the bottom of the upright vessel, and the most between the rim and its mouth.
GAP_M, HIGHEST_M = 0.015, 0.22
# Height of the mouth over the rim where it pours.
LOWS_M = (0.045, 0.08, 0.12)
STEP_RAD = 0.15
TURN_SPEED = 1.5
LONGEST_S = 6.0
REACHED_M = 0.003
# So far off its line an arm has lost its way: going on, it would flail.
LOST_M = 0.05
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """How to pour: where the mouth is before and where it pours, the vessel's upright rotation, axis and tilt."""

    high: Array
    low: Array
    upright: Array
    axis: Array
    tilt: float

    def pose(self, held: Held, spout: Array, angle: float) -> tuple[Array, Array]:
        """Return the tool pose that holds the mouth in its place with the vessel tilted by ``angle``."""
        vessel = matrix(self.axis * angle) @ self.upright
        rotation = vessel @ held.rotation.T
        # The mouth sinks no faster than the bottom rises.
        share = (1.0 - math.cos(angle)) / (1.0 - math.cos(self.tilt))
        mouth = self.high + (self.low - self.high) * share
        return mouth - vessel @ spout - rotation @ held.position, rotation

    def angles(self, start: float, stop: float) -> list[float]:
        """Return tilts from one to another in small steps, without the first."""
        count = max(1, math.ceil(abs(stop - start) / STEP_RAD))
        return [start + (stop - start) * k / count for k in range(1, count + 1)]


@skill("pour", needs="holding")
def pour(hands: Hands, where: str, wanted: float = WANTED) -> Doing:
    """Pour the share ``wanted`` of the held vessel's content into something; ends upright over it."""
    name = hands.holding
    assert name is not None
    target = target_of(hands.scene, where)
    try:
        way, path = _plan(hands, name, target)
    except SkillError:
        # An arm that wound itself up to grasp reaches everything again from home.
        yield from hands.traveller.home(held=held_now(hands.scene, name))
        way, path = _plan(hands, name, target)
    yield from hands.traveller.follow(path, speed=0.4)
    yield from _turn(hands, name, way, 0.0, way.tilt)
    flowed = 0.0
    for _ in range(round(LONGEST_S / CONTROL_DT)):
        flowed += flow_rate(math.degrees(tilt_of(hands, name))) * CONTROL_DT
        if flowed >= wanted:
            break
        yield hands.arm.action()
    yield from _turn(hands, name, way, way.tilt, 0.0)


def tilt_of(hands: Hands, name: str) -> float:
    """Return the angle [rad] between the axis of a vessel's mouth and the vertical."""
    axis = hands.scene.rotation(name) @ _spout(hands, name)[1]
    return math.acos(float(np.clip(axis[2], -1.0, 1.0)))


def _spout(hands: Hands, name: str) -> tuple[Array, Array]:
    spout = hands.scene.assets[name].spout
    if spout is None:
        raise SkillError(f"{name} has no mouth to pour from")
    return np.asarray(spout.position, float), np.asarray(spout.axis, float)


def _turn(hands: Hands, name: str, way: _Way, start: float, stop: float) -> Doing:
    """Turn the vessel about its mouth; how it lies in the hand is measured again at every step."""
    spout, _ = _spout(hands, name)
    for angle in way.angles(start, stop):
        position, rotation = way.pose(held_now(hands.scene, name), spout, angle)
        yield from hands.arm.move(position, rotation, speed=0.3, turn_speed=TURN_SPEED, settle=0)
        if np.linalg.norm(hands.arm.position - position) > LOST_M:
            raise SkillError(f"the arm cannot follow while it tilts {name}")


def _plan(hands: Hands, name: str, target: Target) -> tuple[_Way, Path]:
    held, (spout, _) = held_now(hands.scene, name), _spout(hands, name)
    ways = list(_ways(hands, name, target))
    easy = [way for way in ways if _is_easy(hands, way.pose(held, spout, way.tilt))]
    blocked = ""
    tries = [*((way, True) for way in easy), *((way, False) for way in sorted(ways, key=lambda way: way not in easy))]
    for way, glide in tries:
        poses = [way.pose(held, spout, angle) for angle in (0.0, *way.angles(0.0, way.tilt))]
        path = hands.traveller.plan(poses, held=held, glide=glide)
        if not isinstance(path, str):
            return way, path
        blocked = blocked or path
    raise SkillError(f"cannot pour {name} into {target.entity}: {blocked} is in the way")


def _is_easy(hands: Hands, pose: tuple[Array, Array]) -> bool:
    """Whether the arm reaches a pose with a bent elbow: a straight one jumps where the hand should glide."""
    q, error = hands.clearance.solve(*pose, HOME_Q)
    return error < REACHED_M and bool(q[ELBOW] < STRETCHED_RAD)


def _ways(hands: Hands, name: str, target: Target) -> Iterator[_Way]:
    """Yield ways to pour, best first."""
    scene = hands.scene
    spout, axis = _spout(hands, name)
    opening = _opening(hands, target)
    centre, frame = scene.site_frame(target.entity, opening)
    rim = centre + frame @ np.array([0.0, 0.0, opening.half[2]])
    rotation = scene.rotation(name)
    upright = matrix(shortest(rotation @ axis, UP)) @ rotation
    ahead = _ahead(hands, rim)
    high = rim + UP * min(float(spout @ axis) + GAP_M, HIGHEST_M)
    for heading, low, tilt in itertools.product(HEADINGS_RAD, LOWS_M, TILTS_RAD):
        yield _Way(high, rim + UP * low, upright, np.cross(UP, matrix(UP * heading) @ ahead), tilt)


def _opening(hands: Hands, target: Target) -> Site:
    """Return the site whose upper face is the opening that a target means."""
    sites = asset_of(hands, target).sites
    site = target.site or next((s for s in sites if s.kind == "contain"), None)
    if site is None:
        raise SkillError(f"nothing can be poured into {target.entity}")
    return site


def _ahead(hands: Hands, goal: Array) -> Array:
    """Return the level direction in which the hand points; of one that points down, that from the base to a goal."""
    pointing = hands.arm.rotation[:2, 2]
    if np.linalg.norm(pointing) < 0.3:
        pointing = goal[:2] - np.asarray(BASE_POS[:2])
    return np.array([*(pointing / np.linalg.norm(pointing)), 0.0])
