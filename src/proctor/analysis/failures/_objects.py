"""Why an episode failed, from what was done to each object: what a simulator knows and a path only suggests.

=============== ============ ========================================================================================
class           level        rule, the first that holds
=============== ============ ========================================================================================
idle            planning     nothing was held or moved, and the tool came near nothing (`NEAR_M`)
missed          execution    nothing was held or moved, and the nearest thing is one of the goal's
wrong_approach  planning     nothing was held or moved, and the nearest thing is not one of the goal's
unfinished      execution    nothing was held, the tool was at a thing of the goal (`AT_M`), and one of them moved
missed          execution    nothing was held, the tool was at a thing of the goal, and none of them moved
wrong_object    planning     the first thing that was held (or, if none was, that moved most) is not one of the goal's
wrong_place     planning     a thing of the goal was held and rests on another thing than the goal names
unfinished      execution    else: a thing of the goal was held or moved
=============== ============ ========================================================================================

Moved is by more than `MOVED`: 3 cm, or 0.03 rad of a knob.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, get_args

ObjectClass = Literal[
    "success", "wrong_object", "wrong_place", "unfinished", "idle", "wrong_approach", "missed", "undefined"
]
OBJECT_CLASSES: tuple[ObjectClass, ...] = get_args(ObjectClass)
LEVEL: dict[ObjectClass, Literal["planning", "execution"]] = {
    "wrong_object": "planning",
    "wrong_place": "planning",
    "unfinished": "execution",
    "idle": "planning",
    "wrong_approach": "planning",
    "missed": "execution",
}
MOVED = 0.03
NEAR_M = 0.10
AT_M = 0.05


class Trace(Protocol):
    """What is known of one thing; ``proctor.core.ObjectTrace`` is one."""

    @property
    def goal(self) -> bool:
        """Whether the goal asks to move it."""
        ...

    @property
    def targets(self) -> tuple[str, ...]:
        """Where the goal wants it."""
        ...

    @property
    def nearest_m(self) -> float:
        """How near the tool came."""
        ...

    @property
    def held_s(self) -> float | None:
        """When it was first held."""
        ...

    @property
    def moved(self) -> float:
        """How far it moved."""
        ...

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What carried it at the end."""
        ...


def classify_objects(success: bool, things: Mapping[str, Trace]) -> ObjectClass:
    """Return the class of one episode; ``undefined`` where the goal is about no thing that can be followed."""
    if success:
        return "success"
    if not any(thing.goal for thing in things.values()):
        return "undefined"
    held = [thing for thing in things.values() if thing.held_s is not None]
    moved = [thing for thing in things.values() if thing.moved > MOVED]
    if not held and not moved:
        nearest = min(things.values(), key=lambda thing: thing.nearest_m)
        if nearest.nearest_m > NEAR_M:
            return "idle"
        return "missed" if nearest.goal else "wrong_approach"
    goals = [thing for thing in things.values() if thing.goal]
    if not held and min(thing.nearest_m for thing in goals) <= AT_M:
        # What was knocked over on the way says less than where the hand went.
        return "unfinished" if max(thing.moved for thing in goals) > MOVED else "missed"
    first = min(held, key=lambda thing: thing.held_s or 0.0) if held else max(moved, key=lambda thing: thing.moved)
    if not first.goal:
        return "wrong_object"
    return "wrong_place" if any(thing.goal and _astray(thing) for thing in held) else "unfinished"


def _astray(thing: Trace) -> bool:
    """Whether it was brought to a thing that the goal does not name; on the table beside its place it only slipped."""
    placed = thing.moved > MOVED and bool(thing.targets) and bool(thing.rests_on)
    return placed and not set(thing.rests_on) & set(thing.targets)
