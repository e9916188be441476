"""What a stranger sees: the entities of a task text, what they look like and where they stand.

Frame: the world's (x away from the robot, y to its left, z up from the table; metres). A place is the middle of the
range in which the layout is drawn; whatever is in or on something else is placed by the sites of that thing's asset.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from proctor.assets import Asset, links, make
from proctor.tasks.cbddl import Atom, Rect, Region, Task

Point = tuple[float, float, float]
# Fixtures whose sites are called by their place (row 2, the left top pocket), and the kind of those sites.
_POINTED_AT = {"billiard_table": "contain", "tubestand": "hole"}


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity. ``inside`` is what it stands in or on, as ``entity/site``; ``sites`` are its own holes and pockets,
    in its frame, where words point at them.
    """

    name: str
    category: str
    looks: dict[str, str]
    at: Point
    inside: str = ""
    sites: dict[str, Point] = field(default_factory=dict)

    @property
    def holder(self) -> str:
        """The entity it stands in or on."""
        return self.inside.partition("/")[0]

    def look(self, key: str) -> str:
        """Return a look, or nothing."""
        return self.looks.get(key, "")

    @property
    def kind(self) -> str:
        """What it is, in the word of its looks."""
        return self.look("kind")


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that stands on the table."""

    things: tuple[Thing, ...]

    def of(self, *categories: str) -> list[Thing]:
        """Return the things of some categories."""
        return [thing for thing in self.things if thing.category in categories]

    def has(self, *categories: str) -> bool:
        """Return whether things of all these categories stand there."""
        return all(self.of(category) for category in categories)

    def one(self, *categories: str) -> str:
        """Return the name of the only thing of some categories, or nothing."""
        found = self.of(*categories)
        return found[0].name if len(found) == 1 else ""


def scene_of(task: Task) -> Scene:
    """Read a task's scene."""
    start = {str(atom.args[0]): atom for atom in task.init if atom.predicate in ("In", "On")}
    poses: dict[str, tuple[Point, float]] = {task.fixtures[0].name: ((0.0, 0.0, 0.0), 0.0)}
    for name in _holders_first(task, start):
        poses[name] = _pose(task, start[name], poses)
    return Scene(tuple(_things(task, start, poses)))


def _things(task: Task, start: dict[str, Atom], poses: dict[str, tuple[Point, float]]) -> Iterator[Thing]:
    for entity in (*task.fixtures, *task.objects):
        look = task.look(entity.name)
        looks = dict(look.look) if look else {}
        inside = _place(task, start[entity.name]) if entity.name in start else ""
        at = poses[entity.name][0] if entity.name in poses else (0.0, 0.0, 0.0)
        yield Thing(entity.name, entity.category, looks, at, inside, _sites(task, entity.name))


def _holders_first(task: Task, start: dict[str, Atom]) -> list[str]:
    done: list[str] = []

    def visit(name: str) -> None:
        if name not in done and name in start:
            visit(_place(task, start[name]).partition("/")[0])
            done.append(name)

    for name in start:
        visit(name)
    return done


def _region(task: Task, atom: Atom) -> Region | None:
    return task.region(str(atom.args[1]))


def _place(task: Task, atom: Atom) -> str:
    region = _region(task, atom)
    if region is None:
        return str(atom.args[1])
    site = region.site or ("" if region.ranges else region.name)
    return f"{region.target}/{site}" if site else region.target


def _pose(task: Task, atom: Atom, poses: dict[str, tuple[Point, float]]) -> tuple[Point, float]:
    region = _region(task, atom)
    holder, _, site = _place(task, atom).partition("/")
    origin, heading = poses[holder]
    offset = _site(task, holder, site) if site else (0.0, 0.0, 0.0)
    if region is not None and region.ranges:
        middle = _middle(region.ranges[0])
        offset = (offset[0] + middle[0], offset[1] + middle[1], offset[2])
    cos, sin = math.cos(heading), math.sin(heading)
    turned = (cos * offset[0] - sin * offset[1], sin * offset[0] + cos * offset[1])
    yaw = sum(region.yaw_rad) / 2 if region is not None and region.yaw_rad else 0.0
    return (origin[0] + turned[0], origin[1] + turned[1], origin[2] + offset[2]), heading + yaw


def _middle(rect: Rect) -> tuple[float, float]:
    return (rect.x_min + rect.x_max) / 2, (rect.y_min + rect.y_max) / 2


def _site(task: Task, holder: str, name: str) -> Point:
    """Return where a site is in the frame of its entity."""
    asset = _asset_of(task, holder)
    site = asset.site(name) if asset else None
    if asset is None or site is None:
        return (0.0, 0.0, 0.0)
    base = _link_pos(asset, site.link)
    return (base[0] + site.pos[0], base[1] + site.pos[1], base[2] + site.pos[2])


def _sites(task: Task, name: str) -> dict[str, Point]:
    entity = task.entity(name)
    if entity is not None and entity.category == "panel":
        return _nails(_asset_of(task, name))
    kinds = _POINTED_AT.get(entity.category if entity else "")
    asset = _asset_of(task, name) if kinds else None
    return {site.name: _site(task, name, site.name) for site in (asset.sites if asset else ()) if site.kind == kinds}


def _nails(asset: Asset | None) -> dict[str, Point]:
    """Return the nails of a panel; x is how far each stands out towards the robot beyond those that are in."""
    if asset is None:
        return {}
    fixed = {visual.part: visual.pos for visual in asset.root.visuals if visual.part.startswith("nail")}
    loose = {link.name: link for link in asset.root.children if link.joint is not None and "nail" in link.name}
    out = {name: link.joint.range[1] for name, link in loose.items() if link.joint is not None}
    moved = {name: (-out[name], link.pos[1], link.pos[2]) for name, link in loose.items()}
    return {**{name: (0.0, pos[1], pos[2]) for name, pos in fixed.items()}, **moved}


def _asset_of(task: Task, name: str) -> Asset | None:
    entity, look = task.entity(name), task.look(name)
    if entity is None:
        return None
    return _asset(entity.category, (look.seed or 0) if look else 0, look.look if look else ())


def _link_pos(asset: Asset, name: str) -> Point:
    """Return where a link stands in the frame of the asset; links of the bench's furniture are hung on the root."""
    if name == asset.root.name or name == "root":
        return (0.0, 0.0, 0.0)
    return next((link.pos for link in links(asset.root) if link.name == name), (0.0, 0.0, 0.0))


@cache
def _asset(category: str, seed: int, look: tuple[tuple[str, str], ...]) -> Asset:
    return make(category, seed, look)
