"""What policies are told instead of the instruction: W levels, controls and paraphrases, as texts of a plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from proctor.core import ProctorError, did_you_mean

from ._plan import DRAWN, InstructionVariant, PlanTask
from ._select import nouns_in

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
