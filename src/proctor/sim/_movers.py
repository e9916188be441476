"""Objects that move by themselves (``:moving_objects``): their paths, and how the simulation drives them.

Drives the objects of ``:moving_objects``.

A mover is a free body whose pose *and* velocity are written before every physics step: exact whatever it hits, and
contacts see its speed, so it pushes what is in its way and carries what rides on it. A mocap body carries nothing
(contacts see velocity 0), a body welded to one lags by millimetres to centimetres. At 20 kg with solref 8 ms it meets
the arm with 1 to 3 mm of penetration and no blow-up; at its own weight it would sink in by 20 mm and hit with 3000 N.
It does not touch the table: a body that cannot yield must not fight its support (shared/facts/physics.md, section 2).

It stands still while the scene settles and starts with the episode. It freezes where it is at the end of the physics
step in which a cost expression that names it is true for the first time, for the rest of the episode; waiting for the
end of the control step would drive up to 17 mm further into the robot.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import Event
from proctor.tasks.cbddl import CircularMotion, LinearMotion, Motion, Mover, ProjectileMotion, WaypointMotion

from ._contacts import Condition
from ._errors import SceneError
from ._panda import TIMESTEP_S
from ._room import TABLE, TABLE_HALF, TABLE_Z

if TYPE_CHECKING:
    from ._scene import Scene


# Where a mover is: pure functions of an integer count of physics steps, so that no rounding of a clock can add up.
#
# Each motion of the task language has one class with ``at(steps)``, vectorised over steps, which returns rows as a free
# joint wants them: pose ``x y z qw qx qy qz`` and velocity, linear in the world frame, angular in the body's own frame.
# Velocities are right-sided derivatives: what is written before a physics step is what that step moves with.
#
# h is the physics step [s], S the physics steps per control step, n the step count, p0 and q0 the start pose.

Array: TypeAlias = NDArray[np.float64]
Steps: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a motion needs to know of the world: the clock, and the surfaces on which a projectile comes to rest."""

    step_s: float
    substeps: int
    table_z: float
    table_half: tuple[float, float]
    floor_z: float = 0.0


class Path(Protocol):
    """A motion with its start pose."""

    def at(self, steps: Steps) -> tuple[Array, Array]:
        """Return poses [n, 7] and velocities [n, 6] at physics steps counted from the start."""
        ...


class LinearPath:
    """There and back at constant speed: p = p0 + u D (1 - |1 - 2 phi|), phi = (n mod N) / N, N = S * period.

    u is the normalised direction, D the distance one way; the orientation stays q0.
    """

    def __init__(self, motion: LinearMotion, start: Array, setting: Setting) -> None:
        self._start = start
        self._cycle = setting.substeps * motion.period_steps
        self._along = motion.travel_dist_m * _unit(motion.direction)
        self._speed = 2.0 / (self._cycle * setting.step_s)

    def at(self, steps: Steps) -> tuple[Array, Array]:
        """Return poses and velocities."""
        double = 2 * (steps % self._cycle)
        share = 1.0 - np.abs(1.0 - double / self._cycle)
        sign = np.where(double < self._cycle, self._speed, -self._speed)
        poses, velocities = _still(self._start, len(steps))
        poses[:, :3] += share[:, None] * self._along
        velocities[:, :3] = sign[:, None] * self._along
        return poses, velocities


class CircularPath:
    """Counter-clockwise about the vertical through c: p = c + Rz(2 pi (n mod N) / N) (p0 - c), N = S * period.

    Height and orientation stay those of the start, as in the reference; the z of the centre has no effect.
    """

    def __init__(self, motion: CircularMotion, start: Array, setting: Setting) -> None:
        self._start = start
        self._cycle = setting.substeps * motion.period_steps
        self._radius = start[:2] - np.asarray(motion.center_m[:2])
        self._omega = 2.0 * math.pi / (self._cycle * setting.step_s)

    def at(self, steps: Steps) -> tuple[Array, Array]:
        """Return poses and velocities."""
        angle = 2.0 * math.pi * ((steps % self._cycle) / self._cycle)
        cosine, sine = np.cos(angle), np.sin(angle)
        x, y = self._radius
        arm = np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=1)
        poses, velocities = _still(self._start, len(steps))
        # The difference to the start, so that a whole turn ends on the start to the last bit.
        poses[:, :2] += arm - self._radius
        velocities[:, 0], velocities[:, 1] = -self._omega * arm[:, 1], self._omega * arm[:, 0]
        return poses, velocities


