"""A task compiled to a MuJoCo model, with names for everything the predicates and the expert ask about.

One model per task and set of object instances; a reset only writes state. Object instances come in `INSTANCE_SETS`
sets: the episode's seed picks a set, so a suite shows many different apples and yet compiles only a few models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import mujoco
import numpy as np

from proctor.assets import SURFACE_PRIORITY, Asset, Site, attach, make
from proctor.cbddl import Entity, Region, Task
from proctor.core import ProctorError, did_you_mean, named_seed

from ._contacts import Condition, ContactWatch, ForceWatch, GeomIds
from ._contents import contents_of, particle_seed
from ._errors import SceneError
from ._motion import start_yaw
from ._movers import make_driven
from ._panda import BASE_POS, PREFIX, robot_spec, set_physics
from ._rotation import Array
from ._scenery import TABLE, TABLE_Z, add_scenery
from ._spill import SpillWatch
from ._watches import NearWatch, TouchMemory

INSTANCE_SETS = 6
# Tasks that the reference lays on the floor are laid on the table: the same rectangles, the same reach.
WORKSPACES = {"table": TABLE, "floor": TABLE}
ROBOT_NAMES = ("robot", "robot0")
GRIPPER_NAMES = ("gripper", "gripper0")
FLOOR = "floor"
# Bodies of the scenery and what predicates call the robot: an entity of that name could not be told apart.
_TAKEN = frozenset({TABLE, FLOOR, "world", *ROBOT_NAMES, *GRIPPER_NAMES})


@dataclass(frozen=True, slots=True)
class Reference:
    """Where something was after settling: origin, centre of mass, rotation."""

    origin: Array
    com: Array
    rotation: Array


@dataclass(frozen=True, slots=True)
class Place:
    """What a name in a predicate stands for: an entity, one of its sites, or a rectangle region on the table."""

    entity: str
    site: Site | None = None
    region: Region | None = None


class Watch(Protocol):
    """Something that remembers parts of an episode."""

    def state(self) -> Any:
        """Return a copy of the memory."""
        ...

    def restore(self, state: Any, /) -> None:
        """Take back what `state` returned."""
        ...


class Scene:
    """Compiled task. Poses and contacts are read from ``data``; ``references`` are set by the environment after
    settling.
    """

    def __init__(self, task: Task, instance_set: int) -> None:
        self.task = task
        self.instance_set = instance_set
        self.assets = {entity.name: _asset(entity, instance_set) for entity in _built(task)}
        self.contents = contents_of(task, self.assets, instance_set)
        self.particles = tuple(name for name, asset in self.assets.items() if asset.particle)
        self.movable = tuple(entity.name for entity in task.objects if entity.name not in self.particles)
        self.fixed = tuple(entity.name for entity in task.fixtures if entity.name in self.assets)
        self.workspace = _workspace(task)
        self.start_yaw = {mover.name: start_yaw(mover.motion) for mover in task.movers}
        self.moving = frozenset(self.start_yaw)
        self.model: mujoco.MjModel = _compile(self)
        self.data = mujoco.MjData(self.model)
        self.contacts = ContactWatch(self.model)
        self.forces = ForceWatch(self.model)
        self.near = NearWatch(self.model)
        self.touches = TouchMemory()
        self.spills = SpillWatch(self.model, self.contents, self.assets)
        self.watches: tuple[Watch, ...] = (self.contacts, self.forces, self.near, self.touches, self.spills)
        self.references: dict[str, Reference] = {}
        self.spawned: dict[str, Reference] = {}
        self._body = {name: self.model.body(name).id for name in self.assets}
        self._geoms = self._collect_geoms()
        slides = [self.model.joint(f"{name}/{letter}") for name in self.particles for letter in "xyz"]
        self.particle_dofs = np.array([slide.dofadr[0] for slide in slides], np.intp)
        self.arm_qpos = np.array([self.model.joint(f"{PREFIX}joint{i}").qposadr[0] for i in range(1, 8)])
        self.finger_qpos = np.array([self.model.joint(f"{PREFIX}finger{i}").qposadr[0] for i in range(2)])
        self.arm_ctrl = np.array([self.model.actuator(f"{PREFIX}arm{i}").id for i in range(7)])
        self.grip_ctrl = self.model.actuator(f"{PREFIX}grip").id
        self._tcp = self.model.site(f"{PREFIX}tcp").id
        self.finger_geoms = [self._link_geoms(f"finger{i}") for i in range(2)]
        self.gripper_geoms = np.concatenate(self.finger_geoms)

    # -- names -----------------------------------------------------------------------------------------------------
    def place(self, name: str) -> Place:
        """Resolve an entity's or region's name as it stands in a predicate."""
        if name in self.assets:
            return Place(name)
        if name == self.workspace or name in ROBOT_NAMES + GRIPPER_NAMES:
            return Place(name)
        region = self.task.region(name)
        if region is None:
            known_names = [*self.assets, *(region.full_name for region in self.task.regions)]
            raise SceneError(f"{name!r} is neither an object, a fixture nor a region{did_you_mean(name, known_names)}")
        if region.ranges and region.target == self.workspace:
            return Place(region.target, region=region)
        asset = self.assets.get(region.target)
        site = asset.site(region.name) if asset else None
        if asset is not None and site is None and not region.ranges:
            known = ", ".join(s.name for s in asset.sites) or "none"
            raise SceneError(
                f"{region.span}: {asset.category} has no site {region.name!r} and the region has no :ranges; "
                f"its sites are {known}"
            )
        return Place(region.target, site=site, region=region)

    def geoms(self, name: str, parts: Sequence[int | str] | None = None) -> GeomIds:
        """Return the colliding geoms of an entity, of the robot (all links) or of the gripper (fingers)."""
        if name in ROBOT_NAMES:
            return self._geoms[PREFIX]
        if name in GRIPPER_NAMES:
            return self.gripper_geoms
        if name == self.workspace:
            return self._geoms[TABLE]
        if parts is None:
            return self._geoms[name]
        asset = self.assets[name]
        wanted = {asset.part_aliases.get(p, str(p)) if isinstance(p, int) else p for p in parts}
        chosen = [g for g in self._geoms[name] if self.model.geom(int(g)).name.split("/")[-2] in wanted]
        if not chosen:
            has = sorted({self.model.geom(int(g)).name.split("/")[-2] for g in self._geoms[name]})
            raise SceneError(
                f"{name} has no part {', '.join(sorted(map(str, wanted)))}; its parts are {', '.join(has)}"
            )
        return np.array(chosen, np.intp)

    def _collect_geoms(self) -> dict[str, GeomIds]:
        owners: dict[str, list[int]] = {name: [] for name in (*self.assets, TABLE, PREFIX, FLOOR)}
        for geom in range(self.model.ngeom):
            if not (self.model.geom_contype[geom] or self.model.geom_conaffinity[geom]):
                continue
            owners[self.owner(geom)].append(geom)
        return {name: np.array(ids, np.intp) for name, ids in owners.items()}

    def _link_geoms(self, link: str) -> GeomIds:
        body = self.model.body(PREFIX + link).id
        return np.array([g for g in self._geoms[PREFIX] if self.model.geom_bodyid[g] == body], np.intp)

    def owner(self, geom: int) -> str:
        """Return the entity that a geom belongs to: an asset's name, the table, ``robot/`` or ``floor``."""
        root = self.model.body(self.model.body_rootid[self.model.geom_bodyid[geom]]).name
        return PREFIX if root.startswith(PREFIX) else FLOOR if root == "world" else root

    # -- state -----------------------------------------------------------------------------------------------------
    def body(self, name: str) -> int:
        """Return the id of an entity's root body."""
        return int(self._body[name])

    def origin(self, name: str) -> Array:
        """Origin of an entity: centre of its footprint, on its support plane."""
        return np.array(self.data.xpos[self._body[name]])

    def com(self, name: str) -> Array:
        """Centre of mass of an entity's root body."""
        return np.array(self.data.xipos[self._body[name]])

    def rotation(self, name: str) -> Array:
        """Rotation matrix of an entity."""
        return np.array(self.data.xmat[self._body[name]]).reshape(3, 3)

    def put(self, name: str, position: Array, quat_wxyz: Array | None = None) -> None:
        """Write the pose of a movable object, or the place of a particle, which has no rotation."""
        if name in self.particles:
            for letter, value in zip("xyz", position, strict=True):
                self.data.joint(f"{name}/{letter}").qpos[0] = value
        else:
            quat = (1.0, 0.0, 0.0, 0.0) if quat_wxyz is None else quat_wxyz
            self.data.joint(f"{name}/free").qpos[:] = (*position, *quat)

    def joint(self, entity: str, joint: str) -> float:
        """Value of a fixture's joint."""
        return float(self.data.joint(f"{entity}/{joint}").qpos[0])

    def site_frame(self, entity: str, site: Site) -> tuple[Array, Array]:
        """World position and rotation of a site."""
        frame = self.data.site(f"{entity}/{site.name}")
        return frame.xpos.copy(), frame.xmat.reshape(3, 3).copy()

    def in_site(self, point: Array, entity: str, site: Site) -> bool:
        """Whether a world point lies in a site's box."""
        position, rotation = self.site_frame(entity, site)
        return bool(np.all(np.abs(rotation.T @ (point - position)) <= np.asarray(site.half)))

    def tcp(self) -> tuple[Array, Array]:
        """Tool position and rotation matrix as measured."""
        return self.data.site_xpos[self._tcp].copy(), self.data.site_xmat[self._tcp].reshape(3, 3).copy()

    def remember(self) -> None:
        """Take the current poses as references."""
        self.references = {n: Reference(self.origin(n), self.com(n), self.rotation(n)) for n in self.assets}

    def held(self, name: str) -> Condition:
        """Return a condition: both fingers touch the entity at the end of the control step."""
        fingers = [self.contacts.now(geoms, self.geoms(name)) for geoms in self.finger_geoms]
        return lambda: fingers[0]() and fingers[1]()


