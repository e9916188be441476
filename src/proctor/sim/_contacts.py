"""Contacts and their forces: what touched and how hard, remembered over the substeps of a control step.

A touch lasts 8 to 34 ms; looking once per 50 ms missed 48 of 60 of them (shared/facts/physics.md, section 3). Each
watched pair of geom sets owns one bit; a geom-by-geom table turns MuJoCo's contact list into an OR of bits in one numpy
pass. MuJoCo orders a contact's geoms by type, so both orders are in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import mujoco
import numpy as np
from numpy.typing import NDArray

Condition: TypeAlias = Callable[[], bool]
GeomIds: TypeAlias = NDArray[np.intp]
_BITS = 64


@dataclass(frozen=True, slots=True)
class Graded:
    """A condition that also says how far it went in the control step that has just ended: ``severity`` in ``unit``."""

    holds: Condition
    severity: Callable[[], float]
    unit: str

    def __call__(self) -> bool:
        return self.holds()


class ContactWatch:
    """Bits of the watched pairs: ``now`` after the last physics substep, ``latched`` since the control step began.

    Forces are read only for pairs that are asked how hard, and only while they touch.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._ngeom = model.ngeom
        self._pressed: list[int] = []
        self._peak: dict[tuple[int, int], float] = {}
        self._force = np.zeros(6)
        self._tables: list[NDArray[np.uint64]] = []
        self._index: dict[tuple[bytes, bytes], int] = {}
        self._now: list[int] = []
        self._latched: list[int] = []
        self.any_latched_user = False

    def now(self, a: GeomIds, b: GeomIds) -> Condition:
        """Return a condition: some geom of ``a`` touches some geom of ``b`` at the end of the control step."""
        plane, bit = self._bit(a, b)
        return lambda: bool(self._now[plane] >> bit & 1)

    def latched(self, a: GeomIds, b: GeomIds) -> Condition:
        """Return a condition: they touched in any physics substep of the control step."""
        plane, bit = self._bit(a, b)
        self.any_latched_user = True
        return lambda: bool(self._latched[plane] >> bit & 1)

    def pressed(self, a: GeomIds, b: GeomIds) -> Graded:
        """Return `latched`, graded by the largest total normal force [N] between the two in a physics substep."""
        plane, bit = self._bit(a, b)
        self._pressed[plane] |= 1 << bit
        return Graded(self.latched(a, b), lambda: self._peak.get((plane, bit), 0.0), "N")

    def _bit(self, a: GeomIds, b: GeomIds) -> tuple[int, int]:
        a, b = np.sort(np.asarray(a, np.intp)), np.sort(np.asarray(b, np.intp))
        key = min((a.tobytes(), b.tobytes()), (b.tobytes(), a.tobytes()))
        number = self._index.setdefault(key, len(self._index))
        plane, bit = divmod(number, _BITS)
        if plane == len(self._tables):
            self._tables.append(np.zeros((self._ngeom, self._ngeom), np.uint64))
            self._now.append(0)
            self._latched.append(0)
            self._pressed.append(0)
        table = self._tables[plane]
        table[np.ix_(a, b)] |= np.uint64(1 << bit)
        table[np.ix_(b, a)] |= np.uint64(1 << bit)
        return plane, bit

    def begin_step(self) -> None:
        """Forget the touches of the previous control step."""
        for plane in range(len(self._latched)):
            self._latched[plane] = 0
        self._peak.clear()

    def sample(self, data: mujoco.MjData) -> None:
        """Read MuJoCo's contact list after a physics substep."""
        geoms = data.contact.geom
        first, second = geoms[:, 0], geoms[:, 1]
        for plane, table in enumerate(self._tables):
            each = table[first, second]
            bits = int(np.bitwise_or.reduce(each))
            self._now[plane] = bits
            self._latched[plane] |= bits
            if bits & self._pressed[plane]:
                self._press(data, plane, each & np.uint64(self._pressed[plane]))

    def _press(self, data: mujoco.MjData, plane: int, each: NDArray[np.uint64]) -> None:
        """Add up the normal forces of this substep by the bits of each contact, and keep the largest sums."""
        total: dict[int, float] = {}
        for index in np.flatnonzero(each).tolist():
            mujoco.mj_contactForce(self._model, data, index, self._force)
            bits = int(each[index])
            while bits:
                bit = (bits & -bits).bit_length() - 1
                total[bit] = total.get(bit, 0.0) + float(self._force[0])
                bits &= bits - 1
        for bit, force in total.items():
            self._peak[plane, bit] = max(self._peak.get((plane, bit), 0.0), force)

    def state(self) -> tuple[list[int], list[int], dict[tuple[int, int], float]]:
        """Return a copy of the bits and peaks, for exact restore."""
        return list(self._now), list(self._latched), dict(self._peak)

    def restore(self, state: tuple[list[int], list[int], dict[tuple[int, int], float]]) -> None:
        self._now, self._latched, self._peak = list(state[0]), list(state[1]), dict(state[2])


class ForceWatch:
    """Largest total normal force [N] of a pair over the substeps of a control step."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._pairs: list[tuple[frozenset[int], frozenset[int]]] = []
        self._peak: list[float] = []
        self._buffer = np.zeros(6)

    def peak(self, a: GeomIds, b: GeomIds) -> Callable[[], float]:
        """Return a reader of the pair's peak force in the current control step."""
        self._pairs.append((frozenset(map(int, a)), frozenset(map(int, b))))
        self._peak.append(0.0)
        slot = len(self._pairs) - 1
        return lambda: self._peak[slot]

    @property
    def used(self) -> bool:
        return bool(self._pairs)

    def state(self) -> list[float]:
        """Return a copy of the peaks, for exact restore."""
        return list(self._peak)

    def restore(self, state: list[float]) -> None:
        self._peak = list(state)

    def begin_step(self) -> None:
        """Forget the forces of the previous control step."""
        self._peak = [0.0] * len(self._pairs)

    def sample(self, data: mujoco.MjData) -> None:
        """Sum normal forces over all contacts of each pair and keep the largest sum."""
        geoms = data.contact.geom.tolist()
        for slot, (a, b) in enumerate(self._pairs):
            total = 0.0
            for index, (g, h) in enumerate(geoms):
                if (g in a and h in b) or (g in b and h in a):
                    mujoco.mj_contactForce(self._model, data, index, self._buffer)
                    total += float(self._buffer[0])
            self._peak[slot] = max(self._peak[slot], total)


def geom_force(model: mujoco.MjModel, data: mujoco.MjData, a: frozenset[int], b: frozenset[int]) -> float:
    """Return the total normal force [N] between two sets of geoms right now; 0.0 means no contact."""
    total, buffer = 0.0, np.zeros(6)
    for index, (g, h) in enumerate(data.contact.geom.tolist()):
        if (g in a and h in b) or (g in b and h in a):
            mujoco.mj_contactForce(model, data, index, buffer)
            total += abs(float(buffer[0]))
    return total


def first_tangential_force(model: mujoco.MjModel, data: mujoco.MjData, a: GeomIds, b: GeomIds) -> float:
    """Return the second tangential component [N] of the first contact between two sets of geoms; without one, 0."""
    buffer = np.zeros(6)
    for index, (g, h) in enumerate(data.contact.geom.tolist()):
        if (g in a and h in b) or (g in b and h in a):
            mujoco.mj_contactForce(model, data, index, buffer)
            return float(buffer[2])
    return 0.0
