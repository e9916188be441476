"""What demonstrations took: success, thinking, wall time and length, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from proctor.analysis.stats import wilson
from proctor.results import Episode


@dataclass(frozen=True, slots=True)
class TaskDemos:
    """One task's episodes: ``k`` of ``n`` succeeded, errors counted as failures.

    Medians over the episodes that succeeded, 0 without any: ``planning_s`` in the expert (search and all else that it
    thinks), ``wall_s`` of the whole first play, ``length_s`` of simulated time.
    """

    task: str
    k: int
    n: int
    interval: tuple[float, float]
    planning_s: float
    wall_s: float
    length_s: float


def by_task(rows: Sequence[Episode]) -> list[TaskDemos]:
    """Return one line per task, in the order of their names."""
    groups: dict[str, list[Episode]] = {}
    for row in rows:
        groups.setdefault(row.spec.task, []).append(row)
    return [_line(task, groups[task]) for task in sorted(groups)]


def total(rows: Sequence[Episode]) -> TaskDemos:
    return _line("all", rows)


def _line(task: str, rows: Sequence[Episode]) -> TaskDemos:
    good = [row for row in rows if row.outcome.success]
    return TaskDemos(
        task,
        len(good),
        len(rows),
        wilson(len(good), len(rows)),
        median(row.timing.policy_s for row in good) if good else 0.0,
        median(row.timing.wall_s for row in good) if good else 0.0,
        median(row.outcome.sim_time_s for row in good) if good else 0.0,
    )
