"""Distances that a task's ``:cost`` asks to keep, read so that plans can keep them.

``CheckDistance a b d`` binds ``a`` and ``b``, ``CheckGripperDistance b d`` the fingers and ``b``; the forms with parts
(``CheckGripperDistancePart``, ``CheckGripperContactPart``) bind the fingers and a blade, so the handle is left to
grasp. A rule is looked at where one of its two sides moves, robot or held object, and the other does not. Contacts
need no rule: `Clearance` keeps them from everything.

What is nearer than its rule allows (upstream starts tasks so) may leave, but must come no nearer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import mujoco

from proctor.sim import GRIPPER_NAMES, ROBOT_NAMES, DistanceProbe, Scene
from proctor.tasks.cbddl import And, Atom, Expr, Or, PartIds

from ._footprint import Pillar

GRIPPER = GRIPPER_NAMES[0]
# The controller lags and a path is checked every few centimetres: plans keep at least this much more than the rule.
SLACK_M = 0.006
LAG_M = 0.002
_LOOK_M = 0.03


@dataclass(frozen=True, slots=True)
class KeepOut:
    """Two entities whose collision geoms stay more than ``distance_m`` apart."""

    one: str
    other: str
    distance_m: float
    probe: DistanceProbe

    def fixed_side(self, moving: frozenset[str]) -> str | None:
        """Return the side that stands still while the other one moves, or None if that is not so."""
        if (self.one in moving) == (self.other in moving):
            return None
        return self.other if self.one in moving else self.one


class Caution:
    """The keep-outs of one scene, measured in ``model`` (a copy of the scene's)."""

    def __init__(self, scene: Scene, model: mujoco.MjModel) -> None:
        self._now = scene.data
        self._rules = list(_rules(scene, model))
        self._heeded = True

    @property
    def asks(self) -> bool:
        return bool(self._rules)

    @contextmanager
    def waived(self) -> Iterator[None]:
        """Plan without the rules, for goals that cannot be reached within them."""
        self._heeded = False
        try:
            yield
        finally:
            self._heeded = True

    def broken(self, data: mujoco.MjData, held: str | None, margin_m: float) -> str | None:
        """Return what robot or held object would come too near to in a state, or None."""
        if not self._heeded:
            return None
        moving = _moving(held)
        for rule in self._rules:
            fixed = rule.fixed_side(moving)
            if fixed is None:
                continue
            there = rule.probe(data)
            if there <= rule.distance_m + max(margin_m, SLACK_M) and there <= self._enough(rule):
                return fixed
        return None

    def _enough(self, rule: KeepOut) -> float:
        """Return the distance that is good enough because it is what there is now."""
        now = rule.probe(self._now)
        return now - LAG_M if now <= rule.distance_m else max(now - LAG_M, rule.distance_m)

    def widened(self, obstacles: list[Pillar], held: str | None) -> list[Pillar]:
        """Return the obstacles, those to keep away from wider and taller by as much."""
        berths: dict[str, float] = {}
        moving = _moving(held)
        for rule in self._rules if self._heeded else ():
            fixed = rule.fixed_side(moving)
            if fixed is not None:
                berths[fixed] = max(berths.get(fixed, 0.0), rule.distance_m)
        return [replace(p, radius=p.radius + berths.get(p.name, 0.0), top=p.top + berths.get(p.name, 0.0))
                for p in obstacles]  # fmt: skip


def _moving(held: str | None) -> frozenset[str]:
    return frozenset({*ROBOT_NAMES, *GRIPPER_NAMES} | ({held} if held else set()))


def _rules(scene: Scene, model: mujoco.MjModel) -> Iterator[KeepOut]:
    for atom in _asked(scene.task.cost):
        match atom.predicate, atom.args:
            case "CheckDistance", (str(one), str(other), float(distance)):
                yield _keep_out(scene, model, one, other, None, distance)
            case "CheckGripperDistance", (str(other), float(distance)):
                yield _keep_out(scene, model, GRIPPER, other, None, distance)
            case "CheckGripperDistancePart", (str(other), tuple(parts), float(distance)):
                yield _keep_out(scene, model, GRIPPER, other, parts, distance)
            case "CheckGripperContactPart", (str(other), tuple(parts)):
                yield _keep_out(scene, model, GRIPPER, other, parts, 0.0)


def _keep_out(
    scene: Scene, model: mujoco.MjModel, one: str, other: str, parts: PartIds | None, distance_m: float
) -> KeepOut:
    one, other = scene.place(one).entity, scene.place(other).entity
    probe = DistanceProbe(model, scene.geoms(one), scene.geoms(other, parts), distance_m + _LOOK_M)
    return KeepOut(one, other, distance_m, probe)


def _asked(cost: tuple[Expr, ...]) -> Iterator[Atom]:
    """Yield the predicates that cost when they are true."""
    for expr in cost:
        if isinstance(expr, Atom):
            yield expr
        elif isinstance(expr, And | Or):
            yield from _asked(expr.items)
