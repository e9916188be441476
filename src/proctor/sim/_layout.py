"""From ``:init`` and a seed to start poses.

Order as in the reference: fixtures and objects in table regions, then objects in or on sites of fixtures, then objects
on objects. A rectangle is drawn uniformly, a point uniformly in it, yaw uniformly in the region's range (0 without
one). A draw in which anything touches anything it does not stand on is thrown away; MuJoCo's own collision check
decides, so "free" means free for the real shapes, not for bounding circles.

Files of others were written for other shapes: where no draw is free, the rectangles of the movable things on the table
are widened by a few centimetres, and the episode says so (event ``layout_widened``). What ``:init`` never places
or places off the table, and neither goal nor cost names, is put on the floor behind the cameras. The linter names both,
no certificate accepts them. A mover whose waypoints begin elsewhere than its region starts on the first of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from proctor.assets import Site
from proctor.tasks.cbddl import Atom, Rect, Region, WaypointMotion, atoms_of

from ._errors import LayoutError, SceneError, located
from ._panda import FINGER_OPEN_M, HOME_Q
from ._particles import WALL_BOXES, turned
from ._room import TABLE, TABLE_HALF, TABLE_Z
from ._rotation import heading, quat_wxyz, yaw_matrix, yaw_quat
from ._scene import Place, Scene
from ._shapes import DistanceProbe

MAX_DRAWS = 400
# By how much rectangles are widened when no draw was free, and the draws at each width.
WIDENINGS_M = (0.02, 0.04, 0.06, 0.08)
WIDENED_DRAWS = 100
# Where things lie that the file declares and never places: on the floor, behind every camera.
PARKED_XY = (3.0, 0.0)
PARKED_STEP_M = 0.4
DROP_M = 0.001
# Free space that must lie between things at the start, so that nothing is wedged.
CLEARANCE_M = 0.004


@dataclass(frozen=True, slots=True)
class _Placement:
    """One ``On`` or ``In`` of ``:init``: what goes where."""

    name: str
    atom: Atom
    support: str
    region: Region | None


class LayoutSampler:
    """Draws start states for one scene and writes them into its data."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._openings: list[tuple[str, tuple[float, float]]] = []
        self._placements: list[_Placement] = []
        self._parked: list[str] = []
        self._read_init()

    def _read_init(self) -> None:
        scene = self._scene
        table, nested, stacked = [], [], []
        poured = {name for contents in scene.contents for name in contents.particles}
        needed = _named(scene) | set(scene.fixed) | {str(a.args[1]) for a in scene.task.init if len(a.args) == 2}
        for atom in scene.task.init:
            if atom.predicate in ("Open", "Close", "TurnOn", "TurnOff"):
                self._read_opening(atom)
                continue
            if atom.predicate not in ("On", "In"):
                raise SceneError(
                    f"{atom.span}: {atom.predicate} in :init is not built; use On, In, Open, Close, TurnOn, TurnOff"
                )
            name, where = (str(arg) for arg in atom.args)
            if name in poured:
                continue
            if name not in scene.assets:
                raise SceneError(f"{atom.span}: {name!r} is not a declared object or fixture")
            place = self._place(atom, where)
            item = _Placement(name, atom, place.entity, place.region)
            if place.entity == scene.workspace:
                region = _where_its_path_begins(scene, name, place.region)
                if name not in needed:
                    region = _kept_on_table(region, scene.assets[name].radius_m)
                    if region is not None and not region.ranges:
                        continue
                _require_on_table(region)
                table.append(replace(item, region=region))
            elif place.entity in scene.fixed:
                nested.append(item)
            else:
                stacked.append(item)
        # Fixtures first: a drawer must stand where it stands before something is put into it.
        table.sort(key=lambda item: item.name not in scene.fixed)
        self._placements = [*table, *nested, *_by_support(stacked)]
        placed = poured | {item.name for item in self._placements}
        self._parked = [name for name in scene.assets if name not in placed]
        for name in self._parked:
            if name in needed:
                entity = scene.task.entity(name)
                where_declared = entity.span if entity else scene.task.file
                raise SceneError(f"{where_declared}: {name!r} is never placed in :init; add (On {name} REGION)")

    def _place(self, atom: Atom, where: str) -> Place:
        try:
            return self._scene.place(where)
        except SceneError as error:
            raise located(atom.span, error) from None

    def _read_opening(self, atom: Atom) -> None:
        place = self._place(atom, str(atom.args[0]))
        asset, switched = self._scene.assets.get(place.entity), atom.predicate.startswith("Turn")
        site = asset.site("switch") if switched and asset else place.site
        if site is None or site.opening is None:
            needs = "a fixture with a switch" if switched else "a drawer or a door"
            raise SceneError(f"{atom.span}: {atom.predicate} needs {needs}, which {atom.args[0]!r} is not")
        opening = site.opening
        span = opening.init_open if atom.predicate in ("Open", "TurnOn") else (0.0, 0.0)
        self._openings.append((f"{place.entity}/{opening.joint}", span))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw until a layout is free of collisions; leaves the scene's data at that state with zero velocity.

        Returns by how many metres rectangles had to be widened, 0 as a rule.
        """
        scene = self._scene
        blame: dict[str, int] = {}
        for widen_m in _widths():
            mujoco.mj_resetData(scene.model, scene.data)
            scene.data.qpos[scene.arm_qpos] = HOME_Q
            scene.data.qpos[scene.finger_qpos] = FINGER_OPEN_M
            scene.data.ctrl[scene.arm_ctrl] = HOME_Q
            scene.data.ctrl[scene.grip_ctrl] = FINGER_OPEN_M
            for joint, (low, high) in self._openings:
                scene.data.joint(joint).qpos[0] = rng.uniform(low, high)
            for item in self._placements:
                self._put(item, rng, widen_m)
                mujoco.mj_kinematics(scene.model, scene.data)
            for i, name in enumerate(self._parked):
                scene.put(name, np.array([PARKED_XY[0] + i * PARKED_STEP_M, PARKED_XY[1], DROP_M]))
            self._pour(rng)
            clash = self._clash()
            if clash is None:
                mujoco.mj_forward(scene.model, scene.data)
                return widen_m
            blame[clash] = blame.get(clash, 0) + 1
        worst = max(blame, key=lambda pair: blame[pair])
        raise LayoutError(
            f"{scene.task.file}: no free layout in {MAX_DRAWS} draws, most often {worst} overlap, even with regions "
            f"widened by {WIDENINGS_M[-1] * 100:.0f} cm; move or widen their regions"
        )

    def _put(self, item: _Placement, rng: np.random.Generator, widen_m: float) -> None:
        scene = self._scene
        yaw_range = item.region.yaw_rad if item.region and item.region.yaw_rad else (0.0, 0.0)
        yaw = float(rng.uniform(*yaw_range)) + scene.start_yaw.get(item.name, 0.0)
        radius = scene.assets[item.name].radius_m
        if self._put_into_hole(item, yaw):
            return
        if item.support == scene.workspace and item.region is not None:
            x, y = _draw(item.region, rng, 0.0 if item.name in scene.fixed else widen_m)
            z = TABLE_Z
        elif item.support == scene.workspace:
            x, y, z = 0.0, 0.0, TABLE_Z
        else:
            x, y, z, base_yaw = self._spot(item, radius, rng)
            yaw += base_yaw
        if item.name in scene.fixed:
            body = scene.body(item.name)
            scene.model.body_pos[body] = (x, y, z)
            scene.model.body_quat[body] = yaw_quat(yaw)
        else:
            # What holds something stands as it stood when that came to rest: a fall would stir it up again.
            above = next((c.height_m for c in scene.contents if c.vessel == item.name), DROP_M)
            scene.put(item.name, np.array([x, y, z + above]), yaw_quat(yaw))

    def _put_into_hole(self, item: _Placement, yaw: float) -> bool:
        """Put something into a hole, if that is its place: in the hole's frame, its tip on the hole's ground."""
        scene = self._scene
        site, stem = scene.place(str(item.atom.args[1])).site, scene.assets[item.name].stem
        if site is None or site.kind != "hole" or item.name in scene.fixed:
            return False
        centre, frame = scene.site_frame(item.support, site)
        turned = frame @ yaw_matrix(yaw)
        ground = centre - (site.half[2] - DROP_M) * frame[:, 2]
        tip = np.asarray(stem.tip) if stem is not None else np.zeros(3)
        scene.put(item.name, ground - turned @ tip, quat_wxyz(turned))
        return True

    def _pour(self, rng: np.random.Generator) -> None:
        """Put the contents of vessels into them, turned by as many wall boxes as ``rng`` says."""
        scene = self._scene
        for contents in scene.contents:
            origin, rotation = scene.origin(contents.vessel), scene.rotation(contents.vessel)
            origins = turned(contents.origins, int(rng.integers(WALL_BOXES)))
            for name, at in zip(contents.particles, origins, strict=True):
                scene.put(name, origin + rotation @ at)

    def _spot(self, item: _Placement, radius: float, rng: np.random.Generator) -> tuple[float, float, float, float]:
        """Return a point on or in another entity, and that entity's yaw."""
        scene = self._scene
        place = scene.place(str(item.atom.args[1]))
        support = scene.assets[item.support]
        site = place.site or next((s for s in support.sites if s.name == "top_side"), None)
        origin, rotation = scene.origin(item.support), scene.rotation(item.support)
        if place.region is not None and place.region.ranges and place.site is None:
            x, y = _draw(place.region, rng)
            spot = origin + yaw_matrix(heading(rotation)) @ np.array([x, y, support.height_m])
            return float(spot[0]), float(spot[1]), float(spot[2]), heading(rotation)
        if site is None and support.rolls:
            # Nothing balances on a ball; set down exactly on top it would, in a simulation, for ever.
            origin = origin + np.array([*rng.uniform(-0.1, 0.1, 2) * support.radius_m, 0.0])
        if site is None:
            return float(origin[0]), float(origin[1]), float(origin[2] + support.height_m), heading(rotation)
        centre, frame = scene.site_frame(item.support, site)
        # Objects on objects go to the middle; in a drawer or on a shelf they spread over what their size leaves free.
        free = np.maximum(np.asarray(site.half[:2]) - radius, 0.0) if item.support in scene.fixed else np.zeros(2)
        if place.region is not None and place.region.ranges:
            # A site with ranges: the rectangle lies in the site's own frame, as the front half of a drawer does.
            x, y = _draw(place.region, rng)
        else:
            x, y = float(rng.uniform(-free[0], free[0])), float(rng.uniform(-free[1], free[1]))
        turn = 0.0
        if _fills_drawer(place.region, site, radius):
            x, turn = -abs(x), math.pi / 2
        spot = centre + frame @ np.array([x, y, -site.half[2]])
        return float(spot[0]), float(spot[1]), float(spot[2]), heading(rotation) + turn

    def _clash(self) -> str | None:
        """Return the first pair of entities that are too close and not one on the other, or None."""
        scene = self._scene
        mujoco.mj_fwdPosition(scene.model, scene.data)
        supports = {(item.name, item.support) for item in self._placements}
        supports |= {(name, contents.vessel) for contents in scene.contents for name in contents.particles}
        for geoms, distance in zip(scene.data.contact.geom.tolist(), scene.data.contact.dist.tolist(), strict=True):
            a, b = (scene.owner(geom) for geom in geoms)
            if distance > 0 or a == b or {(a, b), (b, a)} & supports or {a, b} <= set(scene.particles):
                continue
            pair = {a, b}
            if pair & set(scene.assets) and TABLE not in pair:
                return " and ".join(sorted(name.rstrip("/") for name in pair))
        return self._crowded()

    def _crowded(self) -> str | None:
        """Return a pair on the table whose real shapes are closer than the clearance."""
        scene = self._scene
        names = [item.name for item in self._placements if item.support == scene.workspace]
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                gap = scene.origin(a)[:2] - scene.origin(b)[:2]
                if math.hypot(*gap) > scene.assets[a].radius_m + scene.assets[b].radius_m + CLEARANCE_M:
                    continue
                if _gap(scene, a, b) < CLEARANCE_M:
                    return f"{a} and {b}"
        return None


