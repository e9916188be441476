"""The tasks of a foreign simulator, as the simulator itself lists them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import ForeignEnvError
from ._install import python_of
from ._process import Simulator
from ._table import FOREIGN, known

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
