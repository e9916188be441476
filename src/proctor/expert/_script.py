"""From a task's goal to a sequence of skills.

Conjunctions and ``Then`` are done in order; of an ``Or`` the first branch. Goals for which there is no skill
(``Not``, contacts, distances) are refused with a `SkillError`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from proctor.assets import Handle, Site
from proctor.cbddl import And, Atom, Expr, Not, Or, Then
from proctor.world import TABLE_Z, Scene, SimEnv

from ._arm import Arm, Array, Doing, SkillError
from ._clearance import Clearance
from ._drawer import DrawerHand
from ._pick import Picker
from ._place import Placer, spot_in
from ._travel import Traveller


class Script:
    """Plays the skills that a task's goal asks for."""

    def __init__(self, env: SimEnv, clearance: Clearance, *, avoid: bool) -> None:
        self._arm = Arm(env)
        traveller = Traveller(self._arm, clearance, avoid=avoid)
        self._picker = Picker(self._arm, clearance, traveller, avoid=avoid)
        self._placer = Placer(self._arm, clearance, traveller, avoid=avoid)
        self._drawers = DrawerHand(self._arm, clearance, traveller)

    @property
    def scene(self) -> Scene:
        """The scene of the current episode."""
        return self._arm.scene

    def play(self) -> Doing:
        """Yield the actions of the whole task."""
        for atom in _atoms(self.scene.task.goal):
            yield from self._achieve(atom)

    def idle(self) -> Array:
        """Return the action that holds still with an open hand."""
        self._arm.grip = -1.0
        return self._arm.action()

    def _achieve(self, atom: Atom) -> Doing:
        match atom.predicate:
            case "On" | "In" | "Stack":
                yield from self._put(str(atom.args[0]), str(atom.args[1]), atom.predicate)
            case "Open":
                fixture, handle, site = self._drawer(str(atom.args[0]))
                assert site.opening is not None
                yield from self._drawers.open(fixture, handle, site.opening.open_above)
            case "Close":
                fixture, handle, site = self._drawer(str(atom.args[0]))
                assert site.opening is not None
                yield from self._drawers.close(fixture, handle, site.opening.closed_below)
            case other:
                raise SkillError(f"no skill for the goal {other}")

    def _put(self, name: str, where: str, relation: str) -> Doing:
        yield from self._picker.pick(name)
        support, spot, along = self._spot(where, relation)
        elongated = self.scene.assets[name].elongated
        yield from self._placer.place(name, support, spot, along=along if elongated else None)

    def _spot(self, where: str, relation: str) -> tuple[str, Array, float | None]:
        place = self.scene.place(where)
        if place.region is not None and place.site is None and place.region.ranges:
            rect = place.region.ranges[0]
            middle = np.array([(rect.x_min + rect.x_max) / 2, (rect.y_min + rect.y_max) / 2, TABLE_Z])
            return place.entity, middle, None
        asset = self.scene.assets[place.entity]
        kind = "contain" if relation == "In" else "place"
        site = place.site or next((s for s in asset.sites if s.kind == kind), None)
        if site is None:
            raise SkillError(f"{place.entity} has no place to put things")
        spot, along = spot_in(self._arm, place.entity, site)
        return place.entity, spot, along

    def _drawer(self, where: str) -> tuple[str, Handle, Site]:
        place = self.scene.place(where)
        asset = self.scene.assets[place.entity]
        for handle in asset.handles:
            if place.site is not None and place.site.opening is not None and handle.joint == place.site.opening.joint:
                return place.entity, handle, place.site
        raise SkillError(f"{where} has no handle")


def _atoms(goal: Expr) -> Iterator[Atom]:
    match goal:
        case Atom():
            yield goal
        case And(items) | Then(items):
            for item in items:
                yield from _atoms(item)
        case Or(items):
            yield from _atoms(items[0])
        case Not():
            raise SkillError("no skill for a negated goal")