def _gap(scene: Scene, a: str, b: str) -> float:
    return DistanceProbe(scene.model, scene.geoms(a), scene.geoms(b), CLEARANCE_M)(scene.data)


def _where_its_path_begins(scene: Scene, name: str, region: Region | None) -> Region | None:
    """Return a mover's region, carried to its first waypoint if that lies far off: the reference jumps there."""
    mover = next((mover for mover in scene.task.movers if mover.name == name), None)
    found = scene.task.distant_start(mover) if mover is not None else None
    if mover is None or found is None or not isinstance(mover.motion, WaypointMotion):
        return region
    region, _ = found
    rect, (x, y, _) = region.ranges[0], mover.motion.waypoints[0].position_m
    half = (rect.x_max - rect.x_min) / 2, (rect.y_max - rect.y_min) / 2
    carried = replace(rect, x_min=x - half[0], x_max=x + half[0], y_min=y - half[1], y_max=y + half[1])
    return replace(region, ranges=(carried,))


def _kept_on_table(region: Region | None, radius_m: float) -> Region | None:
    """Cut what reaches beyond the table off rectangles, with room for the thing; what is left may be nothing.

    For a thing that nobody asks for: upstream lets one fall off the table, and the task goes on without it.
    """
    if region is None or not any(_beyond(rect) for rect in region.ranges):
        return region
    x, y = TABLE_HALF[0] - radius_m, TABLE_HALF[1] - radius_m
    cut = [
        rect
        if not _beyond(rect)
        else replace(
            rect,
            x_min=max(rect.x_min, -x),
            x_max=min(rect.x_max, x),
            y_min=max(rect.y_min, -y),
            y_max=min(rect.y_max, y),
        )
        for rect in region.ranges
    ]
    return replace(region, ranges=tuple(rect for rect in cut if rect.x_min <= rect.x_max and rect.y_min <= rect.y_max))


