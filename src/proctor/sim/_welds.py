"""Things that become one when one is pushed into the other: welds that close by themselves.

For each pair that ``Attached`` names the model has a weld that is open at the start. It closes, as the two then are,
once the stem of one lies in a hole of the other: 80 % of its depth, within 10 degrees. Looked at once per control step.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import mujoco
import numpy as np

from proctor.assets import Site, Stem
from proctor.tasks.cbddl import Task, atoms_of

from ._contacts import Condition
from ._errors import SceneError
from ._rotation import Array, quat_wxyz

if TYPE_CHECKING:
    from ._scene import Scene

DEPTH_SHARE = 0.8
_COSINE = math.cos(math.radians(10.0))
WeldState: TypeAlias = tuple[tuple[Array, ...], tuple[bool, ...]]


def welded_pairs(task: Task) -> tuple[tuple[str, str], ...]:
    """Return the pairs that the task's ``Attached`` name, in the order of the file."""
    exprs = (task.goal, *(subgoal.expr for subgoal in task.subgoals), *task.faults)
    pairs = [atom.args[:2] for expr in exprs for atom in atoms_of(expr) if atom.predicate == "Attached"]
    return tuple(dict.fromkeys((str(a), str(b)) for a, b in pairs))


def add_welds(spec: mujoco.MjSpec, task: Task) -> None:
    """Add an open weld for each pair to a model under construction."""
    for a, b in welded_pairs(task):
        weld = spec.add_equality(
            name=f"{a}+{b}", type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY, active=False
        )
        weld.name1, weld.name2 = a, b
        weld.solref, weld.solimp = (0.004, 1.0), (0.95, 0.99, 0.001, 0.5, 2.0)


class WeldWatch:
    """The welds of a scene; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._pairs = welded_pairs(scene.task)
        self._ids = [scene.model.equality(f"{a}+{b}").id for a, b in self._pairs]
        self._mates = [_mates(scene, a, b) for a, b in self._pairs]

    def closed(self, a: str, b: str) -> Condition:
        """Return a condition: the weld between ``a`` and ``b`` holds."""
        pair = next((p for p in self._pairs if set(p) == {a, b}), None)
        if pair is None:
            raise SceneError(f"{a!r} and {b!r} cannot become one here: name them with Attached in the task")
        weld = self._ids[self._pairs.index(pair)]
        return lambda: bool(self._scene.data.eq_active[weld])

    def closed_pairs(self) -> list[tuple[str, str]]:
        """Return the pairs that have become one."""
        active = self._scene.data.eq_active
        return [pair for weld, pair in zip(self._ids, self._pairs, strict=True) if active[weld]]

    def begin(self) -> None:
        """Open all welds."""
        for weld in self._ids:
            self._scene.data.eq_active[weld] = 0

    def update(self) -> None:
        """Close the welds of what has been pushed together."""
        for weld, (outer, inner, stem, holes), (a, b) in zip(self._ids, self._mates, self._pairs, strict=True):
            if not self._scene.data.eq_active[weld] and any(self._mated(outer, inner, stem, hole) for hole in holes):
                self._close(weld, a, b)

    def _mated(self, outer: str, inner: str, stem: Stem, hole: Site) -> bool:
        scene = self._scene
        position, rotation = scene.site_frame(outer, hole)
        tip = rotation.T @ (scene.origin(inner) + scene.rotation(inner) @ stem.tip - position)
        along = rotation.T @ (scene.rotation(inner) @ stem.direction)
        deep = float(hole.half[2] - tip[2]) / (2 * hole.half[2]) >= DEPTH_SHARE
        return deep and bool(-along[2] >= _COSINE and np.all(np.abs(tip[:2]) <= hole.half[:2]))

    def _close(self, weld: int, a: str, b: str) -> None:
        scene = self._scene
        to_a = scene.rotation(a).T
        # A weld's data: anchor in the second body (here its origin), then the second body's pose in the first's frame.
        data = scene.model.eq_data[weld]
        data[:3] = 0.0
        data[3:6] = to_a @ (scene.origin(b) - scene.origin(a))
        data[6:10] = quat_wxyz(to_a @ scene.rotation(b))
        scene.data.eq_active[weld] = 1

    def state(self) -> WeldState:
        """Return a copy of how and which welds hold, for exact restore."""
        model, data = self._scene.model, self._scene.data
        return tuple(model.eq_data[i].copy() for i in self._ids), tuple(bool(data.eq_active[i]) for i in self._ids)

    def restore(self, state: WeldState) -> None:
        """Restore what `state` returned."""
        for weld, how, active in zip(self._ids, *state, strict=True):
            self._scene.model.eq_data[weld] = how
            self._scene.data.eq_active[weld] = int(active)


def _mates(scene: Scene, a: str, b: str) -> tuple[str, str, Stem, tuple[Site, ...]]:
    """Return which of two things takes the other, the other's stem, and the holes that it may go into."""
    for outer, inner in ((a, b), (b, a)):
        stem = scene.assets[inner].stem
        holes = tuple(site for site in scene.assets[outer].sites if site.kind == "hole")
        if stem is not None and holes:
            return outer, inner, stem, holes
    raise SceneError(f"{a!r} and {b!r} do not fit together: one needs a stem, the other a hole")
