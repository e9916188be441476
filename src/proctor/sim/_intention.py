"""Did it mean the right thing? How near the hand came to the targets, and which thing it went to first.

The hand is the fingers and, while it holds something, that as well; candidates are the movable objects that it does not
hold, the buttons, and the targets. Surface: the share of targets to which the hand came within 2 cm, surface to
surface, while that target was the nearest of all candidates. First: 1 if the first candidate that the hand stayed
within 5 cm of for 0.3 s is a target; the chance level, targets over candidates, is the value of the ``approach`` event.
Paper: the share of targets to whose origin the tool centre came within 15 cm. A target that is a place without surface
(a pocket) is measured from its box to the tool centre or the centre of what is held. Looked at once per control step,
until all is known. Source: vlabench spec, section 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Site
from proctor.core import Event

from ._contacts import Condition, GeomIds
from ._rotation import Array
from ._scene import Scene
from ._watchers import steps_of

SURFACE_M = 0.02
FIRST_M = 0.05
FIRST_S = 0.3
PAPER_M = 0.15
IntentionState: TypeAlias = tuple[
    tuple[bool, ...], tuple[bool, ...], tuple[bool, ...], tuple[int, ...], int | None
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Target:
    name: str
    entity: str
    site: Site | None
    candidate: int | None
    touched: Condition


class Intention:
    """The targets of one scene and what competes with them."""

    def __init__(self, scene: Scene, targets: Sequence[str]) -> None:
        self._scene = scene
        places = {name: scene.place(name) for name in targets}
        solid = [name for name, place in places.items() if place.site is None and place.region is None]
        names = dict.fromkeys([*scene.movable, *scene.buttons.names, *(n for n in solid if n != scene.workspace)])
        self._names = tuple(names)
        self._held: list[Condition | None] = [scene.held(n) if n in scene.movable else None for n in self._names]
        groups = [scene.geoms(name) for name in self._names]
        self._groups = groups
        self._geoms: GeomIds = np.concatenate(groups) if groups else np.zeros(0, np.intp)
        self._first_geom = np.cumsum([0, *(len(group) for group in groups[:-1])])
        self._targets = [self._target(name) for name in targets]
        self._needed = steps_of(FIRST_S)
        self.begin()

    def _target(self, name: str) -> _Target:
        place = self._scene.place(name)
        candidate = self._names.index(name) if name in self._names else None
        site = place.site if candidate is None else None
        touched = self._scene.contacts.now(self._scene.gripper_geoms, self._scene.geoms(name))
        return _Target(name, place.entity, site, candidate, touched)

    def __bool__(self) -> bool:
        return bool(self._targets)

    def begin(self) -> None:
        """Start an episode: nothing has been approached."""
        count = len(self._targets)
        self._near, self._paper, self._touched = [False] * count, [False] * count, [False] * count
        self._counts = [0] * len(self._names)
        self._first: int | None = None

    @property
    def surface(self) -> float:
        """The share of targets that the hand came to."""
        return sum(self._near) / len(self._near)

    @property
    def first(self) -> float:
        """1 if the first thing that the hand went to is a target."""
        return float(any(t.candidate is not None and t.candidate == self._first for t in self._targets))

    @property
    def paper(self) -> float:
        """The share of targets to whose origin the tool centre came."""
        return sum(self._paper) / len(self._paper)

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(target.name for target in self._targets)

    @property
    def touched(self) -> int:
        return sum(self._touched)

    @property
    def chance(self) -> float:
        """The chance that the first thing gone to is a target, were it any."""
        mine = sum(target.candidate is not None for target in self._targets)
        return mine / len(self._names) if self._names else 0.0

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended."""
        tool, _ = self._scene.tcp()
        for i, target in enumerate(self._targets):
            if not self._touched[i]:
                self._touched[i] = target.touched()
            if not self._paper[i]:
                self._paper[i] = float(np.linalg.norm(self._origin(target) - tool)) < PAPER_M
        if all(self._near) and self._first is not None:
            return []
        held = next((i for i, holds in enumerate(self._held) if holds is not None and holds()), None)
        distances = self._distances(held)
        nearest = float(distances.min(initial=np.inf))
        self._judge(tool, held, distances, nearest)
        return self._follow(distances, step, time_s)

    def _judge(self, tool: Array, held: int | None, distances: NDArray[np.float64], nearest: float) -> None:
        for i, target in enumerate(self._targets):
            if self._near[i]:
                continue
            if target.candidate is not None:
                mine = float(distances[target.candidate])
                self._near[i] = mine <= SURFACE_M and mine <= nearest
            else:
                points = [tool] if held is None else [tool, self._scene.com(self._names[held])]
                self._near[i] = min(self._gap(target, point) for point in points) <= SURFACE_M

    def _follow(self, distances: NDArray[np.float64], step: int, time_s: float) -> list[Event]:
        """Count how long each candidate has been close, until the first is known."""
        if self._first is not None:
            return []
        for i, close in enumerate((distances <= FIRST_M).tolist()):
            self._counts[i] = self._counts[i] + 1 if close else 0
        ready = [i for i, count in enumerate(self._counts) if count >= self._needed]
        if not ready:
            return []
        self._first = min(ready, key=lambda i: float(distances[i]))
        return [Event(step, time_s, "approach", self._names[self._first], self.chance)]

    def _origin(self, target: _Target) -> Array:
        if target.site is not None:
            return self._scene.site_frame(target.entity, target.site)[0]
        if target.entity in self._scene.assets:
            return self._scene.origin(target.entity)
        return np.full(3, np.inf)

    def _gap(self, target: _Target, point: Array) -> float:
        """Return the distance of a point from a target without surface."""
        if target.site is None:
            return np.inf
        position, rotation = self._scene.site_frame(target.entity, target.site)
        outside = np.maximum(np.abs(rotation.T @ (point - position)) - target.site.half, 0.0)
        return float(np.linalg.norm(outside))

    def _distances(self, held: int | None) -> NDArray[np.float64]:
        """Return the distance of every candidate from the hand where it is at most 5 cm, infinity elsewhere."""
        scene, model, data = self._scene, self._scene.model, self._scene.data
        hand = scene.gripper_geoms if held is None else np.concatenate([scene.gripper_geoms, self._groups[held]])
        result = np.full(len(self._names), np.inf)
        if not len(self._geoms):
            return result
        between = data.geom_xpos[hand][:, None] - data.geom_xpos[self._geoms][None]
        reach = model.geom_rbound[hand][:, None] + model.geom_rbound[self._geoms][None]
        bound = np.sqrt(np.einsum("ijk,ijk->ij", between, between)) - reach
        least = np.minimum.reduceat(bound.min(axis=0), self._first_geom)
        segment = np.zeros(6)
        for index in np.flatnonzero(least <= FIRST_M).tolist():
            if index == held:
                continue
            first = int(self._first_geom[index])
            mine = bound[:, first : first + len(self._groups[index])]
            best = FIRST_M + 1e-3
            for pair in np.argsort(mine, axis=None).tolist():
                row, column = divmod(pair, mine.shape[1])
                if mine[row, column] >= best:
                    break
                geom = int(self._geoms[first + column])
                best = min(best, mujoco.mj_geomDistance(model, data, int(hand[row]), geom, best, segment))
            result[index] = best if best <= FIRST_M else np.inf
        return result

    def state(self) -> IntentionState:
        """Return everything remembered, for exact restore."""
        return tuple(self._near), tuple(self._paper), tuple(self._touched), tuple(self._counts), self._first

    def restore(self, state: IntentionState) -> None:
        near, paper, touched, counts, self._first = state
        self._near, self._paper, self._touched, self._counts = list(near), list(paper), list(touched), list(counts)
