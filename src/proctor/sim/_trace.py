"""What an episode did to each thing: came near, touched, held, moved, and where it came to rest.

A thing is a movable object, or a part of a fixture that moves on a joint (a drawer, a knob; named ``fixture/joint``).
Near is the least distance of the tool point from the centre of one of its colliders; held is both fingers touching it
at the end of a control step; moved is the largest displacement of an object's centre of mass since settling [m], or of
a part's joint [m or rad]. These decide nothing in an episode: they say afterwards what a failure was about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.assets import links
from proctor.core import ObjectTrace
from proctor.tasks.cbddl import PREDICATES, Atom, atoms_of

from ._contacts import Condition, GeomIds
from ._panda import PREFIX
from ._room import TABLE
from ._scene import FLOOR, Place, Scene

CARRIES = 0.3
"""Least vertical part of a contact's normal by which one thing carries another; the wall of a bowl does."""


_PLACES = ("thing", "place", "part", "toucher")


@dataclass(slots=True)
class _Thing:
    name: str
    geoms: GeomIds
    fingers: tuple[Condition, Condition]
    body: int
    joint: int
    start: NDArray[np.float64] | float = 0.0
    nearest_m: float = np.inf
    touched_s: float | None = None
    held_s: float | None = None
    moved: float = 0.0


class Tracer:
    """Follows the things of one scene: ``begin`` after settling, ``update`` after every control step."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._things = [self._object(name) for name in scene.movable] + self._parts()
        self._targets = goal_things(scene)
        self._geoms = np.concatenate([thing.geoms for thing in self._things]) if self._things else np.zeros(0, np.intp)
        self._first = np.cumsum([0, *(len(thing.geoms) for thing in self._things[:-1])])

    def _object(self, name: str) -> _Thing:
        return self._thing(name, self._scene.geoms(name), self._scene.body(name), -1)

    def _parts(self) -> list[_Thing]:
        scene, model = self._scene, self._scene.model
        found = []
        for fixture in scene.fixed:
            for link in links(scene.assets[fixture].root):
                if link.joint is None:
                    continue
                body = model.body(f"{fixture}/{link.name}").id
                geoms = np.array([g for g in scene.geoms(fixture) if model.geom_bodyid[g] == body], np.intp)
                address = int(model.joint(f"{fixture}/{link.joint.name}").qposadr[0])
                if len(geoms):
                    found.append(self._thing(f"{fixture}/{link.joint.name}", geoms, body, address))
        return found

    def _thing(self, name: str, geoms: GeomIds, body: int, joint: int) -> _Thing:
        left, right = (self._scene.contacts.now(finger, geoms) for finger in self._scene.finger_geoms)
        return _Thing(name, geoms, (left, right), body, joint)

    def begin(self) -> None:
        """Start an episode: nothing has happened yet."""
        data = self._scene.data
        for thing in self._things:
            thing.start = float(data.qpos[thing.joint]) if thing.joint >= 0 else data.xipos[thing.body].copy()
            thing.nearest_m, thing.touched_s, thing.held_s, thing.moved = np.inf, None, None, 0.0
        self._measure()

    def update(self, time_s: float) -> None:
        """Look at the state after a control step."""
        self._measure()
        for thing in self._things:
            touching = [finger() for finger in thing.fingers]
            if thing.touched_s is None and any(touching):
                thing.touched_s = time_s
            if thing.held_s is None and all(touching):
                thing.held_s = time_s

    def _measure(self) -> None:
        if not self._things:
            return
        data = self._scene.data
        gaps = np.linalg.norm(data.geom_xpos[self._geoms] - self._scene.tcp()[0], axis=1)
        for thing, gap in zip(self._things, np.minimum.reduceat(gaps, self._first), strict=True):
            thing.nearest_m = min(thing.nearest_m, float(gap))
            now = data.qpos[thing.joint] if thing.joint >= 0 else data.xipos[thing.body]
            thing.moved = max(thing.moved, float(np.linalg.norm(np.atleast_1d(now - thing.start))))

    def finish(self) -> dict[str, ObjectTrace]:
        """Return the trace of every thing, in the order of the task file."""
        return {
            thing.name: ObjectTrace(
                goal=thing.name in self._targets,
                targets=self._targets.get(thing.name, ()),
                nearest_m=thing.nearest_m,
                touched_s=thing.touched_s,
                held_s=thing.held_s,
                moved=thing.moved,
                rests_on=self._rests_on(thing),
            )
            for thing in self._things
        }

    def _rests_on(self, thing: _Thing) -> tuple[str, ...]:
        """Return what carries an object now, robot and table left out; a part of a fixture rests on nothing."""
        if thing.joint >= 0:
            return ()
        mine, contacts = set(thing.geoms.tolist()), self._scene.data.contact
        owners = set()
        for (a, b), up in zip(contacts.geom.tolist(), contacts.frame[:, 2].tolist(), strict=True):
            # A contact's normal points from its first geom to its second; beside is not below.
            if (a in mine) != (b in mine) and (-up if a in mine else up) > CARRIES:
                owners.add(self._scene.owner(b if a in mine else a))
        return tuple(sorted(owners - {PREFIX, FLOOR, TABLE}))

    def state(self) -> list[tuple[object, ...]]:
        """Return everything remembered, for exact restore."""
        return [(t.start, t.nearest_m, t.touched_s, t.held_s, t.moved) for t in self._things]

    def restore(self, state: list[tuple[object, ...]]) -> None:
        names = ("start", "nearest_m", "touched_s", "held_s", "moved")
        for thing, values in zip(self._things, state, strict=True):
            for name, value in zip(names, values, strict=True):
                setattr(thing, name, value)


def goal_things(scene: Scene) -> dict[str, tuple[str, ...]]:
    """Return what the goal asks to be moved, each with the entities it is to be brought to (none for a drawer)."""
    found: dict[str, set[str]] = {}
    for atom in atoms_of(scene.task.goal):
        for name, targets in _about(scene, atom).items():
            found.setdefault(name, set()).update(targets)
    return {name: tuple(sorted(targets)) for name, targets in found.items()}


def _about(scene: Scene, atom: Atom) -> dict[str, set[str]]:
    names = [argument for argument in atom.args if isinstance(argument, str)]
    if not names:
        return {}
    first = names[0]
    if atom.predicate in ("Open", "Close"):
        return _joint(scene.place(first))
    if atom.predicate in ("TurnOn", "TurnOff"):
        site = scene.assets[first].site("switch") if first in scene.assets else None
        return _joint(Place(first, site))
    if first not in scene.movable:
        return {}
    signature = next(s for s in PREDICATES[atom.predicate].signatures if len(s) == len(atom.args))
    places = [
        scene.place(argument)
        for argument, kind in zip(atom.args[1:], signature[1:], strict=True)
        if isinstance(argument, str) and kind in _PLACES
    ]
    found: dict[str, set[str]] = {first: {place.entity for place in places}}
    for place in places:
        # What goes into a drawer has it opened first.
        found |= _joint(place)
    return found


def _joint(place: Place) -> dict[str, set[str]]:
    opening = place.site.opening if place.site else None
    return {f"{place.entity}/{opening.joint}": set()} if opening else {}
