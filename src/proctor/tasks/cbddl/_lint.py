"""The linter: every rule on one task."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from proctor.tasks.cbddl import _rules_declarations as declarations
from proctor.tasks.cbddl import _rules_goal as goal
from proctor.tasks.cbddl import _rules_placement as placement
from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._index import Index
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._model import Span, Task

SUFFIXES = (".bddl", ".cbddl")
# A defect that somebody else's rule has found: its code, its place and a message.
Defect: TypeAlias = tuple[str, Span, str]
Rules: TypeAlias = Callable[[Task, Known | None], Iterable[Defect]]


def lint_task(task: Task, problems: Problems, known: Known | None, rules: Rules | None) -> None:
    """Report the defects of a task whose syntax was understood.

    ``rules`` are those about sentences, which this package does not read (`proctor.tasks.words.instruction_defects`).
    Rules that notice an absence stay silent after a fatal defect: what they miss may be what was not understood.
    """
    index = Index(task)
    complete = not problems.fatal
    declarations.check_header(index, problems)
    declarations.check_categories(index, problems, known)
    placement.check_ranges(index, problems)
    placement.check_yaw(index, problems)
    placement.check_overlap(index, problems, known)
    placement.check_path_starts(index, problems)
    goal.check_containers(index, problems, known)
    goal.check_whole_fixtures(index, problems)
    goal.check_repeated_cost(index, problems)
    if not complete:
        return
    declarations.check_regions(index, problems)
    declarations.check_interest(index, problems)
    placement.check_placed(index, problems)
    goal.check_siblings(index, problems)
    goal.check_filled(index, problems)
    goal.check_goal_at_start(index, problems)
    for code, span, message in rules(task, known) if rules is not None else ():
        problems.add(code, span, message)


def task_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield files as given, and for folders the task files below them in order of their names."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        else:
            yield path
