"""Which buttons are pressed, and when each first was.

A button is pressed once it has been in by 70 % of its travel for 0.1 s while the robot touched it: the position
controller pushes a soft limit beyond its range (vlabench spec, section 0.4), so it is the share of travel that counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from proctor.assets import links
from proctor.core import Event

from ._contacts import Condition
from ._lasting import steps_of

if TYPE_CHECKING:
    from ._scene import Scene

TRAVEL_SHARE = 0.7
PRESS_S = 0.1
ButtonState: TypeAlias = tuple[tuple[int, ...], tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class _Pressable:
    name: str
    qpos: int
    rest: float
    travel: float
    touched: Condition


class ButtonWatch:
    """The buttons of a scene; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self, scene: Scene) -> None:
        self._data = scene.data
        self._buttons = [
            _pressable(scene, f"{entity}/{button.name}")
            for entity, asset in scene.assets.items()
            for button in asset.buttons
        ]
        self.names = tuple(button.name for button in self._buttons)
        self.begin()

    def begin(self) -> None:
        """Start an episode: nothing has been pressed."""
        self._counts = [0] * len(self._buttons)
        self._first: list[int | None] = [None] * len(self._buttons)

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at all buttons; return an event for each that is pressed since now."""
        events = []
        needed = steps_of(PRESS_S)
        for i, button in enumerate(self._buttons):
            self._counts[i] = self._counts[i] + 1 if self.share(i) >= TRAVEL_SHARE and button.touched() else 0
            if self._counts[i] == needed:
                events.append(Event(step, time_s, "press", button.name))
                if self._first[i] is None:
                    self._first[i] = step
        return events

    def share(self, index: int) -> float:
        """How far in a button is, as a share of its travel."""
        button = self._buttons[index]
        return abs(float(self._data.qpos[button.qpos]) - button.rest) / button.travel

    def pressing(self, name: str) -> Condition:
        """Return a condition: the button is pressed at the end of this control step."""
        index, needed = self.names.index(name), steps_of(PRESS_S)
        return lambda: self._counts[index] >= needed

    def began(self, name: str) -> Condition:
        """Return a condition: the button has become pressed with this control step."""
        index, needed = self.names.index(name), steps_of(PRESS_S)
        return lambda: self._counts[index] == needed

    def first(self, name: str) -> Callable[[], int | None]:
        """Return a reader of the control step at which the button was first pressed; None if it never was."""
        index = self.names.index(name)
        return lambda: self._first[index]

    def first_of(self) -> dict[str, int]:
        """Return the buttons that have been pressed, each with the control step at which it first was."""
        return {name: step for name, step in zip(self.names, self._first, strict=True) if step is not None}

    def state(self) -> ButtonState:
        """Return a copy of the memory, for exact restore."""
        return tuple(self._counts), tuple(self._first)

    def restore(self, state: ButtonState) -> None:
        """Restore what `state` returned."""
        self._counts, self._first = list(state[0]), list(state[1])


def _pressable(scene: Scene, name: str) -> _Pressable:
    place = scene.place(name)
    assert place.button is not None
    root = scene.assets[place.entity].root
    joint = next(link.joint for link in links(root) if link.joint and link.joint.name == place.button.joint)
    low, high = joint.range
    return _Pressable(
        name,
        int(scene.model.joint(f"{place.entity}/{joint.name}").qposadr[0]),
        float(np.clip(joint.rest, low, high)),
        high - low,
        scene.contacts.now(np.array(sorted(scene.robot_geoms), np.intp), scene.geoms(name)),
    )
