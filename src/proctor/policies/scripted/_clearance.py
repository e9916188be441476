"""Would the arm, the hand and what it holds touch anything, or come nearer than the cost allows? Asked before moving.

The copy keeps a margin around every object, so that "free" means free by a centimetre. Arm postures come from the same
inverse kinematics as the controller's, so the answer is about the posture the arm will really have. The distances
that the task's cost asks for (`Caution`) are kept as well. What moves by itself is left out: where it is now says
nothing of where it will be (`_timing` looks at that).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from proctor.sim import (
    FINGER_OPEN_M,
    GRIPPER_NAMES,
    HOME_Q,
    JOINT_SPEED_LIMIT,
    ROBOT_NAMES,
    DistanceProbe,
    InverseKinematics,
    Scene,
    matrix,
    rotvec,
)
from proctor.tasks.cbddl import And, Atom, Expr, Or, PartIds

from ._arm import Array, contents_in
from ._spots import Pillar

# Distances that a task's ``:cost`` asks to keep, read so that plans can keep them.
#
# ``CheckDistance a b d`` binds ``a`` and ``b``, ``CheckGripperDistance b d`` the fingers and ``b``; the forms with
# parts (``CheckGripperDistancePart``, ``CheckGripperContactPart``) bind the fingers and a blade, so the handle is
# left to grasp. A rule is looked at where one of its two sides moves, robot or held object, and the other does not.
# Contacts need no rule: `Clearance` keeps them from everything.
#
# What is nearer than its rule allows (upstream starts tasks so) may leave, but must come no nearer.

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


MARGIN_M = 0.012
TIGHT_M = 0.003
_ROBOT = "robot/"
# An elbow straighter than this jumps where the hand should glide: nothing for what can be spilled.
ELBOW, STRETCHED_RAD = 3, -0.6
# Stands in the place of an obstacle's name where the arm itself ends: "... is in the way".
REACH = "the end of the arm's reach"
# Time [s] in which an arm that glides takes one stride, and how far it turns in it.
LEAP_S, GLIDE_RAD = 0.06, 0.1

# Joint 3 beyond this with a pitched hand: close to the base the arm reaches such poses only wound about itself, and
# cannot go on from there.
SHOULDER, WOUND_RAD, PITCHED = 2, 1.3, -0.9


def is_wound(q: Array, rotation: Array) -> bool:
    """Whether an arm holds its pitched hand in a posture that leads nowhere."""
    return bool(rotation[2, 2] > PITCHED and abs(q[SHOULDER]) > WOUND_RAD)


@dataclass(frozen=True, slots=True)
class Held:
    """An object in the hand: its pose in the tool frame."""

    name: str
    position: Array
    rotation: Array


def held_now(scene: Scene, name: str) -> Held:
    """Measure how an object lies in the hand."""
    position, rotation = scene.tcp()
    return Held(name, rotation.T @ (scene.origin(name) - position), rotation.T @ scene.rotation(name))


class Clearance:
    """Collision checks for one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._model = copy.copy(scene.model)
        self._data = mujoco.MjData(self._model)
        self._ik = InverseKinematics()
        self.caution = Caution(scene, self._model)
        self.may_stretch = False
        for name in scene.moving:
            geoms = scene.geoms(name)
            self._model.geom_contype[geoms] = self._model.geom_conaffinity[geoms] = 0
        self._owner = [scene.owner(geom) for geom in range(scene.model.ngeom)]

    def solve(self, position: Array, rotation: Array, q: Array, iterations: int = 60) -> tuple[Array, float]:
        """Inverse kinematics with enough iterations to tell reachable from not."""
        return self._ik.solve(position, rotation, q, iterations)

    def forward(self, q: Array) -> tuple[Array, Array]:
        """Return the tool pose at joint angles ``q``."""
        return self._ik.forward(q)

    def home_pose(self) -> tuple[Array, Array]:
        return self._ik.forward(HOME_Q)

    def hit(
        self,
        q: Array,
        *,
        held: Held | None = None,
        ignore: frozenset[str] = frozenset(),
        near: frozenset[str] = frozenset(),
        margin_m: float = MARGIN_M,
        finger_m: float = FINGER_OPEN_M,
        particles: bool = False,
    ) -> str | None:
        """Return the first entity that robot or held object would touch at joint angles ``q``, or None.

        What they would come too near to, by the task's rules, counts as well. What is named in ``ignore`` may be
        touched; to what is named in ``near`` (an object's support) no margin is kept. Particles are no obstacles unless
        asked for: they lie in vessels and go where those go.
        """
        scene, model, data = self._scene, self._model, self._data
        self._margins(margin_m, near)
        model.body_pos[:], model.body_quat[:] = scene.model.body_pos, scene.model.body_quat
        data.qpos[:] = scene.data.qpos
        data.qpos[scene.arm_qpos] = q
        data.qpos[scene.finger_qpos] = finger_m
        if held is not None:
            position, rotation = self._ik.forward(q)
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation @ held.rotation).ravel())
            data.joint(f"{held.name}/free").qpos[:] = (*(position + rotation @ held.position), *quat)
        mujoco.mj_fwdPosition(model, data)
        moving = {_ROBOT} | ({held.name} if held is not None else set())
        for g, h in data.contact.geom.tolist():
            a, b = self._owner[g], self._owner[h]
            if (a in moving) == (b in moving):
                continue
            other: str = b if a in moving else a
            if other not in ignore and (particles or other not in scene.particles):
                return other
        return self.caution.broken(data, held.name if held is not None else None, margin_m)

    def _margins(self, margin_m: float, near: frozenset[str]) -> None:
        """Give every object and fixture a margin; table and ``near`` keep none, or no low grasp would be allowed."""
        for name in self._scene.assets:
            self._model.geom_margin[self._scene.geoms(name)] = 0.0 if name in near else margin_m

    def path_hit(
        self,
        waypoints: list[tuple[Array, Array]],
        q: Array,
        *,
        held: Held | None,
        ignore: frozenset[str],
        near: frozenset[str] = frozenset(),
        margin_m: float = MARGIN_M,
        finger_m: float = FINGER_OPEN_M,
        stride_m: float = 0.02,
        glide: bool = False,
    ) -> str | None:
        """Return what a path of straight lines would touch, `REACH` where the arm cannot follow, or None.

        The arm is led along the path in the controller's own small steps: its elbow ends where the real one will. With
        a vessel that holds something, its reach ends before it is stretched out, unless it `may_stretch`. With
        ``glide`` it ends as well where a joint would have to go faster than it can: there the hand leaves its line,
        and may not find it again.
        """
        (here, facing), *rest = waypoints
        full = held is not None and not self.may_stretch and bool(contents_in(self._scene, held.name))
        for there, rotation in rest:
            steps = max(2, int(np.ceil(np.linalg.norm(there - here) / stride_m)))
            turn = rotvec(rotation @ facing.T)
            if glide:
                steps = max(steps, int(np.ceil(np.linalg.norm(turn) / GLIDE_RAD)))
            for k in range(1, steps + 1):
                share = k / steps
                goal = matrix(turn * share) @ facing
                last = q
                q, _ = self._ik.solve(here + (there - here) * share, goal, q)
                if glide and np.any(np.abs(q - last) > LEAP_S * JOINT_SPEED_LIMIT):
                    return REACH
                if full and q[ELBOW] > STRETCHED_RAD:
                    return REACH
                if k % 2 and k < steps:
                    continue
                found = self.hit(q, held=held, ignore=ignore, near=near, margin_m=margin_m, finger_m=finger_m)
                if found is not None:
                    return found
            q, error = self._ik.solve(there, rotation, q, 30)
            if error > 0.01 or is_wound(q, rotation):
                return REACH
            here, facing = there, rotation
        return None
