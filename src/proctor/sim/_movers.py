"""Drives the objects of ``:moving_objects``.

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

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from proctor.core import Event
from proctor.tasks.cbddl import Mover, ProjectileMotion

from ._contacts import Condition
from ._errors import SceneError
from ._motion import Array, Path, Setting, path_of
from ._panda import TIMESTEP_S
from ._scenery import TABLE, TABLE_HALF, TABLE_Z

if TYPE_CHECKING:
    from ._scene import Scene

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
        """Restore what `state` returned."""
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
