"""Conditions that must last: true once something has been true at the end of so many control steps on end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from ._contacts import Condition
from ._control import CONTROL_DT

LastingState: TypeAlias = tuple[tuple[int, ...], tuple[tuple[float, ...], ...]]


def steps_of(seconds: float) -> int:
    """Return how many control steps a time is; at least one."""
    return max(1, round(seconds / CONTROL_DT))


class Lasting:
    """Counts, per condition, the control steps since it was last false; keeps the last values of measured things.

    Conditions are looked at in the order in which they were added, so one that is made of others comes after them.
    """

    def __init__(self) -> None:
        self._conditions: list[Condition] = []
        self._counts: list[int] = []
        self._values: list[Callable[[], float]] = []
        self._windows: list[deque[float]] = []

    def lasts(self, condition: Condition, seconds: float) -> Condition:
        """Return a condition: ``condition`` has been true for ``seconds``."""
        self._conditions.append(condition)
        self._counts.append(0)
        slot, needed = len(self._conditions) - 1, steps_of(seconds)
        return lambda: self._counts[slot] >= needed

    def mean(self, value: Callable[[], float], seconds: float) -> Callable[[], float | None]:
        """Return a reader of the mean of ``value`` over the last ``seconds``; None before so much time has passed."""
        needed = steps_of(seconds)
        self._values.append(value)
        self._windows.append(deque(maxlen=needed))
        slot = len(self._values) - 1

        def read() -> float | None:
            window = self._windows[slot]
            return sum(window) / needed if len(window) == needed else None

        return read

    def begin(self) -> None:
        """Start an episode: nothing has lasted yet."""
        self._counts = [0] * len(self._conditions)
        for window in self._windows:
            window.clear()

    def update(self) -> None:
        """Look at the control step that has just ended."""
        for slot, condition in enumerate(self._conditions):
            self._counts[slot] = self._counts[slot] + 1 if condition() else 0
        for value, window in zip(self._values, self._windows, strict=True):
            window.append(value())

    def state(self) -> LastingState:
        """Return a copy of the memory, for exact restore."""
        return tuple(self._counts), tuple(tuple(window) for window in self._windows)

    def restore(self, state: LastingState) -> None:
        """Restore what `state` returned; what was added since then starts anew."""
        counts, windows = state
        self._counts = [*counts, *[0] * (len(self._conditions) - len(counts))]
        for slot, window in enumerate(self._windows):
            window.clear()
            window.extend(windows[slot] if slot < len(windows) else ())
