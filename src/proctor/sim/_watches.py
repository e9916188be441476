"""Conditions with memory: nearness within a control step, touches since settling."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from ._contacts import Condition, GeomIds, Graded
from ._distance import DistanceProbe


class NearWatch:
    """How near pairs of geom sets came to each other at the looks of a control step."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._probes: list[DistanceProbe] = []
        self._last: list[float] = []
        self._least: list[float] = []

    def within(self, a: GeomIds, b: GeomIds, distance_m: float) -> Graded:
        """Return a condition: ``a`` came within ``distance_m`` of ``b`` in this control step; graded by how far in."""
        slot = self._slot(a, b, distance_m)
        return Graded(lambda: self._least[slot] <= distance_m, lambda: max(distance_m - self._least[slot], 0.0), "m")

    def now(self, a: GeomIds, b: GeomIds, distance_m: float) -> Graded:
        """Return a condition: ``a`` is within ``distance_m`` of ``b`` at the end of the control step."""
        slot = self._slot(a, b, distance_m)
        return Graded(lambda: self._last[slot] <= distance_m, lambda: max(distance_m - self._last[slot], 0.0), "m")

    def _slot(self, a: GeomIds, b: GeomIds, distance_m: float) -> int:
        # The probe's limit lies above the threshold, or "far away" and "at the threshold" would look alike.
        self._probes.append(DistanceProbe(self._model, a, b, distance_m + 1e-3))
        self._last.append(np.inf)
        self._least.append(np.inf)
        return len(self._probes) - 1

    def begin_step(self) -> None:
        """Forget the previous control step."""
        self._least = [np.inf] * len(self._probes)

    def sample(self, data: mujoco.MjData) -> None:
        """Measure every pair."""
        self._last = [probe(data) for probe in self._probes]
        self._least = list(map(min, self._least, self._last))

    def state(self) -> tuple[list[float], list[float]]:
        """Return a copy of the memory, for exact restore."""
        return list(self._last), list(self._least)

    def restore(self, state: tuple[list[float], list[float]]) -> None:
        """Restore what `state` returned."""
        self._last, self._least = list(state[0]), list(state[1])


class TouchMemory:
    """What has touched what since settling, beyond what it touched at rest."""

    def __init__(self) -> None:
        self._watched: list[Mapping[str, Condition]] = []
        self._at_rest: list[frozenset[str]] = []
        self._collided: list[bool] = []

    def ever(self, touches: Mapping[str, Condition]) -> Condition:
        """Return a condition: one of ``touches`` that was false after settling has been true since."""
        self._watched.append(touches)
        self._at_rest.append(frozenset())
        self._collided.append(False)
        slot = len(self._watched) - 1
        return lambda: self._collided[slot]

    def begin(self) -> None:
        """Take the current touches as those at rest."""
        self._at_rest = [frozenset(n for n, touch in w.items() if touch()) for w in self._watched]
        self._collided = [False] * len(self._watched)

    def update(self) -> None:
        """Look at the touches of the control step that has just ended."""
        for slot, touches in enumerate(self._watched):
            if not self._collided[slot]:
                self._collided[slot] = any(touch() for n, touch in touches.items() if n not in self._at_rest[slot])

    def state(self) -> tuple[list[frozenset[str]], list[bool]]:
        """Return a copy of the memory, for exact restore."""
        return list(self._at_rest), list(self._collided)

    def restore(self, state: tuple[list[frozenset[str]], list[bool]]) -> None:
        """Restore what `state` returned."""
        self._at_rest, self._collided = list(state[0]), list(state[1])
