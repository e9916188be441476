"""A scene as it is written: what stands where, and what it looks like.

Frame: world x and y in metres on the table (x away from the robot, y to its left, centre of the table at the origin).
A place on the table is a small rectangle with a range of yaw; the layout of an episode is drawn inside it. A place on
or in something else is one of its sites, written ``entity/site``, or a rectangle in the frame of that site.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from proctor.assets import make

from ._errors import KnowledgeError
from .facts import Item

TABLE = "main_table"
# What the arm reaches with the hand straight down and room to spare (specification, section 0.1).
REACH_X = (-0.36, 0.06)
REACH_Y = (-0.35, 0.35)


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """A thing before it has a place. ``name`` is that of its entity; ``seed`` says which instance it is."""

    name: str
    category: str
    seed: int
    looks: Mapping[str, str] = field(default_factory=dict)
    volume_cm3: float = 0.0

    @property
    def item(self) -> Item:
        """The piece as the rules see it, before it has a place."""
        return Item(self.name, self.category, self.looks, volume_cm3=self.volume_cm3)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: the middle, half a width each way, and the range of yaw."""

    x: float
    y: float
    dx: float = 0.01
    dy: float = 0.01
    yaw: tuple[float, float] = (-0.2, 0.2)


@dataclass(frozen=True, slots=True)
class SitePlace:
    """A place on or in something: ``entity/site``; with a spot, only that part of the site, in the site's frame.

    ``at`` is about where that is on the table, and ``within`` what the thing is then said to be in, for the proofs.
    """

    site: str
    spot: Spot | None = None
    at: tuple[float, float] | None = None
    within: str = ""
    yaw: float = 0.0


Where: TypeAlias = Spot | SitePlace


@dataclass(frozen=True, slots=True)
class _Thing:
    piece: ScenePiece
    where: Where
    kind: Literal["fixture", "object"]
    relation: Literal["On", "In"]


@dataclass(slots=True)
class SceneText:
    """Collects the things of a scene; `text` writes the blocks that do not depend on the question."""

    things: list[_Thing] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    room: int | None = None

    def put(
        self, piece: ScenePiece, where: Where, *, fixture: bool = False, relation: Literal["On", "In"] = "On"
    ) -> str:
        """Add a thing and return its entity name."""
        if any(thing.piece.name == piece.name for thing in self.things):
            raise KnowledgeError(f"two things of a scene are called {piece.name!r}")
        self.things.append(_Thing(piece, where, "fixture" if fixture else "object", relation))
        return piece.name

    def items(self, names: Sequence[str] | None = None) -> list[Item]:
        """Return the things (all, or those called ``names``) with their places, as the rules see them."""
        things = {thing.piece.name: thing for thing in self.things}
        return [_item(things[name]) for name in (things if names is None else names)]

    def longest_first(self, names: Sequence[str]) -> list[str]:
        """Return the names in the order in which things are put together: what is long finds no place at the end."""
        pieces = {thing.piece.name: thing.piece for thing in self.things}
        return sorted(names, key=lambda name: -_radius_m(pieces[name]))

    def open(self, site: str) -> None:
        """Let a drawer or door (``entity/site``) begin open."""
        self.opened.append(site)

    def text(self) -> str:
        """Return the blocks from ``:regions`` to ``:init``. ``room`` says which of the other surroundings it is in."""
        regions, init = [], []
        for thing in self.things:
            region, place = _place(thing)
            regions.append(region)
            init.append(f"    ({thing.relation} {thing.piece.name} {place})")
        for site in self.opened:
            entity, _, part = site.partition("/")
            regions.append(f"    ({part} (:target {entity}))")
            init.append(f"    (Open {entity}_{part})")
        fixtures = [f"    {TABLE} - table", *self._declared("fixture")]
        looks = [f"    ({t.piece.name} (seed {t.piece.seed}){_looks(t.piece)})" for t in self.things]
        if self.room is not None:
            looks.insert(0, f"    ({TABLE} (seed {self.room}))")
        blocks = [
            _block(":regions", regions),
            _block(":fixtures", fixtures),
            _block(":objects", self._declared("object")),
            _block(":looks", looks),
            _block(":init", init),
        ]
        return "\n\n".join(blocks)

    def _declared(self, kind: str) -> list[str]:
        names: dict[str, list[str]] = {}
        for thing in self.things:
            if thing.kind == kind:
                names.setdefault(thing.piece.category, []).append(thing.piece.name)
        return [f"    {' '.join(group)} - {category}" for category, group in names.items()]


def _radius_m(piece: ScenePiece) -> float:
    return make(piece.category, piece.seed, tuple(sorted(piece.looks.items()))).radius_m


def slug(text: str) -> str:
    """Return a name that may stand in a task file: lower case, digits, underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def numbered(stems: Sequence[str]) -> list[str]:
    """Return entity names: each stem as a slug with a running number of its own."""
    counts: dict[str, int] = {}
    names = []
    for stem in map(slug, stems):
        counts[stem] = counts.get(stem, 0) + 1
        names.append(f"{stem}_{counts[stem]}")
    return names


def _item(thing: _Thing) -> Item:
    if isinstance(thing.where, Spot):
        return thing.piece.item.placed((thing.where.x, thing.where.y))
    item, place = thing.piece.item, thing.where
    return item.placed(place.at or (0.0, 0.0), place.within or place.site)


def _place(thing: _Thing) -> tuple[str, str]:
    name = f"{thing.piece.name}_spot"
    if isinstance(thing.where, SitePlace):
        entity = thing.where.site.partition("/")[0]
        spot = thing.where.spot
        yaw = (thing.where.yaw, thing.where.yaw) if spot is None else spot.yaw
        ranges = "" if spot is None else f" {_ranges(spot)}"
        return f"    ({name} (:target {thing.where.site}){ranges} {_yaw(yaw)})", f"{entity}_{name}"
    return f"    ({name} (:target {TABLE}) {_ranges(thing.where)} {_yaw(thing.where.yaw)})", f"{TABLE}_{name}"


def _ranges(spot: Spot) -> str:
    corners = (spot.x - spot.dx, spot.y - spot.dy, spot.x + spot.dx, spot.y + spot.dy)
    return f"(:ranges (({' '.join(f'{value:.4f}' for value in corners)})))"


def _yaw(yaw: tuple[float, float]) -> str:
    return f"(:yaw_rotation (({yaw[0]:.4f} {yaw[1]:.4f})))"


def _looks(piece: ScenePiece) -> str:
    return "".join(f" ({key} {_quoted(value)})" for key, value in piece.looks.items())


def _quoted(value: str) -> str:
    """Return a look's value in quotes. Parentheses cannot be written in a task file: Pb(NO3)2 is Pb[NO3]2 there."""
    if any(sign in value for sign in '";\n'):
        raise KnowledgeError(f"the look {value!r} cannot be written in a task file")
    return '"' + value.replace("(", "[").replace(")", "]") + '"'


def _block(head: str, lines: list[str]) -> str:
    return "\n".join([f"  ({head}", *lines, "  )"])
