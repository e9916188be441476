"""Virtual liquid: what runs out of a tilted vessel, where it goes, what a machine dispenses, and how that is drawn.

What is in vessels, drawn: the level of their content, and the stream while something runs. Only pictures change.

The geoms that show a content are drawn as high as it stands: scaled along the vessel's axis from their bottom in the
list of things to draw, so that neither the model nor the physics knows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Opening, Site
from proctor.tasks.cbddl import Atom, Task, atoms_of

from ._contacts import Condition
from ._control import CONTROL_DT
from ._room import TABLE_Z
from ._rotation import Array
from ._watchers import steps_of

if TYPE_CHECKING:
    from ._scene import Scene


# Where things go into or onto a receptacle from above: its mouths, and the upright prism over each.
#
# The mouth of a ``contain`` or ``hole`` site is its +z face; that of a ``place`` site, its lower face, on which things
# rest. What has no site has one mouth, the top of its box.

_FLAT = 0.3
"""A mouth that looks more sideways than this (area seen from above, as a share) has no prism over it."""


@dataclass(frozen=True, slots=True)
class Mouth:
    """A rectangle that opens upwards."""

    scene: Scene
    entity: str
    site: Site | None

    def _frame(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return the middle, the rotation and the half sizes of the rectangle."""
        if self.site is None:
            solid = self.scene.solid(self.entity)
            rotation = self.scene.rotation(self.entity)
            middle = solid.centre + np.array([0.0, 0.0, solid.half[2]])
            return self.scene.origin(self.entity) + rotation @ middle, rotation, (solid.half[0], solid.half[1])
        position, rotation = self.scene.site_frame(self.entity, self.site)
        up = -self.site.half[2] if self.site.kind == "place" else self.site.half[2]
        return position + up * rotation[:, 2], rotation, self.site.half[:2]

    def middle(self) -> Array:
        return self._frame()[0]

    def rim(self) -> float:
        """Height [m] of the middle of the mouth."""
        return float(self._frame()[0][2])

    def depth(self) -> float:
        """How deep [m] it is under the mouth."""
        return 0.0 if self.site is None or self.site.kind == "place" else 2.0 * self.site.half[2]

    def over(self, point: Array) -> bool:
        """Whether a point lies in the upright prism over the mouth, above or below it."""
        middle, rotation, half = self._frame()
        (a, b), (c, d) = rotation[0, :2], rotation[1, :2]
        area = a * d - b * c
        if abs(area) < _FLAT:
            return False
        x, y = point[0] - middle[0], point[1] - middle[1]
        return bool(abs((d * x - b * y) / area) <= half[0] and abs((a * y - c * x) / area) <= half[1])


def mouths(scene: Scene, name: str) -> tuple[Mouth, ...]:
    """Return the mouths of an entity, or the one of a site."""
    place = scene.place(name)
    if place.site is not None:
        return (Mouth(scene, place.entity, place.site),)
    sites = scene.assets[place.entity].sites if place.entity in scene.assets else ()
    open_ = [site for site in sites if site.kind != "place"] or list(sites)
    return tuple(Mouth(scene, place.entity, site) for site in open_) or (Mouth(scene, place.entity, None),)


# Virtual flow: what runs out of a tilted vessel, where it goes, and what a machine dispenses.
#
# A vessel with a spout holds 1 of its own content. While it leans by more than 70 degrees its content falls, at a
# rate that rises linearly to 0.5 per second at 85 degrees. It runs into a receiver if the spout lies in the upright
# prism over the receiver's mouth and less than 25 cm above it (and not under its bottom); otherwise it is spilled.
# Receivers are what ``Poured`` and ``Filled`` name, they and their like start empty; what they have taken runs out of
# them again if they lean. A machine that has a ``spout`` site gives, after each press of its button, for 2 s to what
# stands with its middle within 2 cm of the spout's axis; full after 2 s. Looked at once per control step. Source:
# vlabench spec, 0.2.

FLOW_FROM_DEG, FULL_FLOW_DEG = 70.0, 85.0
RATE_PER_S = 0.5
REACH_M = 0.25
SPOUT_M = 0.02
DISPENSE_S = 2.0
SPOUT = "spout"
_UPRIGHT = math.cos(math.radians(FLOW_FROM_DEG))


