"""What a task file means: an immutable tree in which every node knows where it was written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

# How far from its region's rectangle a path of waypoints may begin and still count as beginning there.
PATH_START_M = 0.05


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


PartIds: TypeAlias = tuple[int | str, ...]
Argument: TypeAlias = str | float | PartIds


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate with arguments: names, numbers, or a list of part ids. ``predicate`` has the canonical spelling."""

    predicate: str
    args: tuple[Argument, ...]
    span: Span
    arg_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """All of ``items``. At the top of ``:cost`` it means "the sum of"."""

    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Or:
    """Any of ``items``."""

    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    item: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Then:
    """Our addition: ``items`` must become true in this order; the last one is what must hold at the end."""

    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Once:
    """Our addition: ``item`` was true at some time."""

    item: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class OnceAfter:
    """Our addition: ``item`` became true at some time while ``after`` was true."""

    item: Expr
    after: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Seq:
    """Our addition: every item was true at some time, and the times at which each first was strictly increase."""

    items: tuple[Expr, ...]
    span: Span


Expr: TypeAlias = Atom | And | Or | Not | Then | Once | OnceAfter | Seq


@dataclass(frozen=True, slots=True)
class Rect:
    """Axis-aligned rectangle on a surface, metres, workspace frame (x forward from the robot, y left)."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    span: Span

    def distance_m(self, x: float, y: float) -> float:
        """Return how far a point lies outside, 0 within."""
        return math.hypot(max(self.x_min - x, x - self.x_max, 0.0), max(self.y_min - y, y - self.y_max, 0.0))


@dataclass(frozen=True, slots=True)
class Region:
    """A named place on ``target``. Without ranges it names a site of the target (a drawer, a shelf board).

    ``yaw_rad`` (low, high) applies to whatever is placed in the region; for movable objects this is our addition. So is
    a target ``entity/site``: the region is that site under a name of its own, or its ranges in the site's frame.
    """

    name: str
    target: str
    ranges: tuple[Rect, ...]
    yaw_rad: tuple[float, float] | None
    rgba: tuple[float, float, float, float] | None
    span: Span
    target_span: Span | None = field(default=None, compare=False, repr=False)
    yaw_span: Span | None = field(default=None, compare=False, repr=False)
    site: str = ""

    @property
    def full_name(self) -> str:
        """The name by which other blocks refer to the region."""
        return f"{self.target}_{self.name}"


@dataclass(frozen=True, slots=True)
class Entity:
    """A declared fixture or movable object."""

    name: str
    category: str
    kind: Literal["fixture", "object"]
    span: Span
    category_span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LinearMotion:
    """Triangle wave along ``direction`` from the start pose; ``period_steps`` is there and back."""

    period_steps: int
    travel_dist_m: float
    direction: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CircularMotion:
    """Constant angular speed about a vertical axis through ``center_m``; radius = start distance to it."""

    period_steps: int
    center_m: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Waypoint:
    """Position and heading direction."""

    position_m: tuple[float, float, float]
    direction: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class WaypointMotion:
    """Linear positions, slerped headings, ping-pong over waypoints; ``dt`` as in the reference: 10/dt steps each."""

    waypoints: tuple[Waypoint, ...]
    dt: float
    loop: bool = True


@dataclass(frozen=True, slots=True)
class ProjectileMotion:
    """p0 + v0 t + g t²/2; starts at the object's own pose unless ``start_pos_m`` is given."""

    initial_speed_m_s: float
    direction: tuple[float, float, float]
    gravity_m_s2: tuple[float, float, float]
    dt: float
    start_pos_m: tuple[float, float, float] | None = None


Motion: TypeAlias = LinearMotion | CircularMotion | WaypointMotion | ProjectileMotion


@dataclass(frozen=True, slots=True)
class Mover:
    """An object that moves by itself."""

    name: str
    motion: Motion
    span: Span


