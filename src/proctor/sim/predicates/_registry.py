"""The table of predicates and the step from a written atom to a condition."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from proctor.core import did_you_mean
from proctor.tasks.cbddl import Argument, Atom

from .._contacts import Condition, GeomIds, Graded
from .._errors import SceneError, located
from .._panda import PREFIX
from .._scene import GRIPPER_NAMES, ROBOT_NAMES, Scene

Builder: TypeAlias = Callable[..., Condition]
Kind: TypeAlias = Literal["instantaneous", "terminal", "counted"]
_BUILDERS: dict[str, tuple[Builder, Kind]] = {}


@dataclass(frozen=True, slots=True)
class Compiled:
    """A predicate bound to a scene."""

    name: str
    kind: Kind
    holds: Condition

    @property
    def unit(self) -> str:
        """The unit of `severity`, empty for a predicate that is only true or false."""
        return self.holds.unit if isinstance(self.holds, Graded) else ""

    def severity(self) -> float:
        """How far it went in the control step that has just ended; 0 for one that is only true or false."""
        return self.holds.severity() if isinstance(self.holds, Graded) else 0.0


def predicate(name: str, kind: Kind) -> Callable[[Builder], Builder]:
    """Register the builder of predicate ``name``; ``kind`` says how a cost block accounts for it."""

    def register(build: Builder) -> Builder:
        _BUILDERS[name] = (build, kind)
        return build

    return register


def compile_atom(atom: Atom, scene: Scene, compat: str) -> Compiled:
    """Bind an atom of the task file to a scene."""
    if atom.predicate not in _BUILDERS:
        raise SceneError(f"{atom.span}: predicate {atom.predicate} has no rule in this world")
    build, kind = _BUILDERS[atom.predicate]
    try:
        holds = build(scene, *atom.args, compat=compat)
    except SceneError as error:
        raise located(atom.span, error) from None
    return Compiled(label_of(atom), kind, holds)


def rule_of(name: str) -> str:
    """Return the rule of a predicate as written: the docstring of the module that defines it."""
    return sys.modules[_BUILDERS[name][0].__module__].__doc__ or ""


def entity(scene: Scene, name: Any) -> str:
    """Check that an argument names something with geoms and return it."""
    if isinstance(name, str) and (
        name in scene.assets or name == scene.workspace or name in ROBOT_NAMES or name in GRIPPER_NAMES
    ):
        return name
    hint = did_you_mean(str(name), [*scene.assets, scene.workspace, ROBOT_NAMES[0], GRIPPER_NAMES[0]])
    raise SceneError(f"{name!r} is not an object, a fixture, 'robot' or 'gripper'{hint}")


def posed(scene: Scene, name: Any) -> str:
    """Check that an argument names something that stands on the table and return it."""
    if isinstance(name, str) and name in scene.assets:
        return name
    raise SceneError(f"{name!r} is not an object or a fixture on the table{did_you_mean(str(name), scene.assets)}")


def fingers(scene: Scene, compat: str) -> GeomIds:
    """Return the geoms that "gripper" means in a rule about fingers: both fingers, as published the two pads."""
    if compat != "paper":
        return scene.gripper_geoms
    return np.array([scene.model.geom(f"{PREFIX}pad{i}").id for i in range(2)], np.intp)


def touched(scene: Scene, a: GeomIds, b: GeomIds, compat: str) -> Condition:
    """Return the condition that two sets of geoms touched in any physics substep, as published at the last."""
    return scene.contacts.now(a, b) if compat == "paper" else scene.contacts.pressed(a, b)


def near(scene: Scene, a: GeomIds, b: GeomIds, distance_m: float, compat: str) -> Condition:
    """Return the condition that two sets of geoms came near at any look of the step, as published at the last."""
    return scene.near.now(a, b, distance_m) if compat == "paper" else scene.near.within(a, b, distance_m)


def label_of(atom: Atom) -> str:
    """Return the atom as one line, as it stands in a cost entry or an event."""

    def show(argument: Argument) -> str:
        if isinstance(argument, tuple):
            return "(" + " ".join(map(str, argument)) + ")"
        return f"{argument:g}" if isinstance(argument, float) else str(argument)

    return " ".join([atom.predicate, *map(show, atom.args)])