class WaypointPath:
    """Along waypoints P_i with headings Q_i, M = S * max(1, int(10 / dt)) physics steps a segment, to the end and back.

    p = p0 + P_i + f (P_i+1 - P_i) - P_0 and q = Q_i exp(f log(Q_i^-1 Q_i+1)) Q_0^-1 q0 in segment i, f in [0, 1]. The
    path is carried to where the object stands at the start (the reference jumps to P_0), so its waypoints fix the
    shape, and ``:init`` the place. Q_i turns the x axis into the waypoint's direction without roll. Without ``loop``
    it stops at the last waypoint.
    """

    def __init__(self, motion: WaypointMotion, start: Array, setting: Setting) -> None:
        self._start, self._loop = start, motion.loop
        self._segment = setting.substeps * max(1, int(10.0 / motion.dt))
        self._count = len(motion.waypoints) - 1
        self._points = np.array([point.position_m for point in motion.waypoints])
        self._headings = np.array([_heading(point.direction) for point in motion.waypoints])
        self._rest = _times(_conjugate(self._headings[0]), start[3:])
        duration = self._segment * setting.step_s
        self._legs = np.diff(self._points, axis=0)
        self._turns = np.array([_log(_times(_conjugate(a), b)) for a, b in pairwise(self._headings)]).reshape(-1, 3)
        self._velocity = self._legs / duration
        # exp(f turn) commutes with its own axis, so in the body's frame the angular velocity of a segment is constant.
        self._spin = np.array([_turned(_conjugate(self._rest), turn) for turn in self._turns]).reshape(-1, 3) / duration

    def at(self, steps: Steps) -> tuple[Array, Array]:
        """Return poses and velocities."""
        poses, velocities = _still(self._start, len(steps))
        if self._count == 0:
            return poses, velocities
        whole = self._count * self._segment
        here = steps % (2 * whole) if self._loop else np.minimum(steps, whole)
        back = here >= whole
        here = np.where(back, 2 * whole - here, here) if self._loop else here
        # On the way back a waypoint already belongs to the segment that follows in time.
        leg = np.where(back, here - 1, here) // self._segment
        share = (here - leg * self._segment) / self._segment
        sign = np.where(back, -1.0 if self._loop else 0.0, 1.0)[:, None]
        poses[:, :3] += self._points[leg] - self._points[0] + share[:, None] * self._legs[leg]
        turned = _times(self._headings[leg], _exp(share[:, None] * self._turns[leg]))
        poses[:, 3:] = _times(turned, self._rest)
        velocities[:, :3] = sign * self._velocity[leg]
        velocities[:, 3:] = sign * self._spin[leg]
        return poses, velocities


class ProjectilePath:
    """p = p0 + v t + g t^2 / 2 with t = n dt / S: ``dt`` is the flight time [s] that passes in a control step.

    It comes to rest where its origin comes down to the table, or, beyond the table's edge, to the floor. The
    orientation stays q0.
    """

    def __init__(self, motion: ProjectileMotion, start: Array, setting: Setting) -> None:
        self._start = start
        self._throw = motion.initial_speed_m_s * _unit(motion.direction)
        self._gravity = np.asarray(motion.gravity_m_s2)
        self._tick = motion.dt / setting.substeps
        self._pace = self._tick / setting.step_s
        self._landing = self._time_down_to(setting.table_z)
        where = self._moved(np.array([self._landing]))[0, :2] + start[:2] if math.isfinite(self._landing) else start[:2]
        if np.any(np.abs(where) > setting.table_half):
            self._landing = self._time_down_to(setting.floor_z)

    def at(self, steps: Steps) -> tuple[Array, Array]:
        """Return poses and velocities."""
        time = np.minimum(steps * self._tick, self._landing)
        flying = (time < self._landing)[:, None]
        poses, velocities = _still(self._start, len(steps))
        poses[:, :3] += self._moved(time)
        velocities[:, :3] = flying * self._pace * (self._throw + self._gravity * time[:, None])
        return poses, velocities

    def _moved(self, time: Array) -> Array:
        return self._throw * time[:, None] + 0.5 * self._gravity * time[:, None] ** 2

    def _time_down_to(self, height: float) -> float:
        """Return the first time at which the origin is at ``height`` and not rising; infinity if there is none."""
        above, speed, pull = float(self._start[2]) - height, float(self._throw[2]), float(self._gravity[2])
        if above <= 0.0 and speed <= 0.0 and pull <= 0.0:
            return 0.0
        if pull == 0.0:
            return -above / speed if speed < 0.0 else math.inf
        under_root = speed * speed - 2.0 * pull * above
        # Of the two roots, the one at which the velocity speed + pull t is negative.
        time = -(speed + math.sqrt(under_root)) / pull if under_root >= 0.0 else -1.0
        return time if time >= 0.0 else math.inf


