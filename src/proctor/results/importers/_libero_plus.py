"""LIBERO-Plus's ``task_classification.json``: which perturbation each of its 10,030 tasks has, and how hard it is.

{suite: [{id (from 1), name, category, difficulty_level (1 to 5 or null)}]}. A task's name is its file's, with the
perturbation as a suffix; that suffix is no part of the instruction (it leaked into the prompt of 6,968 tasks).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._trial import ImportFileError, TrialRow, Trials, load_json

_SUFFIX = re.compile(
    r"_(?:language|light|table|tb|add|level)_?\d+.*$|_view_[-\d_]+(?:_initstate_\d+)?.*$|_noise_\d+.*$|_initstate_\d+.*$"
)


@dataclass(frozen=True, slots=True)
class PlusTask:
    """One perturbed task. ``difficulty`` is 1 to 5, or None where the authors gave none."""

    suite: str
    number: int
    name: str
    category: str
    difficulty: int | None

    @property
    def base(self) -> str:
        """The name without the perturbation: which of LIBERO's tasks it is."""
        return _SUFFIX.sub("", self.name)


def read_plus_classification(path: str | Path) -> list[PlusTask]:
    """Read the file; every problem is one line that names the entry."""
    file = Path(path)
    body = load_json(file)
    if not isinstance(body, dict) or not all(isinstance(tasks, list) for tasks in body.values()):
        raise ImportFileError(f"{file}: is not a classification of LIBERO-Plus (suite: list of tasks)")
    tasks: list[PlusTask] = []
    for suite, entries in body.items():
        for place, entry in enumerate(entries):
            try:
                tasks.append(_task(suite, entry))
            except (KeyError, TypeError, ValueError) as error:
                raise ImportFileError(f"{file}: {suite}[{place}]: is not a task of LIBERO-Plus: {error!r}") from None
    if not tasks:
        raise ImportFileError(f"{file}: has no tasks")
    return tasks


def _task(suite: str, entry: Mapping[str, Any]) -> PlusTask:
    level = entry["difficulty_level"]
    if level is not None and level not in range(1, 6):
        raise ValueError(f"difficulty_level {level!r}")
    return PlusTask(suite, int(entry["id"]), str(entry["name"]), str(entry["category"]), level)


def classify_trials(trials: Trials, tasks: list[PlusTask]) -> list[tuple[TrialRow, PlusTask]]:
    """Return each episode with its task, by name or by ``suite/number`` as LeRobot counts them (from 0)."""
    known = {task.name: task for task in tasks} | {f"{task.suite}/{task.number - 1}": task for task in tasks}
    found = []
    for row in trials.rows:
        task = known.get(row["stratum"].removesuffix(".bddl"))
        if task is None:
            raise ImportFileError(
                f"{trials.source}: episode {row['episode_id']}: the classification has no task {row['stratum']!r}; "
                f"name the column that holds LIBERO-Plus's task name with --columns task=COLUMN"
            )
        found.append((row, task))
    return found
