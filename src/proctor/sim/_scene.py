"""A task compiled to a MuJoCo model, with names for everything the predicates and the expert ask about.

One model per task and set of object instances; a reset only writes state. Object instances come in `INSTANCE_SETS`
sets: the episode's seed picks a set, so a suite shows many different apples and yet compiles only a few models.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import SURFACE_PRIORITY, Asset, Button, Joint, Site, attach, links, make
from proctor.core import Event, ProctorError, did_you_mean, named_seed
from proctor.tasks.cbddl import Entity, LookOf, Region, Task

from ._contacts import Condition, ContactWatch, ForceWatch, GeomIds
from ._content import FlowWatch
from ._errors import SceneError
from ._movers import make_driven, start_yaw
from ._panda import BASE_POS, PREFIX, robot_spec, set_physics
from ._particles import SpillWatch, contents_of, particle_seed
from ._room import TABLE, TABLE_Z, add_scenery, room
from ._rotation import Array
from ._shapes import Solid
from ._watchers import ButtonWatch, Lasting, NearWatch, ToolWatch, TouchMemory, WeldWatch, add_welds

T = TypeVar("T")
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
    """What a name in a predicate stands for: an entity, something of it, or a rectangle region on the table.

    ``entity/part`` stands for what of an entity is called so: a site, else a button, else a joint (a door, a drawer, a
    lid), else the colliders of that part.
    """

    entity: str
    site: Site | None = None
    region: Region | None = None
    button: Button | None = None
    joint: Joint | None = None
    part: str = ""


class Watch(Protocol):
    """Something that remembers parts of an episode."""

    def state(self) -> Any: ...

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
        self.assets = {entity.name: asset_of(entity, instance_set, task.look(entity.name)) for entity in built(task)}
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
        self.lasting = Lasting()
        self.spills = SpillWatch(self.model, self.contents, self.assets)
        self._shared: dict[Hashable, Any] = {}
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
        self.robot_geoms = frozenset(self._geoms[PREFIX].tolist())
        self.buttons = ButtonWatch(self)
        self.flow = FlowWatch(self)
        self.tools = ToolWatch()
        self.welds = WeldWatch(self)
        self.watches: tuple[Watch, ...] = (
            self.contacts, self.forces, self.near, self.touches, self.spills,
            self.lasting, self.buttons, self.flow, self.tools, self.welds,
        )  # fmt: skip

    def begin(self) -> None:
        """Take the present, at rest, as the start of an episode."""
        self.remember()
        for watch in (self.contacts, self.forces, self.near):
            watch.begin_step()
            watch.sample(self.data)
        for memory in (self.lasting, self.buttons, self.flow, self.tools, self.welds, self.touches):
            memory.begin()
        self.spills.begin(self.data)

    def end_step(self, step: int, time_s: float) -> list[Event]:
        """Let everything with a memory look at the control step that has just ended; return what it saw."""
        self.lasting.update()
        pressed = self.buttons.update(step, time_s)
        self.flow.update()
        self.tools.update()
        self.welds.update()
        self.touches.update()
        return [*pressed, *self.spills.update(self.data, step, time_s)]

    # -- names -----------------------------------------------------------------------------------------------------
    def place(self, name: str) -> Place:
        """Resolve an entity's or region's name as it stands in a predicate."""
        if name in self.assets:
            return Place(name)
        if name == self.workspace or name in ROBOT_NAMES + GRIPPER_NAMES:
            return Place(name)
        entity, _, part = name.partition("/")
        if part and entity in self.assets:
            return self._of_entity(entity, part)
        region = self.task.region(name)
        if region is None:
            known_names = [*self.assets, *(region.full_name for region in self.task.regions)]
            raise SceneError(f"{name!r} is neither an object, a fixture nor a region{did_you_mean(name, known_names)}")
        if region.ranges and region.target == self.workspace:
            return Place(region.target, region=region)
        asset = self.assets.get(region.target)
        site = asset.site(region.site or region.name) if asset else None
        if asset is not None and site is None and not region.ranges:
            known = ", ".join(s.name for s in asset.sites) or "none"
            raise SceneError(
                f"{region.span}: {asset.category} has no site {region.site or region.name!r} and the region has no "
                f":ranges; its sites are {known}"
            )
        return Place(region.target, site=site, region=region)

    def _of_entity(self, entity: str, part: str) -> Place:
        asset = self.assets[entity]
        site = asset.site(part)
        if site is not None:
            return Place(entity, site=site)
        button = next((b for b in asset.buttons if b.name == part), None)
        joints = [link.joint for link in links(asset.root) if link.joint is not None]
        joint = next((j for j in joints if j.name == part), None)
        if button is not None or joint is not None:
            return Place(entity, button=button, joint=None if button else joint)
        if self.has_part(entity, part):
            return Place(entity, part=part)
        known = [*(s.name for s in asset.sites), *(b.name for b in asset.buttons), *(j.name for j in joints)]
        known = list(dict.fromkeys([*known, *self._parts(entity)]))
        raise SceneError(
            f"{entity} ({asset.category}) has no site, button, joint or part {part!r}{did_you_mean(part, known)}; "
            f"it has {', '.join(known)}"
        )

    def has_part(self, entity: str, part: str) -> bool:
        return part in self._parts(entity)

    def _parts(self, entity: str) -> list[str]:
        return sorted({self.model.geom(int(g)).name.split("/")[-2] for g in self._geoms[entity]})

    def _place_geoms(self, place: Place) -> GeomIds:
        """Return the colliding geoms of a part: those of the link that a button or a joint moves, or named so."""
        named = place.part or (place.site.name if place.site else "")
        if named and self.has_part(place.entity, named):
            return self.geoms(place.entity, (named,))
        link = place.button.link if place.button else ""
        if place.joint is not None:
            moved = (item for item in links(self.assets[place.entity].root) if item.joint == place.joint)
            link = next(moved).name
        if not link:
            return self.geoms(place.entity)
        bodies = {self.model.body(f"{place.entity}/{link}").id}
        # A body comes after its parent.
        for body in range(self.model.nbody):
            if int(self.model.body_parentid[body]) in bodies:
                bodies.add(body)
        return np.array([g for g in self._geoms[place.entity] if self.model.geom_bodyid[g] in bodies], np.intp)

    def geoms(self, name: str, parts: Sequence[int | str] | None = None) -> GeomIds:
        """Return the colliding geoms of an entity, a part of one, the robot (all links) or the gripper (fingers)."""
        if name in ROBOT_NAMES:
            return self._geoms[PREFIX]
        if name in GRIPPER_NAMES:
            return self.gripper_geoms
        if name == self.workspace:
            return self._geoms[TABLE]
        if name not in self._geoms:
            return self._place_geoms(self.place(name))
        if parts is None:
            return self._geoms[name]
        asset = self.assets[name]
        wanted = {asset.part_aliases.get(p, str(p)) if isinstance(p, int) else p for p in parts}
        chosen = [g for g in self._geoms[name] if self.model.geom(int(g)).name.split("/")[-2] in wanted]
        if not chosen:
            has = ", ".join(self._parts(name))
            raise SceneError(f"{name} has no part {', '.join(sorted(map(str, wanted)))}; its parts are {has}")
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

    def solid(self, name: str) -> Solid:
        """Return the shape of an entity's root body."""
        body = self._body[name]
        geoms = np.array([g for g in self._geoms[name] if self.model.geom_bodyid[g] == body], np.intp)
        return self.shared(("solid", name), lambda: Solid(self.model, geoms))

    def lowest(self, name: str) -> float:
        """Height [m] of an entity's lowest point."""
        return self.solid(name).lowest(self.origin(name), self.rotation(name))

    def free_dofs(self, name: str) -> NDArray[np.intp]:
        """Return where a movable object's six velocities are."""
        return self.shared(("dofs", name), lambda: np.arange(6) + self.model.joint(f"{name}/free").dofadr[0])

    def shared(self, key: Hashable, build: Callable[[], T]) -> T:
        """Return what was built under ``key`` before, else build it: conditions with a memory are kept once."""
        if key not in self._shared:
            self._shared[key] = build()
        found: T = self._shared[key]
        return found

    def remember(self) -> None:
        """Take the current poses as references."""
        self.references = {n: Reference(self.origin(n), self.com(n), self.rotation(n)) for n in self.assets}

    def held(self, name: str) -> Condition:
        """Return a condition: both fingers touch the entity at the end of the control step."""
        fingers = [self.contacts.now(geoms, self.geoms(name)) for geoms in self.finger_geoms]
        return lambda: fingers[0]() and fingers[1]()


