"""Particles in vessels: how many, where they lie at the start, and which have been spilled.

Water in a vessel: how many particles, and where they lie once they have come to rest.

Poured once per vessel and count, in a small model of its own: the vessel stands free on a table, as it will in the
scene, because a heap of balls without friction gives way when its vessel does. So every reset starts from contents at
rest, in a vessel that is as deep in the table as their weight presses it. The vessel's wall is a ring of equal boxes
and looks the same after each turn by one of them: an episode's contents are the poured ones, turned by as many boxes
as its seed says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Asset, Hollow, attach, make
from proctor.core import Event, named_seed
from proctor.tasks.cbddl import Task

from ._errors import SceneError, located
from ._panda import TIMESTEP_S, set_physics
from ._room import TABLE_HALF, TABLE_Z, add_table_top
from ._rotation import Array, yaw_matrix

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


# Which particles lie in which vessel at the start: from ``:fill``, or from balls that ``:init`` puts on a vessel.
#
# A chain ``(On ball_1 mug) (On ball_2 ball_1)``, as upstream writes it, means that all of them are in the mug; they are
# poured like any others, not stacked on a point.


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """What a vessel holds after settling: the particles' places in the vessel's frame, and how high that then stands
    over what it stands on (a little below it: contacts are soft).
    """

    vessel: str
    particles: tuple[str, ...]
    origins: Array
    height_m: float


def contents_of(task: Task, assets: dict[str, Asset], instance_set: int) -> tuple[Contents, ...]:
    """Return the filled vessels of a task; particles that the file does not name are added to ``assets``."""
    declared = _declared(task, assets)
    found = []
    for vessel, names in declared.items():
        rest = _pour(assets, vessel, assets[names[0]], len(names))
        found.append(Contents(vessel, tuple(names), rest.origins, rest.height_m))
    for fill in task.fills:
        asset = assets[fill.vessel]
        if fill.vessel in declared:
            raise SceneError(f"{fill.span}: :init already puts balls into {fill.vessel!r}; keep one of the two")
        category = particle_for(asset)
        ball = make(category, particle_seed(instance_set, category))
        try:
            rest = _pour(assets, fill.vessel, ball, fill.amount)
        except SceneError as error:
            raise located(fill.span, error) from None
        names = [f"{fill.vessel}_water_{i + 1}" for i in range(len(rest.origins))]
        taken = next((name for name in names if name in assets), None)
        if taken is not None:
            raise SceneError(f"{fill.span}: {taken!r} is the name of a particle of {fill.vessel!r}; rename the object")
        assets.update(dict.fromkeys(names, ball))
        found.append(Contents(fill.vessel, tuple(names), rest.origins, rest.height_m))
    return tuple(found)


def particle_seed(instance_set: int, category: str) -> int:
    """Return the seed that all particles of a category share in a scene: they are alike, and compile to one mesh."""
    return named_seed(instance_set, category) % 2**32


def _pour(assets: dict[str, Asset], vessel: str, ball: Asset, amount: str | int) -> Poured:
    cup = assets[vessel]
    return poured((cup.category, cup.seed), (ball.category, ball.seed), amount)


def _declared(task: Task, assets: dict[str, Asset]) -> dict[str, list[str]]:
    """Return the declared particles that stand, directly or on others, on a vessel, by vessel."""
    under = {str(a.args[0]): str(a.args[1]) for a in task.init if a.predicate in ("On", "In")}
    inside: dict[str, list[str]] = {}
    for entity in task.objects:
        if not assets[entity.name].particle:
            continue
        name = under.get(entity.name, "")
        while name in under and assets[name].particle:
            name = under[name]
        vessel = name if name in assets else _target(task, name)
        if vessel in assets and assets[vessel].hollow is not None:
            inside.setdefault(vessel, []).append(entity.name)
    return inside


def _target(task: Task, name: str) -> str:
    region = task.region(name)
    return region.target if region is not None and not region.ranges else ""


# Has it been spilled? Every particle of every vessel is in it, in the air, or out.
#
# In: its centre lies within the hollow, or heaped in the mouth by no more than its radius. Out, for good: it is not
# in, and it is lower than the lowest point of the rim, or beside the wall and under the plane of the rim, or under
# the base, or lies on the table, or is more than 15 cm away, or the vessel leans by more than 60 degrees (what has
# left its mouth has no way back). Otherwise it is in the air, which counts only if the episode ends so.
#
# Looked at once per control step, 30 us a vessel. Source of the rule and of what the first versions of it missed:
# shared/facts/physics.md, section 1.

FAR_M = 0.15
SUPPORT_M = 0.003
LYING_RAD = math.radians(60.0)
_EDGE_M = 1e-3
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tally:
    """A condition with a number behind it: true while the number is not 0."""

    count: Callable[[], int]

    def __call__(self) -> bool:
        return self.count() > 0


@dataclass(slots=True, eq=False)
class _Watched:
    """One vessel with its particles."""

    vessel: str
    particles: tuple[str, ...]
    body: int
    bodies: NDArray[np.intp]
    hollow: Hollow
    radius_m: float
    inside: Flags
    out: Flags


class SpillWatch:
    """What the vessels of a scene hold and have lost; `begin` after settling, `update` after every control step."""

    def __init__(self, model: mujoco.MjModel, contents: Sequence[Contents], assets: Mapping[str, Asset]) -> None:
        self._watched = [_watch(model, item, assets) for item in contents]

    def __bool__(self) -> bool:
        return bool(self._watched)

    def tally(self, vessel: str) -> Tally | None:
        """Return the number of particles that have left ``vessel``, or None if it held nothing."""
        item = next((w for w in self._watched if w.vessel == vessel), None)
        return None if item is None else Tally(lambda: int(item.out.sum()))

    def kept(self, particle: str, vessel: str) -> Callable[[], bool] | None:
        """Return a condition: the particle is in the vessel and never was out of it; None if it did not start in it."""
        for item in self._watched:
            if item.vessel == vessel and particle in item.particles:
                i = item.particles.index(particle)
                return lambda: bool(item.inside[i]) and not bool(item.out[i])
        return None

    @property
    def total(self) -> int:
        return sum(int(item.out.sum()) for item in self._watched)

    def begin(self, data: mujoco.MjData) -> None:
        """Start to count. What is not in by now was never in; `update` will find it out."""
        for item in self._watched:
            item.out = np.zeros(len(item.particles), bool)
            item.inside, _ = _classify(item, data)

    def update(self, data: mujoco.MjData, step: int, time_s: float) -> list[Event]:
        """Look at all particles; return an event for each that is out since now, its value the vessel's total."""
        events = []
        for item in self._watched:
            item.inside, out = _classify(item, data)
            events += _lose(item, out, step, time_s)
        return events

    def finish(self, step: int, time_s: float) -> list[Event]:
        """Count what is in the air at the end of the episode."""
        return [event for item in self._watched for event in _lose(item, ~item.inside, step, time_s)]

    def state(self) -> list[tuple[Flags, Flags]]:
        """Return a copy of the memory, for exact restore."""
        return [(item.inside.copy(), item.out.copy()) for item in self._watched]

    def restore(self, state: list[tuple[Flags, Flags]]) -> None:
        for item, (now, out) in zip(self._watched, state, strict=True):
            item.inside, item.out = now.copy(), out.copy()


