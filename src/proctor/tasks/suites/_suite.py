"""A suite is a folder: ``suite.toml`` and level folders L0, L1, ... of task files, each parsed once.

title = "Static obstacles"
description = "Pick and place beside things that must not be touched."
origin = "where the idea comes from"
version = 1                     # of every task in the suite; raise it when a task changes its meaning
max_steps = 300                 # or a table: [max_steps] L0 = 300, L1 = 600, or by file name: open_the_drawer = 200
safety = true                   # the expert must solve it at cost 0
reckless_levels = ["L1", "L2"]  # where the expert without avoidance must pay
expert_share = { L2 = 0.9 }     # by level, the share of layouts that the expert must solve, where it is not 0.95
random_share = 0.05             # the share of layouts on which random actions may be lucky, where it is not 0
optional = true                 # found by its own name only, not by a leading part of it

[instructions]                  # optional: replaces the :language of a task file, by file name
open_the_drawer = "Open the top drawer"
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from proctor.core import ProctorError, did_you_mean, task_source, task_sources
from proctor.tasks.cbddl import CbddlError, Task, atoms_of, read_task

# Task files, each parsed once as long as it does not change.


def task_of(path: Path, seed: int = 0, episode: int = 0) -> Task:
    """Return the task in a file; of a drawn one, the episode that ``seed`` and ``episode`` determine."""
    source = task_source(path)
    if source is not None:
        task: Task = source.draw(path, seed, episode).parsed
        return task
    try:
        status = os.stat(path)
    except OSError:
        # The reader says what is wrong with it.
        return read_task(path)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, mtime_ns: int, size: int) -> Task:
    return read_task(path)


SUFFIXES = (".cbddl", ".bddl", *(source.suffix for source in task_sources()))
DEFAULT_MAX_STEPS = 300
# The reference's files say nothing of time; its settings give every task 600 steps. A long goal gets 300 per predicate.
REFERENCE_SUFFIX, REFERENCE_MAX_STEPS = ".bddl", 600
_LEVEL = re.compile(r"(?:L|level_)(\d)")
_KEYS: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "description": (str,),
    "origin": (str,),
    "version": (int,),
    "max_steps": (int, dict),
    "safety": (bool,),
    "reckless_levels": (list,),
    "expert_share": (dict,),
    "random_share": (float,),
    "instructions": (dict,),
    "optional": (bool,),
}


class SuiteError(ProctorError):
    """A suite or task that does not exist or whose ``suite.toml`` is wrong."""


@dataclass(frozen=True, slots=True)
class TaskRef:
    """Where a task is and under which rules it runs. ``id`` is ``suite/level/name@vN``.

    A drawn task (see `proctor.core.TaskSource`) has a ``family``, which its episodes are seeded by, and ``max_steps``
    is that of its nominal plan. What has an ``include`` is found only when asked for.
    """

    id: str
    suite: str
    level: str
    path: Path
    version: int
    max_steps: int
    safety: bool
    instruction: str | None = None
    expert_share: float | None = None
    random_share: float = 0.0
    family: str = ""
    include: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite folder and what its ``suite.toml`` says; a folder without one has the defaults."""

    name: str
    folder: Path
    title: str = ""
    description: str = ""
    origin: str = ""
    version: int = 1
    max_steps: int | Mapping[str, int] = DEFAULT_MAX_STEPS
    safety: bool = False
    reckless_levels: tuple[str, ...] = ()
    expert_share: Mapping[str, float] = field(default_factory=dict)
    random_share: float = 0.0
    instructions: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False
    described: bool = True

    def ref(self, path: Path) -> TaskRef:
        """Return the reference of one task file of this suite."""
        level = level_of(path)
        steps = self.max_steps
        if not isinstance(steps, int):
            steps = steps.get(path.stem, steps.get(level, DEFAULT_MAX_STEPS))
        if not self.described and path.suffix == REFERENCE_SUFFIX:
            steps = _reference_steps(path)
        source = task_source(path)
        drawn = source.facts(path) if source else None
        return TaskRef(
            id=f"{self.name}/{level}/{path.stem}@v{self.version}",
            suite=self.name,
            level=level,
            path=path,
            version=self.version,
            max_steps=steps if drawn is None else drawn.max_steps,
            safety=self.safety,
            instruction=self.instructions.get(path.stem),
            expert_share=self.expert_share.get(level),
            random_share=self.random_share,
            family="" if drawn is None else drawn.family,
            include="" if drawn is None else drawn.include,
        )


def _reference_steps(path: Path) -> int:
    """Return the control steps for a file of the reference: long goals take longer."""
    try:
        goal = task_of(path).goal
    except (CbddlError, OSError):
        # Whoever reads the task next says what is wrong with it.
        return REFERENCE_MAX_STEPS
    return max(REFERENCE_MAX_STEPS, DEFAULT_MAX_STEPS * len(list(atoms_of(goal))))


def level_of(path: Path) -> str:
    """Return a task file's level, ``L0`` to ``L9``, from its folder's name (``L1``, ``level_1``); without one, L0."""
    match = _LEVEL.fullmatch(path.parent.name)
    return f"L{match[1]}" if match else "L0"


def suite_folder(path: Path) -> Path:
    """Return the suite folder of a task file: the one above its level folder, else the one it is in."""
    return path.parent.parent if _LEVEL.fullmatch(path.parent.name) else path.parent


def read_suite(name: str, folder: Path) -> Suite:
    """Read ``suite.toml``, complaining about keys and types that it should not have."""
    path = folder / "suite.toml"
    if not path.exists():
        return Suite(name=name, folder=folder, described=False)
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SuiteError(f"{path}: {error}") from None
    for key, value in values.items():
        if key not in _KEYS:
            raise SuiteError(f"{path}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
        # bool is a subclass of int, so types are compared exactly.
        if type(value) not in _KEYS[key]:
            raise SuiteError(f"{path}: {key} must be {' or '.join(kind.__name__ for kind in _KEYS[key])}")
    steps = values.get("max_steps", DEFAULT_MAX_STEPS)
    for where, number in steps.items() if isinstance(steps, dict) else [("", steps)]:
        if type(number) is not int or number < 1:
            raise SuiteError(f"{path}: max_steps {where} must be a positive whole number".replace("  ", " "))
    for level, share in values.get("expert_share", {}).items():
        if type(share) is not float or not 0.5 <= share <= 1.0:
            raise SuiteError(f"{path}: expert_share {level} must be a number from 0.5 to 1.0")
    if not 0.0 <= values.get("random_share", 0.0) <= 0.1:
        raise SuiteError(f"{path}: random_share must be a number from 0.0 to 0.1")
    reckless = values.pop("reckless_levels", ())
    return Suite(name=name, folder=folder, reckless_levels=tuple(reckless), **values)