@dataclass(frozen=True, slots=True)
class Fill:
    """Our addition: water in a vessel at the start; ``amount`` is ``half``, ``full`` or a number of particles."""

    vessel: str
    amount: Literal["half", "full"] | int
    span: Span


@dataclass(frozen=True, slots=True)
class LookOf:
    """Our addition: which instance of its category an entity is. Without a seed it is drawn as for any other."""

    name: str
    seed: int | None
    look: tuple[tuple[str, str], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Subgoal:
    """Our addition: a step of progress. It counts once ``expr`` holds after all of ``after`` have counted."""

    name: str
    expr: Expr
    after: tuple[str, ...]
    weight: float
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """Our addition: a step of the reference plan: a skill and what it is done to (names, or seconds to wait)."""

    skill: str
    args: tuple[str | float, ...]
    span: Span
    arg_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """Offsets to a factor of 1 (brightness, saturation, contrast) and a colour temperature in kelvin."""

    brightness: float = 0.0
    saturation: float = 0.0
    contrast: float = 0.0
    temperature_k: float = 6500.0


@dataclass(frozen=True, slots=True)
class Noise:
    """``gaussian`` with mean and variance on [0, 1] pixels, or ``salt_pepper`` with a probability."""

    kind: Literal["gaussian", "salt_pepper"]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera to render, with an optional shift in metres."""

    name: str
    offset_m: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One CBDDL file.

    ``first_goal`` and ``first_cost`` are what the reference reads of a block whose expressions no ``And`` joins: the
    first one. They are ``goal`` and ``cost`` in every file that lints clean.
    """

    problem: str
    domain: str
    language: str
    regions: tuple[Region, ...]
    fixtures: tuple[Entity, ...]
    objects: tuple[Entity, ...]
    obj_of_interest: tuple[str, ...]
    init: tuple[Atom, ...]
    goal: Expr
    cost: tuple[Expr, ...]
    movers: tuple[Mover, ...] = ()
    fills: tuple[Fill, ...] = ()
    looks: tuple[LookOf, ...] = ()
    subgoals: tuple[Subgoal, ...] = ()
    plan: tuple[Call, ...] = ()
    intent: tuple[str, ...] = ()
    faults: tuple[Expr, ...] = ()
    image_settings: ImageSettings | None = None
    noise: Noise | None = None
    cameras: tuple[CameraView, ...] = ()
    random_color: bool = False
    file: str = "<text>"
    text_hash: str = ""
    spans: dict[str, Span] = field(default_factory=dict, compare=False, repr=False)
    first_goal: Expr | None = field(default=None, compare=False, repr=False)
    first_cost: tuple[Expr, ...] = field(default=(), compare=False, repr=False)

    def entity(self, name: str) -> Entity | None:
        """Return the declared fixture or object called ``name``."""
        return next((e for e in (*self.fixtures, *self.objects) if e.name == name), None)

    def distant_start(self, mover: Mover) -> tuple[Region, float] | None:
        """Return the region where ``:init`` puts a mover whose waypoints begin elsewhere, and how far from there."""
        if not isinstance(mover.motion, WaypointMotion):
            return None
        x, y, _ = mover.motion.waypoints[0].position_m
        for atom in self.init:
            region = self.region(str(atom.args[1])) if atom.args[0] == mover.name and len(atom.args) == 2 else None
            if region is not None and region.ranges:
                distance = min(rect.distance_m(x, y) for rect in region.ranges)
                return (region, distance) if distance > PATH_START_M else None
        return None

    def look(self, name: str) -> LookOf | None:
        """Return which instance the entity called ``name`` is, where the file says so."""
        return next((look for look in self.looks if look.name == name), None)

    def region(self, full_name: str) -> Region | None:
        """Return the region called ``full_name`` (the last one wins where a file repeats a name)."""
        return next((r for r in reversed(self.regions) if r.full_name == full_name), None)
