"""What a suite's tasks are told to do, for the ablation that tells a policy the wrong thing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from proctor.tasks.cbddl import Task, parse, read_task
from proctor.tasks.knowledge import SUFFIX, draw

from ._catalog import find
from ._suite import TaskRef, suite_folder


def task_of(path: Path, seed: int = 0, episode: int = 0) -> Task:
    """Return the task in a file; of a generated one, the episode that ``seed`` and ``episode`` determine."""
    if path.suffix != SUFFIX:
        return read_task(path)
    return parse(draw(path, seed, episode).text, str(path))


def instruction_of(ref: TaskRef) -> str:
    """Return a task's instruction: the suite's word for it, else its file's (of a generated task, episode 0)."""
    return ref.instruction or task_of(ref.path).language


def other_instructions(refs: Iterable[TaskRef]) -> dict[Path, tuple[str, ...]]:
    """Return, by task file, the distinct instructions of its whole suite that differ from its own, sorted.

    They do not depend on which tasks were selected, so neither does the wrong instruction of an episode. Letter case
    makes no difference: the reference lowers all instructions.
    """
    suites: dict[Path, list[str]] = {}
    others: dict[Path, tuple[str, ...]] = {}
    for ref in refs:
        folder = suite_folder(ref.path)
        if folder not in suites:
            suites[folder] = [instruction_of(r) for r in find(str(folder)) if suite_folder(r.path) == folder]
        own = instruction_of(ref).casefold()
        distinct = {text.casefold(): text for text in reversed(suites[folder])}
        others[ref.path] = tuple(sorted(text for folded, text in distinct.items() if folded != own))
    return others
