"""The linter: every rule on one task."""

from __future__ import annotations

from proctor.cbddl._diagnostics import Problems
from proctor.cbddl._known import Known
from proctor.cbddl._model import Task


def lint_task(task: Task, problems: Problems, known: Known | None) -> None:
    """Report the defects of a task whose syntax was understood."""