@dataclass(frozen=True, slots=True)
class _Machine:
    entity: str
    site: Site
    pressed: tuple[Condition, ...]


@dataclass(slots=True)
class FlowState:
    """Everything that has flown: ``received`` by (source, receiver), ``level`` and ``spilled`` by vessel, ``filled``
    by receiver, and the control steps for which each machine still gives.
    """

    level: dict[str, float]
    received: dict[tuple[str, str], float]
    spilled: dict[str, float]
    filled: dict[str, float]
    giving: dict[str, int]
    streams: tuple[tuple[str, str], ...] = ()

    def copy(self) -> FlowState:
        return FlowState(
            dict(self.level),
            dict(self.received),
            dict(self.spilled),
            dict(self.filled),
            dict(self.giving),
            self.streams,
        )


class FlowWatch:
    """The vessels, receivers and machines of a scene; ``begin`` after settling, ``update`` after every step."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._receivers = {name: mouths(scene, name) for name in _receivers(scene.task)}
        self._sources = tuple(n for n in scene.movable if scene.assets[n].spout) if self._receivers else ()
        alike = {scene.assets[_entity(name)].category for name in self._receivers if _entity(name) in scene.assets}
        self._empty = frozenset(name for name, asset in scene.assets.items() if asset.category in alike)
        self._bodies = np.array([scene.body(name) for name in self._sources], np.intp)
        spouts = [spout for name in self._sources if (spout := scene.assets[name].spout)]
        self._axes = np.array([spout.axis for spout in spouts]).reshape(-1, 3)
        self._mouths = np.array([spout.position for spout in spouts]).reshape(-1, 3)
        self._machines = _machines(scene) if self._receivers else ()
        self.begin()

    @property
    def receivers(self) -> tuple[str, ...]:
        """What may be poured into, as the task calls it."""
        return tuple(self._receivers)

    @property
    def machines(self) -> tuple[str, ...]:
        return tuple(machine.entity for machine in self._machines)

    def begin(self) -> None:
        """Start an episode: every vessel is full, every receiver empty."""
        level = {name: 0.0 if name in self._empty else 1.0 for name in self._sources}
        self.now = FlowState(
            level,
            {},
            dict.fromkeys(self._sources, 0.0),
            dict.fromkeys(map(_entity, self._receivers), 0.0),
            {m.entity: 0 for m in self._machines},
        )

    def update(self) -> None:
        """Let content run for the control step that has just ended."""
        if not self._sources and not self._machines:
            return
        self.now.streams = ()
        self._pour()
        for machine in self._machines:
            self._dispense(machine)

    def tilts(self) -> Array:
        """Return the cosine of each vessel's lean."""
        up = self._scene.data.xmat[self._bodies, 6:9]
        return np.asarray(np.einsum("ij,ij->i", up, self._axes))

    def spout(self, name: str) -> Array:
        index = self._sources.index(name)
        point: Array = self._scene.origin(name) + self._scene.rotation(name) @ self._mouths[index]
        return point

    def lean_deg(self, name: str) -> float:
        """How far a vessel leans [degrees]."""
        return math.degrees(math.acos(float(np.clip(self.tilts()[self._sources.index(name)], -1.0, 1.0))))

    def _pour(self) -> None:
        if not len(self._sources):
            return
        cosines = self.tilts()
        for index in np.flatnonzero(cosines < _UPRIGHT).tolist():
            name = self._sources[index]
            amount = rate(math.degrees(math.acos(max(-1.0, float(cosines[index]))))) * CONTROL_DT
            own = min(amount, self.now.level[name])
            if own > 0.0:
                self.now.level[name] -= own
                self._run(name, own)
            taken = min(amount, self.now.filled.get(name, 0.0))
            if taken > 0.0:
                self.now.filled[name] -= taken
                self.now.spilled[name] += taken

    def _run(self, source: str, amount: float) -> None:
        """Give an amount that leaves a vessel to what is under its spout."""
        point = self.spout(source)
        for name, openings in self._receivers.items():
            if _entity(name) != source and any(_takes(mouth, point) for mouth in openings):
                key = (source, name)
                self.now.received[key] = self.now.received.get(key, 0.0) + amount
                self.now.filled[_entity(name)] = min(1.0, self.now.filled[_entity(name)] + amount)
                self.now.streams += (key,)
                return
        self.now.spilled[source] += amount
        self.now.streams += ((source, ""),)

    def _dispense(self, machine: _Machine) -> None:
        if any(pressed() for pressed in machine.pressed):
            self.now.giving[machine.entity] = steps_of(DISPENSE_S)
        if self.now.giving[machine.entity] <= 0:
            return
        self.now.giving[machine.entity] -= 1
        axis, _ = self._scene.site_frame(machine.entity, machine.site)
        given = ""
        for name in self._receivers:
            entity = _entity(name)
            place = self._scene.origin(entity)
            if math.hypot(place[0] - axis[0], place[1] - axis[1]) <= SPOUT_M and place[2] <= axis[2]:
                self.now.filled[entity] = min(1.0, self.now.filled[entity] + CONTROL_DT / DISPENSE_S)
                given = name
        self.now.streams += ((machine.entity, given),)

    def received(self, source: str, receiver: str) -> float:
        """What a receiver has taken from a vessel, as a share of the vessel's content."""
        return self.now.received.get((source, receiver), 0.0)

    def shown(self, name: str) -> float | None:
        """The level at which a thing's content is drawn: its own and what it has taken; None if it never changes."""
        if name not in self.now.level and name not in self.now.filled:
            return None
        return min(1.0, self.now.level.get(name, 0.0) + self.now.filled.get(name, 0.0))

    def state(self) -> FlowState:
        """Return a copy of the memory, for exact restore."""
        return self.now.copy()

    def restore(self, state: FlowState) -> None:
        self.now = state.copy()