def _built(task: Task) -> list[Entity]:
    return [entity for entity in (*task.fixtures, *task.objects) if entity.category not in WORKSPACES]


def _workspace(task: Task) -> str:
    names = [entity.name for entity in task.fixtures if entity.category in WORKSPACES]
    if len(names) != 1:
        raise SceneError(
            f"{task.file}: a task needs exactly one fixture of category 'table' or 'floor' (found {len(names)}); "
            f"declare one, as in (:fixtures main_table - table)"
        )
    return names[0]


def _asset(entity: Entity, instance_set: int) -> Asset:
    if entity.name in _TAKEN:
        raise SceneError(
            f"{entity.span}: the name {entity.name!r} belongs to the scene itself; call it {entity.name}_1"
        )
    try:
        if make(entity.category, 0).particle:
            return make(entity.category, particle_seed(instance_set, entity.category))
        # The name, not only the category, seeds the instance: two mugs in a scene are siblings, not twins.
        return make(entity.category, named_seed(instance_set, entity.category, entity.name) % 2**32)
    except ProctorError as error:
        raise SceneError(f"{entity.span}: {error}") from error


def _compile(scene: Scene) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    set_physics(spec)
    add_scenery(spec)
    for name, asset in scene.assets.items():
        body = attach(spec, spec.worldbody, asset, name, free=name not in scene.fixed)
        if asset.particle and name in scene.start_yaw:
            raise SceneError(f"{scene.task.file}: {name!r} is a particle and cannot move by itself; use another object")
        if name in scene.start_yaw:
            make_driven(spec, body)
    if scene.particles:
        _give_grip(spec, (TABLE, *scene.fixed))
    spec.attach(robot_spec(), prefix=PREFIX, frame=spec.worldbody.add_frame(pos=BASE_POS))
    return spec.compile()


def _give_grip(spec: mujoco.MjSpec, owners: Sequence[str]) -> None:
    """Let surfaces decide their contacts: a spilled particle, slippery by itself, slides to a stop on them."""
    for geom in spec.geoms:
        root = geom.parent
        while root.parent is not None and root.parent.name != "world":
            root = root.parent
        if root.name in owners or root.name == "world":
            geom.priority = SURFACE_PRIORITY


__all__ = ["FLOOR", "GRIPPER_NAMES", "INSTANCE_SETS", "ROBOT_NAMES", "TABLE_Z", "Place", "Reference", "Scene"]
