"""A scene as a plan sees it: who is where, what is open, what has happened. No shapes and no distances.

Places are names: of an entity (``plate_1``) or of a part of one (``shelf_1/slot2``). Being in a part of something is
being in it. A joint is the name of what opens: ``fridge_1/door``, or the entity itself where it has only one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Form: TypeAlias = "tuple[object, ...]"
"""A condition: ``("Placed", "apple_1", "plate_1")``, ``("And", ...)``; lists are tuples of names."""


@dataclass(frozen=True, slots=True)
class SymbolicWorld:
    """What a plan starts from and must reach.

    ``where`` is the place of each movable thing at the start (None: on the table, or nowhere that matters). ``joints``
    are what opens and shuts, of which ``open_joints`` are open at the start; ``gates`` says behind which joint a place
    lies (None: behind none), and a place that it does not list lies behind the only joint of its entity. ``buttons``,
    ``vessels``, ``tools`` and ``holes`` are what can be pressed, poured from, hammered with and inserted into; None
    where nothing is known of that, so that anything goes.
    """

    goal: Form
    objects: tuple[str, ...]
    where: Mapping[str, str | None] = field(default_factory=dict)
    joints: frozenset[str] = frozenset()
    open_joints: frozenset[str] = frozenset()
    gates: Mapping[str, str | None] = field(default_factory=dict)
    buttons: frozenset[str] | None = None
    vessels: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    holes: frozenset[str] | None = None
    faults: tuple[Form, ...] = ()
    subgoals: tuple[SubGoal, ...] = ()

    def joint_of(self, name: str) -> str | None:
        """Return the joint that ``name`` means: itself, or the only one of an entity."""
        if name in self.joints:
            return name
        own = self._joints_of(name) if "/" not in name else []
        return own[0] if len(own) == 1 else None

    def gate(self, place: str) -> str | None:
        """Return the joint behind which ``place`` lies, None if it lies open."""
        if (joint := self.gates.get(place)) is not None or place in self.joints:
            return joint or place
        if place in self.gates:
            return None
        own = self._joints_of(entity_of(place))
        return own[0] if len(own) == 1 else None

    def _joints_of(self, entity: str) -> list[str]:
        return [joint for joint in self.joints if entity_of(joint) == entity]


@dataclass(frozen=True, slots=True)
class SubGoal:
    """A step of progress: it latches when it holds and all of ``after`` have latched (by name)."""

    name: str
    condition: Form
    after: tuple[str, ...] = ()
    weight: float = 1.0


def entity_of(name: str) -> str:
    return name.partition("/")[0]


def is_in(place: str | None, container: str) -> bool:
    """Whether ``place`` is ``container`` or a part of it."""
    return place is not None and (place == container or place.startswith(container + "/"))


@dataclass(slots=True)
class SymbolicState:
    """The state while a plan is carried out.

    ``laid`` are the things whose last release was no insertion; ``now`` holds what happened in the latest call.
    """

    world: SymbolicWorld
    hand: str | None = None
    where: dict[str, str | None] = field(default_factory=dict)
    open_joints: set[str] = field(default_factory=set)
    lifted: set[str] = field(default_factory=set)
    laid: set[str] = field(default_factory=set)
    pressed: list[str] = field(default_factory=list)
    poured: set[tuple[str, str]] = field(default_factory=set)
    turned: set[str] = field(default_factory=set)
    ever_held: set[str] = field(default_factory=set)
    driven: dict[str, str] = field(default_factory=dict)
    struck: dict[str, str] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    attached: set[tuple[str, str]] = field(default_factory=set)
    hung: dict[str, str] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    now: set[tuple[str, ...]] = field(default_factory=set)

    @classmethod
    def of(cls, world: SymbolicWorld) -> SymbolicState:
        where = {name: world.where.get(name) for name in world.objects}
        return cls(world, where=where, open_joints=set(world.open_joints))

    def contents(self, container: str) -> list[str]:
        """Return the movable things in ``container``."""
        return [name for name, place in self.where.items() if is_in(place, container)]

    def shut(self, place: str | None) -> str | None:
        """Return the closed joint that keeps the hand from ``place``, None if nothing does."""
        if place is None:
            return None
        joint = self.world.gate(place)
        return joint if joint is not None and joint not in self.open_joints else None
