"""What a knowledge task scores besides success: progress, intention, collateral faults.

Only tasks that have ``:subgoals`` or a ``:plan`` are scored so.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from proctor.core import Event, Fault
from proctor.tasks.cbddl import Task

from ._faults import Faults, FaultsState
from ._intention import SURFACE_M, Intention, IntentionState
from ._progress import Progress, ProgressState
from ._scene import Scene

ScoreState: TypeAlias = tuple[ProgressState, IntentionState, FaultsState]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of an episode; None where the task does not say what to score."""

    progress: float | None = None
    progress_final: float | None = None
    intention: float | None = None
    intention_first: float | None = None
    intention_paper: float | None = None
    faults: tuple[Fault, ...] = ()
    intention_eps_m: float | None = None

    def named(self) -> dict[str, Any]:
        """Return the values by name, as an `Outcome` takes them."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def is_scored(task: Task) -> bool:
    """Whether a task is one of the bench."""
    return bool(task.subgoals or task.plan)


class Score:
    """Progress, intention and faults of one scene, followed together."""

    def __init__(self, scene: Scene, compat: str) -> None:
        self._paper = compat == "paper"
        self._progress = Progress(scene, scene.task.subgoals, compat)
        self._intention = Intention(scene, scene.task.intent)
        self._faults = Faults(scene, compat)

    def begin(self) -> None:
        """Start an episode."""
        self._progress.begin()
        self._intention.begin()
        self._faults.begin()

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended."""
        events = self._progress.update(step, time_s)
        if self._intention:
            events += self._intention.update(step, time_s)
        return events + self._faults.update(step, time_s)

    def faults(self, time_s: float) -> tuple[Fault, ...]:
        """Return the faults that count now."""
        return self._faults.standing(time_s)

    @property
    def ended(self) -> bool:
        """Whether a fault has ended the episode."""
        return self._faults.ended

    def result(self, success: bool, time_s: float, parts: int, parts_true: int) -> Scores:
        """Return the scores at the end; ``parts`` of the goal, of which ``parts_true`` hold."""
        progress, intention = self._progress, self._intention
        share = None
        if progress:
            share = 1.0 if success else progress.share
        if self._paper:
            targets = len(intention.targets)
            share = (parts_true + intention.touched) / (parts + targets)
        return Scores(
            progress=share,
            progress_final=progress.final if progress else None,
            intention=intention.surface if intention else None,
            intention_first=intention.first if intention else None,
            intention_paper=intention.paper if intention else None,
            faults=self.faults(time_s),
            intention_eps_m=SURFACE_M if intention else None,
        )

    def state(self) -> ScoreState:
        """Return everything remembered, for exact restore."""
        return self._progress.state(), self._intention.state(), self._faults.state()

    def restore(self, state: ScoreState) -> None:
        """Restore what `state` returned."""
        self._progress.restore(state[0])
        self._intention.restore(state[1])
        self._faults.restore(state[2])