def path_of(motion: Motion, start: Array, setting: Setting) -> Path:
    """Return the path of a motion that starts at ``start`` (x y z qw qx qy qz)."""
    match motion:
        case LinearMotion():
            return LinearPath(motion, start, setting)
        case CircularMotion():
            return CircularPath(motion, start, setting)
        case WaypointMotion():
            return WaypointPath(motion, start, setting)
        case ProjectileMotion():
            return ProjectilePath(motion, start, setting)


def start_yaw(motion: Motion) -> float:
    """Return the yaw at which the object of a motion is placed: along the first waypoint's direction, else 0."""
    if isinstance(motion, WaypointMotion):
        x, y, _ = motion.waypoints[0].direction
        return math.atan2(y, x)
    return 0.0


def _still(start: Array, count: int) -> tuple[Array, Array]:
    return np.tile(start, (count, 1)), np.zeros((count, 6))


def _unit(vector: tuple[float, float, float]) -> Array:
    return np.asarray(vector) / math.sqrt(sum(x * x for x in vector))


# -- quaternions wxyz, rows or single ------------------------------------------------------------------------------
def _heading(direction: tuple[float, float, float]) -> Array:
    """Return the rotation of the x axis into ``direction``: yaw, then pitch."""
    x, y, z = direction
    yaw, pitch = math.atan2(y, x) / 2, -math.atan2(z, math.hypot(x, y)) / 2
    return _times(
        np.array([math.cos(yaw), 0.0, 0.0, math.sin(yaw)]), np.array([math.cos(pitch), 0.0, math.sin(pitch), 0.0])
    )


