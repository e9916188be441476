"""Has it been spilled? Every particle of every vessel is in it, in the air, or out.

In: its centre lies within the hollow, or heaped in the mouth by no more than its radius. Out, for good: it is not in,
and it is lower than the lowest point of the rim, or beside the wall and under the plane of the rim, or under the base,
or lies on the table, or is more than 15 cm away, or the vessel leans by more than 60 degrees (what has left its mouth
has no way back). Otherwise it is in the air, which counts only if the episode ends so.

Looked at once per control step, 30 us a vessel. Source of the rule and of what the first versions of it missed:
shared/facts/physics.md, section 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Asset, Hollow
from proctor.core import Event

from ._contents import Contents
from ._pour import inside, radius_of
from ._scenery import TABLE_Z

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
        """Whether the number is not 0."""
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
        """Particles that have left their vessels."""
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
        """Restore what `state` returned."""
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