def rate(lean_deg: float) -> float:
    """Return how much of its content a vessel loses per second at a lean."""
    share = (lean_deg - FLOW_FROM_DEG) / (FULL_FLOW_DEG - FLOW_FROM_DEG)
    return RATE_PER_S * min(1.0, max(0.0, share))


def _takes(mouth: Mouth, point: Array) -> bool:
    rise = float(point[2]) - mouth.rim()
    return -mouth.depth() <= rise < REACH_M and mouth.over(point)


def _entity(name: str) -> str:
    return name.partition("/")[0]


def _receivers(task: Task) -> tuple[str, ...]:
    """Return what the task's ``Poured`` and ``Filled`` name, in the order of the file."""
    exprs = (task.goal, *(subgoal.expr for subgoal in task.subgoals), *task.faults)
    found = [name for expr in exprs for atom in atoms_of(expr) if (name := _receiver(atom))]
    return tuple(dict.fromkeys(found))


def _receiver(atom: Atom) -> str:
    index = {"Poured": 1, "Filled": 0}.get(atom.predicate)
    return "" if index is None else str(atom.args[index])


def _machines(scene: Scene) -> tuple[_Machine, ...]:
    found = []
    for entity, asset in scene.assets.items():
        site = asset.site(SPOUT)
        if site is not None and asset.buttons:
            pressed = tuple(scene.buttons.began(f"{entity}/{button.name}") for button in asset.buttons)
            found.append(_Machine(entity, site, pressed))
    return tuple(found)


EMPTY = 0.02
"""Levels below this are not drawn."""
STREAM_M = 0.004
STREAM_RGBA = np.array([0.85, 0.80, 0.70, 0.9], np.float32)


@dataclass(frozen=True, slots=True)
class _Fill:
    owner: str
    bottom: float


