"""``NAME/...`` as a selector: tasks of a simulator that lives in another virtual environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proctor.core import ProctorError
from proctor.run.plan import PlanTask

from ._listing import ForeignTask, list_tasks, simulator_of
from ._table import known

FOREIGN_ENV = "proctor.run.foreign:ForeignEnv"
# Foreign tasks have no levels; rows need one.
LEVEL = "L0"


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """What replaces our own tasks and environment."""

    tasks: tuple[PlanTask, ...]
    env_args: dict[str, Any]


def foreign_run(
    selectors: Sequence[str],
    env_args: Mapping[str, Any],
    *,
    episodes: int,
    max_steps: int | None,
    wrong: bool,
    refused: Mapping[str, bool],
    note: Callable[[str], None],
) -> ForeignRun | None:
    """Return the run if ``selectors`` name a foreign simulator, else None.

    ``refused`` maps options that make no sense there to whether they were given.
    """
    names = {simulator_of(selector) for selector in selectors}
    if names == {None}:
        return None
    if len(names) > 1:
        raise ProctorError("one run has one simulator: give the tasks of each in a run of its own")
    name = str(names.pop())
    for option, given in refused.items():
        if given:
            raise ProctorError(f"{option} is for our own simulation; {name} decides by itself: leave the option out")
    entry = known(name)
    tasks = list({task.id: task for selector in selectors for task in list_tasks(selector, env_args)}.values())
    if entry.one_task and len(tasks) > 1:
        raise ProctorError(
            f"{name} has {len(tasks)} environments, each with its own spaces: a run has one, as {name}/ID"
        )
    starts = min((task.starts for task in tasks if task.starts is not None), default=None)
    if starts is not None and episodes > starts:
        note(f"{name} has {starts} start states per task; episode {starts} begins as episode 0")
    everything = list_tasks(name) if wrong else []
    plan = tuple(_plan_task(task, max_steps, everything) for task in tasks)
    return ForeignRun(plan, {"name": name, "task": tasks[0].id.partition("/")[2], **env_args})


def _plan_task(task: ForeignTask, max_steps: int | None, everything: Sequence[ForeignTask]) -> PlanTask:

    steps = max_steps or task.max_steps
    if steps is None:
        raise ProctorError(f"{task.id} has no step limit of its own: give one with --max-steps")
    others = {each.instruction for each in everything if each.suite == task.suite} - {task.instruction}
    return PlanTask(
        task=task.id,
        suite=task.suite,
        level=LEVEL,
        task_hash=task.task_hash,
        instruction=task.instruction,
        max_steps=steps,
        path="",
        wrong=tuple(sorted(others)),
    )
