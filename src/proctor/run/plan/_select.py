"""From selectors to the tasks of a plan, so that a broken one is reported before anything runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from proctor.core import ProctorError, did_you_mean

from ._plan import PlanTask

if TYPE_CHECKING:
    from proctor.tasks.cbddl import Task


def plan_tasks(
    selectors: Sequence[str],
    *,
    levels: str | Sequence[str] | None = None,
    include: Sequence[str] = (),
    max_steps: int | None = None,
    check_assets: bool = True,
    wrong: bool = False,
) -> tuple[PlanTask, ...]:
    """Find and parse every selected task.

    ``levels`` keeps some, as in ``L0,L1`` or a list; ``include`` adds classes left out by default; ``max_steps``
    replaces the suites' limits; ``wrong`` collects the other instructions of each suite.
    """
    from proctor.sim import things_digest
    from proctor.tasks.suites import entry_of, find_all, other_instructions, task_of

    wanted = None
    if levels is not None:
        parts = re.split(r"[,\s]+", levels.strip(", ")) if isinstance(levels, str) else levels
        wanted = [part.upper() if part[:1] in "lL" else f"L{part}" for part in parts]
    refs = find_all(selectors, wanted, include)
    others = other_instructions(ref for ref in refs if not ref.family) if wrong else {}
    tasks = []
    for ref in refs:
        things = ""
        if check_assets and not ref.family:
            task = task_of(ref.path)
            _require_assets(task)
            things = things_digest(task)
        tasks.append(PlanTask(**asdict(entry_of(ref, max_steps)), wrong=others.get(ref.path, ()), assets=things))
    return tuple(tasks)


def nouns_in(task: Path | Task) -> dict[str, tuple[str, ...]]:
    """Return what each thing of a task may be called."""
    from proctor.sim import nouns_of
    from proctor.tasks.suites import task_of

    return nouns_of(task_of(task) if isinstance(task, Path) else task)


def _require_assets(task: Task) -> None:
    from proctor.assets import categories

    known = categories()
    for entity in (*task.fixtures, *task.objects):
        workspace = entity.kind == "fixture" and entity.category.endswith(("table", "floor"))
        if not workspace and entity.category not in known:
            hint = did_you_mean(entity.category, known) or "; 'proctor assets' shows what there is"
            raise ProctorError(f"{entity.span}: there is no asset of category {entity.category!r}{hint}")
