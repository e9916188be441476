"""What was moved with what: a nail by the hammer and not by a finger, a ball by the cue.

Looked at once per control step, with the contacts of all its physics substeps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ._contacts import Condition

FAST_M_S = 0.05
"""What moves faster than this has been set in motion."""
ToolState: TypeAlias = tuple[tuple[tuple[float, float, float], ...], tuple[tuple[bool, bool, bool | None], ...]]


@dataclass(slots=True)
class _Driven:
    value: Callable[[], float]
    by_tool: Condition
    by_finger: Condition
    last: float = 0.0
    total: float = 0.0
    driven: float = 0.0


@dataclass(slots=True)
class _Struck:
    speed: Callable[[], float]
    by: Condition
    by_robot: Condition
    touched: bool = False
    handled: bool = False
    verdict: bool | None = None


class ToolWatch:
    """Travel and blows of the watched things; ``begin`` after settling, ``update`` after every control step."""

    def __init__(self) -> None:
        self._driven: list[_Driven] = []
        self._struck: list[_Struck] = []

    def driven(self, value: Callable[[], float], by_tool: Condition, by_finger: Condition) -> Callable[[], float]:
        """Return a reader: the share of the way of ``value`` that it went while ``by_tool`` and not ``by_finger``."""
        item = _Driven(value, by_tool, by_finger)
        self._driven.append(item)
        return lambda: item.driven / item.total if item.total > 0.0 else 0.0

    def struck(self, speed: Callable[[], float], by: Condition, by_robot: Condition) -> Condition:
        """Return a condition: ``by`` touched it, and the robot did not, when it was first set in motion."""
        item = _Struck(speed, by, by_robot)
        self._struck.append(item)
        return lambda: item.verdict is True

    def begin(self) -> None:
        """Start an episode: nothing has moved."""
        for item in self._driven:
            item.last, item.total, item.driven = item.value(), 0.0, 0.0
        for blow in self._struck:
            blow.touched, blow.handled, blow.verdict = False, False, None

    def update(self) -> None:
        """Look at the control step that has just ended."""
        for item in self._driven:
            now = item.value()
            way, item.last = abs(now - item.last), now
            item.total += way
            if item.by_tool() and not item.by_finger():
                item.driven += way
        for blow in self._struck:
            by, robot = blow.by(), blow.by_robot()
            if blow.verdict is None and blow.speed() > FAST_M_S:
                # The blow may have ended the step before the speed is seen.
                blow.verdict = (by or blow.touched) and not (robot or blow.handled)
            blow.touched, blow.handled = by, robot

    def state(self) -> ToolState:
        """Return a copy of the memory, for exact restore."""
        ways = tuple((item.last, item.total, item.driven) for item in self._driven)
        return ways, tuple((blow.touched, blow.handled, blow.verdict) for blow in self._struck)

    def restore(self, state: ToolState) -> None:
        """Restore what `state` returned."""
        for item, (last, total, driven) in zip(self._driven, state[0], strict=True):
            item.last, item.total, item.driven = last, total, driven
        for blow, (touched, handled, verdict) in zip(self._struck, state[1], strict=True):
            blow.touched, blow.handled, blow.verdict = touched, handled, verdict
