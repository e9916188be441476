"""Water in a vessel: how many particles, and where they lie once they have come to rest.

Poured once per vessel and count, in a small model of its own: the vessel stands free on a table, as it will in the
scene, because a heap of balls without friction gives way when its vessel does. So every reset starts from contents at
rest, in a vessel that is as deep in the table as their weight presses it. The vessel's wall is a ring of equal boxes
and looks the same after each turn by one of them: an episode's contents are the poured ones, turned by as many boxes
as its seed says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Asset, Hollow, attach, make

from ._errors import SceneError
from ._panda import TIMESTEP_S, set_physics
from ._rotation import Array, yaw_matrix
from ._scenery import TABLE_HALF, add_table_top

FILL = ("half", "full")
HEAP_M = 0.002
LEVEL_M = 0.004
POUR_S = 0.8
SETTLE_S = 0.4
REST_S = 0.1
REST_MAX_S = 2.0
REST_SPEED = 0.001
WALL_BOXES = 12
# Wide vessels are filled with larger particles: 90 small ones would make a step four times as slow.
PARTICLES = ("water_ball", "water_gulp")
MANY = 60
_GAP_M = 0.0008
_JITTER_M = 0.0005
_AWAY_M = -100.0


def radius_of(particle: Asset) -> float:
    """Return the radius of a particle, whose origin is its lowest point."""
    return particle.height_m / 2


def particle_for(vessel: Asset) -> str:
    """Return the category of particle that ``:fill`` puts into a vessel."""
    small = radius_of(make(PARTICLES[0], 0))
    return PARTICLES[vessel.hollow is not None and vessel.hollow.balls(small) > MANY]


@dataclass(frozen=True, slots=True, eq=False)
class Poured:
    """Particles at rest: their origins in the vessel's frame, and how high the vessel then stands over the table."""

    origins: Array
    height_m: float


@lru_cache(maxsize=64)
def poured(vessel: tuple[str, int], particle: tuple[str, int], amount: str | int) -> Poured:
    """Return what lies at rest in a vessel on a table; ``amount`` as in ``:fill``.

    ``full``: poured until it runs over, and what lies too high taken off again: in a vessel with a handle, centres
    more than 2 mm over the rim; in one that is held with a finger over its rim, tops more than 4 mm over it. ``half``:
    the upper half of these taken off as well; a number: so many. Assets are (category, seed). Raises `SceneError` if
    they do not stay in.
    """
    cup, ball = make(*vessel), make(*particle)
    if cup.hollow is None:
        raise SceneError(f"{cup.category} cannot be filled; use a mug or a bowl")
    radius, limit = radius_of(ball), math.inf
    middle = np.array([0.0, 0.0, radius])
    if amount == "half":
        start = _lower_half(poured(vessel, particle, "full"))
    else:
        if amount == "full":
            amount, limit = round(1.1 * cup.hollow.balls(radius)), _limit(cup, cup.hollow, radius)
        assert isinstance(amount, int)
        start = _stacked(cup.hollow, radius, amount)
    data = _basin(cup, ball, len(start))
    data.qpos[7:] = start.ravel()
    places, speeds = data.qpos[7:].reshape(-1, 3), data.qvel[6:].reshape(-1, 3)
    mujoco.mj_step(data.model, data, round((SETTLE_S if amount == "half" else POUR_S) / TIMESTEP_S))
    while limit < math.inf:
        local = _in_vessel(data, places)
        over = ~inside(cup.hollow, local + middle, radius) | (local[:, 2] + radius > limit)
        over &= places[:, 2] > _AWAY_M / 2
        if not over.any():
            break
        places[over, 2] = _AWAY_M
        mujoco.mj_step(data.model, data, round(SETTLE_S / TIMESTEP_S))
    kept = places[:, 2] > _AWAY_M / 2
    for _ in range(round(REST_MAX_S / REST_S)):
        if np.abs(speeds[kept]).max() < REST_SPEED:
            break
        mujoco.mj_step(data.model, data, round(REST_S / TIMESTEP_S))
    left = _in_vessel(data, places[kept])
    lost = int(np.sum(~inside(cup.hollow, left + middle, radius)))
    if lost:
        raise SceneError(f"a {cup.category} does not hold {amount} of {ball.category}: {lost} spill; use fewer")
    left.setflags(write=False)
    return Poured(left, float(data.qpos[2]))


def _lower_half(full: Poured) -> Array:
    low = np.argsort(full.origins[:, 2], kind="stable")[: len(full.origins) // 2]
    return np.asarray(full.origins[np.sort(low)] + [0.0, 0.0, full.height_m])


def _limit(cup: Asset, hollow: Hollow, radius_m: float) -> float:
    """Return how high a centre may lie in a full vessel."""
    heaped = any(grasp.part == "handle" for grasp in cup.grasps)
    return hollow.rim_m + (HEAP_M if heaped else LEVEL_M - radius_m)


def _basin(cup: Asset, ball: Asset, count: int) -> mujoco.MjData:
    """Return the state of a model with the vessel on a table and ``count`` particles, in that order."""
    spec = mujoco.MjSpec()
    set_physics(spec)
    add_table_top(spec.worldbody.add_body(pos=(0.0, 0.0, -TABLE_HALF[2])))
    attach(spec, spec.worldbody, cup, "vessel", free=True)
    for i in range(count):
        attach(spec, spec.worldbody, ball, f"p{i}", free=True)
    return mujoco.MjData(spec.compile())


def _in_vessel(data: mujoco.MjData, places: Array) -> Array:
    """Return places of the basin in the vessel's frame."""
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, data.qpos[3:7])
    return np.asarray((places - data.qpos[:3]) @ rotation.reshape(3, 3))


def turned(origins: Array, boxes: int) -> Array:
    """Return contents turned about the vessel's axis by a number of wall boxes."""
    return np.asarray(origins @ yaw_matrix(2 * math.pi * boxes / WALL_BOXES).T)


def inside(hollow: Hollow, centres: Array, radius_m: float) -> NDArray[np.bool_]:
    """Return which centres, in the vessel's frame, lie in its hollow or heaped in its mouth."""
    out = np.hypot(centres[:, 0], centres[:, 1])
    z = centres[:, 2]
    return np.asarray((out <= hollow.inner(z) + 1e-3) & (z >= hollow.floor_m - 1e-3) & (z <= hollow.rim_m + radius_m))


def _stacked(hollow: Hollow, radius_m: float, count: int) -> Array:
    """Layers of a ring or more and one in the middle, from the floor up; they fall together when time passes."""
    rng = np.random.Generator(np.random.PCG64(count))
    points: list[tuple[float, float, float]] = []
    z, layer = hollow.floor_m + 0.0005, 0
    while len(points) < count:
        ring = float(hollow.inner(z)) * math.cos(math.pi / WALL_BOXES) - radius_m - _GAP_M
        while ring > radius_m + _GAP_M:
            places = int(math.pi / math.asin((radius_m + _GAP_M) / ring))
            for k in range(places):
                angle = 0.4 * layer + 2 * math.pi * k / places
                points.append((ring * math.cos(angle), ring * math.sin(angle), z))
            ring -= 2 * (radius_m + _GAP_M)
        # Where it has no room between the others it is pressed out upwards.
        points.append((0.0, 0.0, z))
        z, layer = z + 2 * radius_m + _GAP_M, layer + 1
    stacked = np.array(points[:count])
    stacked[:, :2] += rng.uniform(-_JITTER_M, _JITTER_M, (count, 2))
    return stacked