def _beyond(rect: Rect) -> bool:
    return max(-rect.x_min, rect.x_max) > TABLE_HALF[0] or max(-rect.y_min, rect.y_max) > TABLE_HALF[1]


def _require_on_table(region: Region | None) -> None:
    """Refuse a region that reaches beyond the table at once, not at the first seed that draws a point out there."""
    if region is None:
        return
    for rect in region.ranges:
        if _beyond(rect):
            raise SceneError(
                f"{region.span}: region {region.full_name!r} reaches beyond the 1.0 x 1.2 m table; keep |x| <= 0.5 "
                f"and |y| <= 0.6"
            )


def _fills_drawer(region: Region | None, site: Site, radius_m: float) -> bool:
    """Whether something takes most of a drawer's depth, and its file says neither where nor how it lies there.

    Then it lies across, in the front half: a hand gets at it between the front and the cabinet.
    """
    free = region is not None and not region.ranges and region.yaw_rad is None
    return free and site.opening is not None and radius_m > site.half[0] / 2


def _draw(region: Region, rng: np.random.Generator, widen_m: float = 0.0) -> tuple[float, float]:
    rect = region.ranges[int(rng.integers(len(region.ranges)))]
    x = float(rng.uniform(rect.x_min - widen_m, rect.x_max + widen_m))
    y = float(rng.uniform(rect.y_min - widen_m, rect.y_max + widen_m))
    return x, y


def _widths() -> Iterator[float]:
    """Yield by how much the rectangles of each draw are widened."""
    yield from itertools.repeat(0.0, MAX_DRAWS)
    for width in WIDENINGS_M:
        yield from itertools.repeat(width, WIDENED_DRAWS)


def _named(scene: Scene) -> set[str]:
    """Return what goal, cost or movers name."""
    task = scene.task
    atoms = [atom for expression in (task.goal, *task.cost) for atom in atoms_of(expression)]
    return {str(arg) for atom in atoms for arg in atom.args} | {mover.name for mover in task.movers}


def _by_support(items: list[_Placement]) -> list[_Placement]:
    """Order stacks from the bottom up."""
    ordered: list[_Placement] = []
    waiting = list(items)
    while waiting:
        names = {item.name for item in waiting}
        ready = [item for item in waiting if item.support not in names]
        if not ready:
            raise SceneError(f"{waiting[0].atom.span}: objects stand on each other in a circle")
        ordered += ready
        waiting = [item for item in waiting if item not in ready]
    return ordered