def _times(a: Array, b: Array) -> Array:
    """Return the Hamilton product."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    product = (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )
    return np.stack(product, axis=-1)


def _conjugate(quat: Array) -> Array:
    return np.concatenate([quat[:1], -quat[1:]])


def _turned(quat: Array, vector: Array) -> Array:
    """Return ``vector`` rotated by ``quat``."""
    _, *turned = _times(_times(quat, np.array([0.0, *vector])), _conjugate(quat)).tolist()
    return np.array(turned)


def _log(quat: Array) -> Array:
    """Return the rotation vector, by the shorter way round."""
    quat = quat if quat[0] >= 0.0 else -quat
    sine = float(np.linalg.norm(quat[1:]))
    return quat[1:] * (2.0 * math.atan2(sine, quat[0]) / sine) if sine > 1e-12 else np.zeros(3)


def _exp(vectors: Array) -> Array:
    """Return the quaternions of rotation vectors [n, 3]."""
    half = np.linalg.norm(vectors, axis=1) / 2
    return np.concatenate([np.cos(half)[:, None], 0.5 * np.sinc(half / np.pi)[:, None] * vectors], axis=1)


MASS_KG = 20.0
FRICTION = (0.4, 0.005, 0.0002)
SOLREF = (0.008, 1.0)


def make_driven(spec: mujoco.MjSpec, body: Any) -> None:
    """Give a free body under construction the mass and the contacts of a mover."""
    body.gravcomp = 1
    geoms = [geom for geom in body.find_all("geom") if geom.contype or geom.conaffinity]
    total = sum(geom.mass for geom in geoms)
    for geom in geoms:
        geom.mass *= MASS_KG / total
        geom.priority, geom.friction, geom.solref = 1, FRICTION, SOLREF
    spec.add_exclude(bodyname1=TABLE, bodyname2=body.name)


@dataclass(slots=True)
class _Driven:
    """One mover: where its joint is in the state, and what it follows. ``held`` is where it stands while it must."""

    mover: Mover
    qpos: Array
    qvel: Array
    violated: Condition
    held: Array | None
    path: Path
    start: Array
    poses: Array
    velocities: Array


@dataclass(frozen=True, slots=True)
class MoversState:
    """Everything the movers remember between control steps, for exact restore."""

    step: int
    starts: tuple[Array, ...]
    held: tuple[Array | None, ...]


class Movers:
    """The movers of a scene, on an integer count of physics steps since the episode's start.

    ``violation(name)`` returns the condition that a cost expression which names the mover is true now.
    """

    def __init__(self, scene: Scene, substeps: int, violation: Callable[[str], Condition]) -> None:
        self._scene = scene
        self._setting = Setting(TIMESTEP_S, substeps, TABLE_Z, (TABLE_HALF[0], TABLE_HALF[1]))
        self._step = self._block = 0
        self._events: list[Event] = []
        self._driven = [self._drivable(mover, violation(mover.name)) for mover in scene.task.movers]

    def _drivable(self, mover: Mover, violated: Condition) -> _Driven:
        joint = self._scene.data.joint(f"{mover.name}/free")
        pose = joint.qpos.copy()
        path = path_of(mover.motion, pose, self._setting)
        return _Driven(mover, joint.qpos, joint.qvel, violated, pose, path, pose, pose[None], np.zeros((1, 6)))

    def __bool__(self) -> bool:
        return bool(self._driven)

    def place(self) -> None:
        """Take the drawn layout: movers stand where it put them until `begin`; a projectile where its file says."""
        for item in self._driven:
            motion = item.mover.motion
            if isinstance(motion, ProjectileMotion) and motion.start_pos_m is not None:
                item.qpos[:3] = motion.start_pos_m
            item.held = item.qpos.copy()
        if self._driven:
            mujoco.mj_forward(self._scene.model, self._scene.data)

    def begin(self) -> None:
        """Start to move from where they stand, at step 0."""
        self._step = self._block = 0
        self._events = []
        for item in self._driven:
            self._follow(item, item.qpos.copy())
            item.held = None

    def begin_step(self) -> None:
        """Prepare the poses of the coming control step."""
        self._block = self._step
        steps = np.arange(self._step, self._step + self._setting.substeps + 1, dtype=np.int64)
        for item in self._driven:
            if item.held is None:
                item.poses, item.velocities = item.path.at(steps)

    def drive(self) -> None:
        """Write pose and velocity of the current physics step."""
        row = self._step - self._block
        for item in self._driven:
            if item.held is None:
                item.qpos[:], item.qvel[:] = item.poses[row], item.velocities[row]
            else:
                item.qpos[:], item.qvel[:] = item.held, 0.0

    def tick(self) -> None:
        """Count a physics step that was taken."""
        self._step += 1

    def freeze_violators(self) -> None:
        """Hold each mover that a true cost expression names; `drive` keeps it there from now on."""
        for item in self._driven:
            if item.held is None and item.violated():
                item.held = item.poses[self._step - self._block].copy()
                control_step = -(-self._step // self._setting.substeps)
                self._events.append(Event(control_step, self._step * TIMESTEP_S, "freeze", item.mover.name))

    def take_events(self) -> list[Event]:
        """Return what happened since the last call."""
        events, self._events = self._events, []
        return events

    def frozen(self, name: str) -> bool:
        """Whether a mover has stopped for good."""
        return self._find(name).held is not None

    def forecast(self, name: str, control_steps: int) -> Array:
        """Return the pose (x y z qw qx qy qz) that a mover will have in so many control steps if nothing freezes it."""
        item = self._find(name)
        step = self._step + control_steps * self._setting.substeps
        return item.held.copy() if item.held is not None else item.path.at(np.array([step], np.int64))[0][0]

    def state(self) -> MoversState:
        """Return everything remembered, for exact restore."""
        return MoversState(self._step, tuple(i.start for i in self._driven), tuple(i.held for i in self._driven))

    def restore(self, state: MoversState) -> None:
        self._step = self._block = state.step
        self._events = []
        for item, start, held in zip(self._driven, state.starts, state.held, strict=True):
            self._follow(item, start)
            item.held = held

    def _follow(self, item: _Driven, start: Array) -> None:
        item.start, item.path = start, path_of(item.mover.motion, start, self._setting)

    def _find(self, name: str) -> _Driven:
        for item in self._driven:
            if item.mover.name == name:
                return item
        raise SceneError(f"{name!r} does not move by itself in {self._scene.task.file}")