class Content:
    """The contents of one scene that are seen."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._fills: dict[int, _Fill] = {}
        for geom in range(scene.model.ngeom):
            owner, _, rest = scene.model.geom(geom).name.partition("/")
            if rest.startswith("fill/") and scene.flow.shown(owner) is not None:
                self._fills[geom] = _Fill(owner, _bottom(scene, geom, owner))

    def draw(self, picture: mujoco.MjvScene) -> None:
        """Change a list of things to draw before it is drawn."""
        if self._fills:
            self._levels(picture)
        for source, receiver in self._scene.flow.now.streams:
            self._stream(picture, source, receiver)

    def _levels(self, picture: mujoco.MjvScene) -> None:
        for item in picture.geoms[: picture.ngeom]:
            fill = self._fills.get(item.objid) if item.objtype == mujoco.mjtObj.mjOBJ_GEOM else None
            if fill is None:
                continue
            level = self._scene.flow.shown(fill.owner) or 0.0
            if level < EMPTY:
                item.rgba[3] = 0.0
                continue
            up = self._scene.rotation(fill.owner)[:, 2]
            foot = self._scene.origin(fill.owner) + up * fill.bottom
            squash = np.eye(3) - (1.0 - level) * np.outer(up, up)
            item.mat[:] = squash @ np.asarray(item.mat).reshape(3, 3)
            item.pos[:] = foot + squash @ (np.asarray(item.pos) - foot)

    def _stream(self, picture: mujoco.MjvScene, source: str, receiver: str) -> None:
        if picture.ngeom >= picture.maxgeom:
            return
        start = self._start(source)
        end = start.copy()
        end[2] = self._scene.origin(receiver.partition("/")[0])[2] + 0.01 if receiver else TABLE_Z
        if end[2] >= start[2]:
            return
        item = picture.geoms[picture.ngeom]
        mujoco.mjv_initGeom(
            item, mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.zeros(3), np.zeros(9), self._colour(source)
        )
        mujoco.mjv_connector(item, mujoco.mjtGeom.mjGEOM_CAPSULE, STREAM_M, start, end)
        picture.ngeom += 1

    def _start(self, source: str) -> Array:
        asset = self._scene.assets[source]
        if asset.spout is not None:
            return self._scene.flow.spout(source)
        return mouths(self._scene, f"{source}/{SPOUT}")[0].middle()

    def _colour(self, source: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        """Return the colour of what runs out of a vessel: that of its drawn content."""
        model = self._scene.model
        for geom, fill in self._fills.items():
            if fill.owner == source and model.geom_matid[geom] >= 0:
                return np.array([*model.mat_rgba[model.geom_matid[geom], :3], STREAM_RGBA[3]], np.float32)
        return STREAM_RGBA


def _bottom(scene: Scene, geom: int, owner: str) -> float:
    """Return the lowest height of a mesh geom in its owner's frame."""
    model, data = scene.model, scene.data
    mujoco.mj_kinematics(model, data)
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = model.mesh_vert[first : first + count].astype(np.float64)
    world = data.geom_xpos[geom] + vertices @ data.geom_xmat[geom].reshape(3, 3).T
    local = (world - scene.origin(owner)) @ scene.rotation(owner)
    return float(local[:, 2].min())


# Burners glow while they are turned on and are dark otherwise. Only pictures change, nothing that is scored.

COLD_RGB = (0.15, 0.14, 0.14)


@dataclass(frozen=True, slots=True)
class _Burner:
    fixture: str
    opening: Opening
    material: int
    hot_rgb: NDArray[np.float32]
    emission: float


class Glow:
    """The glowing materials of the fixtures of one scene that have a switch; assets are drawn as turned on."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        model = scene.model
        self._burners: list[_Burner] = []
        for name in scene.fixed:
            site = scene.assets[name].site("switch")
            if site is None or site.opening is None:
                continue
            mine = (geom for geom in range(model.ngeom) if scene.owner(geom) == name and model.geom_matid[geom] >= 0)
            for material in sorted({int(model.geom_matid[geom]) for geom in mine}):
                emission = float(model.mat_emission[material])
                if emission > 0:
                    rgb = model.mat_rgba[material, :3].copy()
                    self._burners.append(_Burner(name, site.opening, material, rgb, emission))

    def update(self) -> None:
        """Give every burner the look of its switch; called before a picture is drawn."""
        model = self._scene.model
        for burner in self._burners:
            on = self._scene.joint(burner.fixture, burner.opening.joint) >= burner.opening.open_above
            model.mat_rgba[burner.material, :3] = burner.hot_rgb if on else COLD_RGB
            model.mat_emission[burner.material] = burner.emission if on else 0.0
