"""Which episodes there are: tasks and drawn tasks, shards, and the one builder of an `EpisodeSpec`.

A drawn task has a file of a few lines that names it; its episodes (text, instruction, limit) follow from a seed. The
file's suffix says which `TaskSource` draws them. Sources are entry points of the group ``proctor.task_sources``, so
that nothing which plans, simulates or certifies has to know a generator by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from ._errors import ProctorError
from ._seeds import named_seed
from ._types import EpisodeSpec

# One part of a piece of work that several machines share without talking to each other.


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``part`` of ``parts``, counted from 1: item ``part`` of a list and every ``parts``-th one after it.

    So parts differ in length by at most one, and each has some of everything where a list goes round its kinds.
    """

    part: int = 1
    parts: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``I/N``."""
        match = re.fullmatch(r"(\d+)/(\d+)", text, re.ASCII)
        part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= part <= parts:
            raise ProctorError(f"--shard is {text!r}: it must be I/N with I from 1 to N, as in 2/8")
        return cls(part, parts)

    def of(self, length: int) -> range:
        """Return the indices that are in this part of a list of ``length`` items."""
        return range(self.part - 1, length, self.parts)

    @property
    def folder(self) -> str:
        """The part as a name that sorts well and is one word in every shell, as in ``02-of-10``."""
        return f"{self.part:0{len(str(self.parts))}d}-of-{self.parts}"


GROUP = "proctor.task_sources"


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """A task as a plan needs it.

    ``task`` is the full id with its version; ``path`` is where this host keeps it. A drawn task has a ``family``: it
    seeds the episodes in place of the id, so that tasks of a family share their layouts. Its instruction is drawn, its
    ``task_hash`` is that of what its file asks for, and ``max_steps`` 0 means: as drawn.
    """

    task: str
    suite: str
    level: str = ""
    task_hash: str = ""
    instruction: str = ""
    max_steps: int = 300
    path: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class DrawnFacts:
    """What is known of a drawn task before any episode: seed family, usual limit, class that must be asked for."""

    family: str
    max_steps: int
    include: str = ""


class DrawnEpisode(Protocol):
    """One episode of a drawn task. Its properties follow from file, seed and number."""

    @property
    def text(self) -> str:
        """The task file's text."""
        ...

    @property
    def parsed(self) -> Any:
        """The text as a `proctor.tasks.cbddl.Task`."""
        ...

    @property
    def instruction(self) -> str:
        """What the policy is told."""
        ...

    @property
    def task_hash(self) -> str:
        """Hash of the text."""
        ...

    @property
    def target(self) -> str:
        """What the question asks for, by which answers are counted."""
        ...

    @property
    def max_steps(self) -> int:
        """Control steps allowed."""
        ...

    @property
    def family(self) -> str:
        """Equal for episodes of different tasks that share a scene."""
        ...


class TaskSource(Protocol):
    """Draws the episodes of tasks whose files end in ``suffix``. Equal arguments give equal episodes on any host."""

    @property
    def suffix(self) -> str:
        """The suffix of its task files, with the dot."""
        ...

    def fingerprint(self, path: Path) -> str:
        """Return a hash of what a file asks for. What is drawn for it says its own hash, episode by episode."""
        ...

    def facts(self, path: Path) -> DrawnFacts:
        """Return what is known of the task in a file before any episode."""
        ...

    def draw(self, path: Path, seed: int, episode: int) -> DrawnEpisode:
        """Return an episode."""
        ...

    def locate(self, name: str) -> str | None:
        """Return ``suite/task`` for a name of the source's own catalogue, None for any other name."""
        ...


@cache
def task_sources() -> tuple[TaskSource, ...]:
    """Return every installed source."""
    return tuple(entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def task_source(path: str | Path) -> TaskSource | None:
    """Return the source of the task in a file, None for a file that holds the task itself."""
    suffix = Path(path).suffix
    return next((source for source in task_sources() if source.suffix == suffix), None)


def episode_seed(run_seed: int, task: str, episode: int) -> int:
    """Return the seed of an episode: ``named_seed(run_seed, "episode", task without @version, episode)``, top 53 bits.

    It does not depend on the policy, so that every policy meets the same layouts and episodes can be compared in pairs;
    nor on the task's version, so that a corrected task keeps its layouts (its ``task_hash`` still changes the ids).
    53 bits pass unharmed through every JSON reader.
    """
    return named_seed(run_seed, "episode", task.partition("@")[0], episode) >> 11


def episode_spec(
    task: TaskEntry, episode: int, *, policy: str, run_seed: int = 0, seed: int | None = None, **conditions: Any
) -> EpisodeSpec:
    """Return episode number ``episode`` of a task; a drawn one is drawn now.

    ``seed`` takes the place of the one that follows from ``run_seed``. ``conditions`` are further fields of
    `EpisodeSpec`: ``vision``, ``language``, ``timing`` and so on.
    """
    if seed is None:
        seed = episode_seed(run_seed, task.family or task.task, episode)
    source = task_source(task.path) if task.family else None
    drawn = source.draw(Path(task.path), seed, episode) if source else None
    return EpisodeSpec(
        suite=task.suite,
        task=task.task,
        level=task.level,
        task_hash=drawn.task_hash if drawn else task.task_hash,
        episode=episode,
        seed=seed,
        instruction=drawn.instruction if drawn else task.instruction,
        policy=policy,
        max_steps=task.max_steps or (drawn.max_steps if drawn else 0),
        task_path=task.path,
        family=drawn.family if drawn else "",
        **conditions,
    )
