"""``NAME/...`` as a selector: the tasks that a simulator in another virtual environment lists."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proctor.core import ProctorError
from proctor.run.plan import PlanTask

from ._errors import ForeignEnvError
from ._install import python_of
from ._process import Simulator
from ._table import FOREIGN, known

# The tasks of a foreign simulator, as the simulator itself lists them.

# How long to wait, where files lie, which pictures to draw: none of these changes an episode.
NO_MEANING = ("timeout_s", "assets", "cameras")


@dataclass(frozen=True, slots=True)
class ForeignTask:
    """A task under its id for us, ``NAME/...``.

    ``task_hash`` is SHA-256 over the id, the simulator's versions and the arguments that change what an episode means,
    16 digits: another version, or another threshold for success, is another task.
    ``starts`` is how many start states there are, None where they are drawn from the seed.
    """

    id: str
    suite: str
    instruction: str
    max_steps: int | None
    task_hash: str
    starts: int | None


def simulator_of(selector: str) -> str | None:
    """Return the simulator that ``selector`` names by its first part, None if it names none."""
    first = selector.partition("/")[0]
    return first if first in FOREIGN else None


def list_tasks(selector: str, args: Mapping[str, Any] | None = None) -> list[ForeignTask]:
    """Return the tasks of ``NAME`` or ``NAME/PART``, never none. Starts the simulator's process and ends it.

    ``args`` are those that the environment will get.
    """
    name, _, rest = selector.partition("/")
    simulator = Simulator(name, python_of(name), known(name).environ)
    try:
        told = simulator.ask("env_tasks", {"selector": rest.strip("/")}).fields
    finally:
        simulator.close()
    if not told["tasks"]:
        raise ForeignEnvError(f"{name} has no task {rest!r}: `proctor env ls {name}` lists them")
    meant = {key: value for key, value in (args or {}).items() if key not in NO_MEANING}
    return [_task(name, task, [told["versions"], meant]) for task in told["tasks"]]


def probe(task: str, episodes: int, **args: Any) -> list[dict[str, Any]]:
    """Let the first start states of ``task`` settle without a policy; one report each, see the simulator's side.

    ``args`` are those of the environment.
    """
    name, _, rest = task.partition("/")
    simulator = Simulator(name, python_of(name), known(name).environ)
    try:
        return [
            simulator.ask("env_probe", {"task": rest, "episode": episode, "args": args}).fields["probe"]
            for episode in range(episodes)
        ]
    finally:
        simulator.close()


def _task(name: str, task: Mapping[str, Any], decided_by: Sequence[Any]) -> ForeignTask:
    identity = f"{name}/{task['task']}"
    text = json.dumps([identity, *decided_by], sort_keys=True)
    return ForeignTask(
        id=identity,
        suite=f"{name}/{task['suite']}" if task["suite"] else name,
        instruction=task["instruction"],
        max_steps=task["max_steps"],
        task_hash=hashlib.sha256(text.encode()).hexdigest()[:16],
        starts=task["starts"],
    )


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