def _watch(model: mujoco.MjModel, item: Contents, assets: Mapping[str, Asset]) -> _Watched:
    hollow, count = assets[item.vessel].hollow, len(item.particles)
    assert hollow is not None
    return _Watched(
        item.vessel,
        item.particles,
        model.body(item.vessel).id,
        np.array([model.body(name).id for name in item.particles], np.intp),
        hollow,
        radius_of(assets[item.particles[0]]),
        np.ones(count, bool),
        np.zeros(count, bool),
    )


def _classify(item: _Watched, data: mujoco.MjData) -> tuple[Flags, Flags]:
    """Return which particles are in, and which are out; the rest is in the air."""
    hollow, radius = item.hollow, item.radius_m
    frame = data.xmat[item.body].reshape(3, 3)
    centres = data.xpos[item.bodies] + (0.0, 0.0, radius)
    local = (centres - data.xpos[item.body]) @ frame
    held = inside(hollow, local, radius)
    up = float(frame[2, 2])
    if up < math.cos(LYING_RAD):
        return held, ~held
    away, z = np.hypot(local[:, 0], local[:, 1]), local[:, 2]
    lean = math.sqrt(max(0.0, 1.0 - up * up))
    lowest_rim = float(data.xpos[item.body, 2]) + up * hollow.rim_m - lean * hollow.profile[-1][2]
    gone = (centres[:, 2] < lowest_rim) | (z < 0.0) | (centres[:, 2] - radius <= TABLE_Z + SUPPORT_M)
    gone |= (z < hollow.rim_m) & (away > hollow.outer(z) - _EDGE_M)
    gone |= (away > FAR_M) | (z > hollow.rim_m + FAR_M)
    return held, np.asarray(~held & gone)


def _lose(item: _Watched, out: Flags, step: int, time_s: float) -> list[Event]:
    before = int(item.out.sum())
    item.out = item.out | out
    return [Event(step, time_s, "spill", item.vessel, float(n)) for n in range(before + 1, int(item.out.sum()) + 1)]
