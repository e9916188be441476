"""A scene as it is written: what stands where, and what it looks like.

Frame: world x and y in metres on the table (x away from the robot, y to its left, centre of the table at the origin).
A place on the table is a small rectangle with a range of yaw; the layout of an episode is drawn inside it. A place on
or in something else is one of its sites, written ``entity/site``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ._errors import BenchError

TABLE = "main_table"
# What the arm reaches with the hand straight down and room to spare (specification, section 0.1).
REACH_X = (-0.36, 0.06)
REACH_Y = (-0.35, 0.35)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: the middle, half a width each way, and the range of yaw."""

    x: float
    y: float
    dx: float = 0.01
    dy: float = 0.01
    yaw: tuple[float, float] = (-0.2, 0.2)


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity of a scene; ``where`` is a spot on the table or a site of another entity (``entity/site``)."""

    name: str
    category: str
    kind: Literal["fixture", "object"]
    where: Spot | str
    relation: Literal["On", "In"]
    seed: int
    look: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class SceneText:
    """Collects the things of a scene; `text` writes the blocks that do not depend on the question."""

    things: list[Thing] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    _count: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        category: str,
        where: Spot | str,
        *,
        seed: int,
        name: str = "",
        fixture: bool = False,
        relation: Literal["On", "In"] = "On",
        look: Mapping[str, str] | None = None,
    ) -> str:
        """Add a thing and return its entity name: ``name`` (by default the category) with a running number."""
        stem = slug(name or category)
        self._count[stem] = self._count.get(stem, 0) + 1
        entity = f"{stem}_{self._count[stem]}"
        kind: Literal["fixture", "object"] = "fixture" if fixture else "object"
        self.things.append(Thing(entity, category, kind, where, relation, seed, tuple((look or {}).items())))
        return entity

    def thing(self, entity: str) -> Thing:
        """Return the thing called ``entity``."""
        return next(thing for thing in self.things if thing.name == entity)

    def open(self, site: str) -> None:
        """Let a drawer or door (``entity/site``) begin open."""
        self.opened.append(site)

    def text(self) -> str:
        """Return the blocks from ``:regions`` to ``:init``."""
        regions, init = [], []
        for thing in self.things:
            region, place = _place(thing)
            if region not in regions:
                regions.append(region)
            init.append(f"    ({thing.relation} {thing.name} {place})")
        for site in self.opened:
            entity, _, part = site.partition("/")
            region = f"    ({part} (:target {entity}))"
            if region not in regions:
                regions.append(region)
            init.append(f"    (Open {entity}_{part})")
        fixtures = [f"    {TABLE} - table", *self._declared("fixture")]
        looks = [f"    ({thing.name} (seed {thing.seed}){_look(thing)})" for thing in self.things]
        blocks = [
            _block(":regions", regions),
            _block(":fixtures", fixtures),
            _block(":objects", self._declared("object")),
            _block(":looks", looks),
            _block(":init", init),
        ]
        return "\n\n".join([*blocks, *(f"  {line}" for line in self.extra)])

    def _declared(self, kind: str) -> list[str]:
        names: dict[str, list[str]] = {}
        for thing in self.things:
            if thing.kind == kind:
                names.setdefault(thing.category, []).append(thing.name)
        return [f"    {' '.join(group)} - {category}" for category, group in names.items()]


def slug(text: str) -> str:
    """Return a name that may stand in a task file: lower case, digits, underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _place(thing: Thing) -> tuple[str, str]:
    if isinstance(thing.where, str):
        entity, _, site = thing.where.partition("/")
        return f"    ({site} (:target {entity}))", f"{entity}_{site}"
    spot = thing.where
    name = f"{thing.name}_spot"
    rect = f"({spot.x - spot.dx:.4f} {spot.y - spot.dy:.4f} {spot.x + spot.dx:.4f} {spot.y + spot.dy:.4f})"
    yaw = f"({spot.yaw[0]:.4f} {spot.yaw[1]:.4f})"
    region = f"    ({name} (:target {TABLE}) (:ranges ({rect})) (:yaw_rotation ({yaw})))"
    return region, f"{TABLE}_{name}"


def _look(thing: Thing) -> str:
    return "".join(f" ({key} {quoted(value)})" for key, value in thing.look)


def quoted(value: str) -> str:
    """Return a look's value in quotes; quotes and line feeds cannot be written."""
    if '"' in value or "\n" in value:
        raise BenchError(f"the look {value!r} cannot be written in a task file")
    return f'"{value}"'


def _block(head: str, lines: list[str]) -> str:
    return "\n".join([f"  ({head}", *lines, "  )"])
