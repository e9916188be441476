"""The linter: every rule on one task."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from proctor.cbddl import _rules_declarations as declarations
from proctor.cbddl import _rules_goal as goal
from proctor.cbddl import _rules_language as language
from proctor.cbddl import _rules_placement as placement
from proctor.cbddl._diagnostics import Problems
from proctor.cbddl._known import Known
from proctor.cbddl._model import Task

SUFFIXES = (".bddl", ".cbddl")


def lint_task(task: Task, problems: Problems, known: Known | None) -> None:
    """Report the defects of a task whose syntax was understood.

    Rules that notice an absence stay silent after a fatal defect: what they miss may be what was not understood.
    """
    complete = not problems.fatal
    declarations.check_header(task, problems)
    declarations.check_entities(task, problems, known)
    declarations.check_movers(task, problems)
    placement.check_ranges(task, problems)
    placement.check_yaw(task, problems)
    goal.check_containers(task, problems, known)
    goal.check_whole_fixtures(task, problems)
    goal.check_cost(task, problems)
    if not complete:
        return
    declarations.check_regions(task, problems)
    declarations.check_interest(task, problems)
    placement.check_placed(task, problems)
    goal.check_goal_at_start(task, problems)
    language.check_file_name(task, problems)
    language.check_goal_objects(task, problems, known)
    language.check_all(task, problems, known)
    language.check_order(task, problems)
    language.check_preposition(task, problems)


def task_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield files as given, and for folders the task files below them in order of their names."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        else:
            yield path
