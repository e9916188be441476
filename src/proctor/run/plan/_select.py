"""From selectors and word levels to the tasks of a plan and their texts; a broken one is reported before a run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from proctor.core import ProctorError, did_you_mean

from ._plan import DRAWN, InstructionVariant, PlanTask

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


# What policies are told instead of the instruction: W levels, controls and paraphrases, as texts of a plan.

TEXTS_PER_TASK = 32


def variant_of(instruction: str, language: str, paraphrases: Path | None) -> str:
    """Return the plan's language variant from the three options, of which one may be used."""
    from proctor.tasks.words import LEVELS

    level = language.upper()
    if level not in LEVELS:
        hint = did_you_mean(level, LEVELS)
        raise ProctorError(f"unknown --language {language!r} (there are {', '.join(LEVELS)}){hint}")
    chosen = [name for name in (instruction,) if name != "correct"] + [level] * (level != "W0")
    chosen += ["paraphrase"] * (paraphrases is not None)
    if len(chosen) > 1:
        raise ProctorError("--instruction, --language and --paraphrases exclude each other: give one of them")
    return chosen[0] if chosen else "W0"


def with_texts(
    tasks: Sequence[PlanTask],
    variant: str,
    paraphrases: Path | None,
    *,
    substitutes: Literal["auto", "lexicon"],
    scenes: bool,
    note: Callable[[str], None],
) -> tuple[PlanTask, ...]:
    """Return the tasks with the texts of the variant; those for which a paraphrase file has none are left out.

    ``scenes`` says whether the tasks' things are known, so that a name that fits two of them is noticed. ``note`` hears
    what is worth knowing and no mistake.
    """
    from proctor.tasks.words import LEVELS

    if variant == "paraphrase":
        assert paraphrases is not None
        return _paraphrased(tasks, paraphrases, note)
    if variant not in DRAWN:
        return tuple(tasks)
    found = []
    for task in tasks:
        if task.family:
            # The plan says why a drawn task has no other words.
            found.append(task)
            continue
        scene = nouns_in(Path(task.path)) if scenes else None
        if variant in LEVELS:
            texts = _substituted(task, variant, scene, substitutes, note)
        else:
            texts = _controlled(task, variant, scene)
        found.append(replace(task, variants=texts))
    return tuple(found)


def _substituted(
    task: PlanTask,
    level: str,
    scene: dict[str, tuple[str, ...]] | None,
    substitutes: Literal["auto", "lexicon"],
    note: Callable[[str], None],
) -> tuple[InstructionVariant, ...]:
    from proctor.tasks.words import replaceable, substitute

    wanted, there = int(level[1:]), replaceable(task.instruction, scene=scene, source=substitutes)
    if there < wanted:
        note(f"{task.task} has {there} words to replace, {level} asks for {wanted}")
    found = substitute(task.instruction, level, scene=scene, count=TEXTS_PER_TASK, source=substitutes)
    return tuple(
        InstructionVariant(item.text, substitutions=json.dumps(item.described(), sort_keys=True)) for item in found
    )


def _controlled(task: PlanTask, kind: str, scene: dict[str, tuple[str, ...]] | None) -> tuple[InstructionVariant, ...]:
    from proctor.tasks.words import control

    texts = [control(kind, task.instruction, seed, scene=scene) for seed in range(TEXTS_PER_TASK)]
    distinct = list(dict.fromkeys(text for text in texts if text is not None))
    if not distinct:
        raise ProctorError(f"--instruction {kind}: {task.instruction!r} ({task.task}) has none; select other tasks")
    return tuple(InstructionVariant(text) for text in distinct)


def _paraphrased(tasks: Sequence[PlanTask], file: Path, note: Callable[[str], None]) -> tuple[PlanTask, ...]:
    from proctor.tasks.words import read_paraphrases

    rows = read_paraphrases(file)
    kept, used = [], 0
    for task in tasks:
        names = {task.task, task.task.partition("@")[0], Path(task.path).stem}
        texts = [
            InstructionVariant(
                row.text, row.cell.object or "", row.cell.action or "", json.dumps(row.substitutions, sort_keys=True)
            )
            for row in rows
            if row.task in names or row.original.casefold() == task.instruction.casefold()
        ]
        used += len(texts)
        if texts:
            kept.append(replace(task, variants=tuple(dict.fromkeys(texts))))
    if not kept:
        raise ProctorError(f"{file}: none of its tasks or original instructions is among the selected tasks")
    if used < len(rows):
        note(f"{len(rows) - used} of {len(rows)} rows of {file} are of other tasks")
    return tuple(kept)
