"""What a suite's tasks are told to do, and the entries that a plan makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from proctor.core import TaskEntry, task_source

from ._catalog import find
from ._reading import task_of
from ._suite import TaskRef, suite_folder


def entry_of(ref: TaskRef, max_steps: int | None = None) -> TaskEntry:
    """Return a task as a plan needs it; nothing of a drawn task is drawn. ``max_steps`` replaces the suite's limit."""
    source = task_source(ref.path)
    task = None if source else task_of(ref.path)
    return TaskEntry(
        task=ref.id,
        suite=ref.suite,
        level=ref.level,
        task_hash=source.fingerprint(ref.path) if source else task.text_hash if task else "",
        instruction=(ref.instruction or task.language) if task else "",
        max_steps=max_steps or (0 if source else ref.max_steps),
        path=str(ref.path),
        family=ref.family,
    )


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