def built(task: Task) -> list[Entity]:
    return [entity for entity in (*task.fixtures, *task.objects) if entity.category not in WORKSPACES]


def _workspace(task: Task) -> str:
    names = [entity.name for entity in task.fixtures if entity.category in WORKSPACES]
    if len(names) != 1:
        raise SceneError(
            f"{task.file}: a task needs exactly one fixture of category 'table' or 'floor' (found {len(names)}); "
            f"declare one, as in (:fixtures main_table - table)"
        )
    return names[0]


def asset_of(entity: Entity, instance_set: int, look: LookOf | None) -> Asset:
    if entity.name in _TAKEN:
        raise SceneError(
            f"{entity.span}: the name {entity.name!r} belongs to the scene itself; call it {entity.name}_1"
        )
    try:
        if make(entity.category, 0).particle:
            return make(entity.category, particle_seed(instance_set, entity.category))
        # The name, not only the category, seeds the instance: two mugs in a scene are siblings, not twins.
        seed = named_seed(instance_set, entity.category, entity.name) % 2**32
        if look is None:
            return make(entity.category, seed)
        return make(entity.category, seed if look.seed is None else look.seed, look.look)
    except ProctorError as error:
        raise SceneError(f"{look.span if look else entity.span}: {error}") from error


def _compile(scene: Scene) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    set_physics(spec)
    look = scene.task.look(scene.workspace)
    add_scenery(spec, room(look.seed if look else None))
    for name, asset in scene.assets.items():
        body = attach(spec, spec.worldbody, asset, name, free=name not in scene.fixed)
        if asset.particle and name in scene.start_yaw:
            raise SceneError(f"{scene.task.file}: {name!r} is a particle and cannot move by itself; use another object")
        if name in scene.start_yaw:
            make_driven(spec, body)
    add_welds(spec, scene.task)
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
