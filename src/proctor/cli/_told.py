"""What policies are told instead of the instruction: W levels, controls and paraphrases, as texts of a plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

if TYPE_CHECKING:
    from proctor.run.plan import PlanTask, Told
    from proctor.tasks.cbddl import Task

TEXTS_PER_TASK = 32


def variant_of(instruction: str, language: str, paraphrases: Path | None) -> str:
    """Return the plan's language variant from the three options, of which one may be used."""
    from proctor.core import ProctorError, did_you_mean
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
) -> tuple[PlanTask, ...]:
    """Return the tasks with the texts of the variant; those for which a paraphrase file has none are left out.

    ``scenes`` says whether the tasks' things are known, so that a name that fits two of them is noticed.
    """
    from proctor.run.plan import DRAWN
    from proctor.tasks.words import LEVELS

    if variant == "paraphrase":
        assert paraphrases is not None
        return _paraphrased(tasks, paraphrases)
    if variant not in DRAWN:
        return tuple(tasks)
    told = []
    for task in tasks:
        scene = scene_of(Path(task.path)) if scenes else None
        if variant in LEVELS:
            texts = _substituted(task, variant, scene, substitutes)
        else:
            texts = _controlled(task, variant, scene)
        told.append(replace(task, told=texts))
    return tuple(told)


def scene_of(task: Path | Task) -> dict[str, tuple[str, ...]]:
    """Return what each thing of a task may be called."""
    from proctor.sim import nouns_of
    from proctor.tasks.suites import task_of

    return nouns_of(task_of(task) if isinstance(task, Path) else task)


def _substituted(
    task: PlanTask, level: str, scene: dict[str, tuple[str, ...]] | None, substitutes: Literal["auto", "lexicon"]
) -> tuple[Told, ...]:
    from proctor.run.plan import Told
    from proctor.tasks.words import replaceable, substitute

    wanted, there = int(level[1:]), replaceable(task.instruction, scene=scene, source=substitutes)
    if there < wanted:
        typer.echo(f"note: {task.task} has {there} words to replace, {level} asks for {wanted}", err=True)
    found = substitute(task.instruction, level, scene=scene, count=TEXTS_PER_TASK, source=substitutes)
    return tuple(Told(item.text, substitutions=json.dumps(item.described(), sort_keys=True)) for item in found)


def _controlled(task: PlanTask, kind: str, scene: dict[str, tuple[str, ...]] | None) -> tuple[Told, ...]:
    from proctor.core import ProctorError
    from proctor.run.plan import Told
    from proctor.tasks.words import control

    texts = [control(kind, task.instruction, seed, scene=scene) for seed in range(TEXTS_PER_TASK)]
    distinct = list(dict.fromkeys(text for text in texts if text is not None))
    if not distinct:
        raise ProctorError(f"--instruction {kind}: {task.instruction!r} ({task.task}) has none; select other tasks")
    return tuple(Told(text) for text in distinct)


def _paraphrased(tasks: Sequence[PlanTask], file: Path) -> tuple[PlanTask, ...]:
    from proctor.core import ProctorError
    from proctor.run.plan import Told
    from proctor.tasks.words import read_paraphrases

    rows = read_paraphrases(file)
    kept, used = [], 0
    for task in tasks:
        names = {task.task, task.task.partition("@")[0], Path(task.path).stem}
        texts = [
            Told(row.text, row.cell.object or "", row.cell.action or "", json.dumps(row.substitutions, sort_keys=True))
            for row in rows
            if row.task in names or row.original.casefold() == task.instruction.casefold()
        ]
        used += len(texts)
        if texts:
            kept.append(replace(task, told=tuple(dict.fromkeys(texts))))
    if not kept:
        raise ProctorError(f"{file}: none of its tasks or original instructions is among the selected tasks")
    if used < len(rows):
        typer.echo(f"note: {len(rows) - used} of {len(rows)} rows of {file} are of other tasks", err=True)
    return tuple(kept)
