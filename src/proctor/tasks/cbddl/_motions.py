""":moving_objects: objects that follow a path of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import (
    CircularMotion,
    LinearMotion,
    Motion,
    Mover,
    ProjectileMotion,
    Waypoint,
    WaypointMotion,
)
from proctor.tasks.cbddl._sexp import (
    Form,
    Node,
    Word,
    arguments,
    boolean,
    describe,
    forms,
    head_span,
    number,
    single,
    vector,
    vector3,
)

T = TypeVar("T")

# The reference's default is 0.01 s per control step, which plays a throw five times too slowly at 20 Hz.
PROJECTILE_DT_S = 0.05

MOTION_TYPES = {
    "linear": "linear",
    "circle": "circular",
    "circular": "circular",
    "waypoint": "waypoint",
    "waypoints": "waypoint",
    "parabolic": "projectile",
    "projectile": "projectile",
}
ATTRIBUTES = (
    ":motion_type",
    ":motion_period",
    ":motion_travel_dist",
    ":motion_direction",
    ":motion_center",
    ":motion_waypoints",
    ":motion_dt",
    ":motion_loop",
    ":motion_initial_speed",
    ":motion_gravity",
    ":motion_start_pos",
    ":motion_start_quat",
    ":motion_speed",
    ":motion_radius",
    ":motion_quat",
    ":motion_pos",
    ":motion_angle",
)
USED = {
    "linear": {":motion_period", ":motion_travel_dist", ":motion_direction"},
    "circular": {":motion_period", ":motion_center"},
    "waypoint": {":motion_waypoints", ":motion_dt", ":motion_loop"},
    "projectile": {
        ":motion_initial_speed",
        ":motion_direction",
        ":motion_gravity",
        ":motion_dt",
        ":motion_start_pos",
    },
}


def read_movers(block: Form, problems: Problems) -> list[Mover]:
    """Return the movers of a ``:moving_objects`` block; those without a readable motion are left out."""
    found = []
    for form in forms(arguments(block), "a mover (name (:motion_type linear) ...)", problems):
        motion = _Attributes(form, problems).motion()
        if motion is not None:
            found.append(Mover(form.head, motion, head_span(form)))
    return found


class _Attributes:
    """The attributes of one mover, taken one by one."""

    def __init__(self, form: Form, problems: Problems) -> None:
        self.form = form
        self.problems = problems
        self.found: dict[str, Form] = {}
        for attribute in forms(arguments(form), "an attribute such as (:motion_period 100)", problems):
            key = attribute.head
            if key not in ATTRIBUTES:
                hint = problems.suggest(key, ATTRIBUTES, "the reference page lists them")
                problems.add("unknown-attribute", head_span(attribute), f"unknown motion attribute {key!r}; {hint}")
            elif key in self.found:
                problems.add("duplicate-block", head_span(attribute), f"{key} is given twice; the first one is used")
            else:
                self.found[key] = attribute

    def motion(self) -> Motion | None:
        """Return the motion, or None when a parameter is missing or unreadable."""
        kind = self.need(":motion_type", _motion_type)
        if kind is None:
            return None
        for key, attribute in self.found.items():
            if key != ":motion_type" and key not in USED[kind]:
                where = head_span(attribute)
                self.problems.add("ignored-attribute", where, f"{key} has no effect on a {kind} motion; remove it")
        readers = {
            "linear": self._linear,
            "circular": self._circular,
            "waypoint": self._waypoint,
            "projectile": self._projectile,
        }
        return readers[kind]()

    def need(self, key: str, read: Callable[[Node, Problems], T | None]) -> T | None:
        if key not in self.found:
            where = head_span(self.form)
            self.problems.add("missing-attribute", where, f"mover {self.form.head!r} has no {key}; add it")
            return None
        return self.may(key, read)

    def may(self, key: str, read: Callable[[Node, Problems], T | None]) -> T | None:
        if key not in self.found:
            return None
        node = single(self.found[key], self.problems)
        return None if node is None else read(node, self.problems)

    def _linear(self) -> Motion | None:
        period = self.need(":motion_period", _period)
        distance = self.need(":motion_travel_dist", _positive)
        direction = self.need(":motion_direction", _direction)
        if period is None or distance is None or direction is None:
            return None
        return LinearMotion(period, distance, direction)

    def _circular(self) -> Motion | None:
        period = self.need(":motion_period", _period)
        center = self.need(":motion_center", vector3)
        return None if period is None or center is None else CircularMotion(period, center)

    def _waypoint(self) -> Motion | None:
        waypoints = self.need(":motion_waypoints", _waypoints)
        dt = self.need(":motion_dt", _positive)
        loop = self.may(":motion_loop", boolean)
        if waypoints is None or dt is None:
            return None
        return WaypointMotion(waypoints, dt, loop=loop is not False)

    def _projectile(self) -> Motion | None:
        speed = self.need(":motion_initial_speed", _positive)
        direction = self.need(":motion_direction", _direction)
        gravity = self.need(":motion_gravity", _gravity)
        dt = self.may(":motion_dt", _positive)
        start = self.may(":motion_start_pos", vector3)
        if speed is None or direction is None or gravity is None:
            return None
        return ProjectileMotion(speed, direction, gravity, dt or PROJECTILE_DT_S, start)


def _motion_type(node: Node, problems: Problems) -> str | None:
    kind = MOTION_TYPES.get(node.folded) if isinstance(node, Word) else None
    if kind is None:
        known = ("linear", "circle", "waypoint", "parabolic")
        hint = problems.suggest(node.text if isinstance(node, Word) else "", known, f"known are {', '.join(known)}")
        problems.add("unknown-value", node.span, f"unknown motion type {describe(node)}; {hint}")
    return kind


def _positive(node: Node, problems: Problems) -> float | None:
    value = number(node, problems)
    if value is not None and value <= 0.0:
        problems.add("value-range", node.span, f"{value:g} is not larger than 0; write a positive number")
    return value


def _period(node: Node, problems: Problems) -> int | None:
    value = number(node, problems)
    if value is None:
        return None
    if value != int(value) or value < 2:
        problems.add(
            "value-range", node.span, f"a period of {value:g}; write a whole number of control steps, at least 2"
        )
    return max(2, int(value))


def _direction(node: Node, problems: Problems) -> tuple[float, float, float] | None:
    value = vector3(node, problems)
    if value == (0.0, 0.0, 0.0):
        problems.add("value-range", node.span, "a direction of length 0; write one such as (0 1 0)")
    return value


def _gravity(node: Node, problems: Problems) -> tuple[float, float, float] | None:
    """A vector, or one number that is taken as downward whatever its sign."""
    if isinstance(node, Word):
        value = number(node, problems)
        return None if value is None else (0.0, 0.0, -abs(value))
    return vector3(node, problems)


def _waypoints(node: Node, problems: Problems) -> tuple[Waypoint, ...] | None:
    if isinstance(node, Word) or not node.items:
        problems.add("syntax-shape", node.span, "expected a list of waypoints; write (((x y z) (dx dy dz)) ...)")
        return None
    found = [_waypoint(item, problems) for item in node.items]
    if len(found) < 2:
        problems.add("value-range", node.span, "a single waypoint is no path; add another")
    return None if any(item is None for item in found) else tuple(item for item in found if item is not None)


def _waypoint(node: Node, problems: Problems) -> Waypoint | None:
    """The three ways to write one: the code's, the documentation's, and the paper's six numbers."""
    items = node.items if isinstance(node, Form) else []
    shape = "".join("w" if isinstance(item, Word) else "f" for item in items)
    if shape == "ff":
        position, direction = vector3(items[0], problems), vector3(items[1], problems)
    elif shape == "wwwf":
        position = vector3(Form(node.span, items[:3]), problems)
        direction = vector3(items[3], problems)
    elif shape == "wwwwww":
        values = vector(node, 6, "(x y z dx dy dz)", problems)
        return (
            None if values is None else Waypoint((values[0], values[1], values[2]), (values[3], values[4], values[5]))
        )
    else:
        problems.add("syntax-shape", node.span, "not a waypoint; write ((x y z) (dx dy dz))")
        return None
    return None if position is None or direction is None else Waypoint(position, direction)
