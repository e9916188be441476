"""How far a task has come: sub-goals that latch in the order of their graph.

A sub-goal latches at the first control step at whose end its condition holds while all sub-goals that it comes after
have latched, be it with that step. Progress is the latched share of all weights, and 1 on success. ``final`` is the
share of those whose condition holds at the end, order and memory left out. Progress 1 is not success: faults, and
undoing what was done, do not take progress back. A goal with alternatives has them inside its sub-goals (``Or``), so
that its progress is the best of them. Source: vlabench spec, section 4.3.

``compat="paper"``: (parts of the goal that hold at the end + targets ever touched) / (parts + targets).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from proctor.core import Event
from proctor.tasks.cbddl import Subgoal

from ._expressions import Node, bind
from ._scene import Scene

ProgressState: TypeAlias = tuple[tuple[bool, ...], tuple[int, ...]]


class Progress:
    """The sub-goals of one scene."""

    def __init__(self, scene: Scene, subgoals: Sequence[Subgoal], compat: str) -> None:
        self._subgoals = tuple(subgoals)
        self._nodes: list[Node] = [bind(subgoal.expr, scene, compat) for subgoal in subgoals]
        names = [subgoal.name for subgoal in subgoals]
        self._before = [[names.index(name) for name in subgoal.after] for subgoal in subgoals]
        self._total = sum(subgoal.weight for subgoal in subgoals)
        self.begin()

    def __bool__(self) -> bool:
        return bool(self._subgoals)

    def begin(self) -> None:
        """Start an episode: nothing has latched."""
        self._latched = [False] * len(self._nodes)
        for node in self._nodes:
            node.reset()

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended; return an event, with the share, for each that latched."""
        events = []
        for i, (node, subgoal) in enumerate(zip(self._nodes, self._subgoals, strict=True)):
            true_now = node.update()
            # Sub-goals stand after those that they come after, so these have had their turn.
            if true_now and not self._latched[i] and all(self._latched[k] for k in self._before[i]):
                self._latched[i] = True
                events.append(Event(step, time_s, "progress", subgoal.name, self.share))
        return events

    @property
    def share(self) -> float:
        """The latched share of all weights."""
        return self._share(self._latched)

    @property
    def final(self) -> float:
        """The share of the weights of those that held at the last look."""
        return self._share([node.value for node in self._nodes])

    def _share(self, flags: Sequence[bool]) -> float:
        got = sum(subgoal.weight for subgoal, flag in zip(self._subgoals, flags, strict=True) if flag)
        return got / self._total

    def state(self) -> ProgressState:
        """Return everything remembered, for exact restore."""
        memory = tuple(value for node in self._nodes for value in node.memory())
        return tuple(self._latched), (*memory, *(int(node.value) for node in self._nodes))

    def restore(self, state: ProgressState) -> None:
        """Restore what `state` returned."""
        latched, values = state
        self._latched = list(latched)
        memory = list(values)
        for node in self._nodes:
            node.recall(memory)
        for node, value in zip(self._nodes, memory, strict=True):
            node.value = bool(value)
