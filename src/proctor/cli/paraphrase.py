"""``proctor paraphrase``: the same instructions in other words, cell by cell, verified."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.tasks.words import Cell, Paraphrase, SourceTask


def paraphrase(
    selectors: Annotated[
        list[str],
        typer.Argument(metavar="SELECTOR", help="Suite, part of a task id, or a folder or file of tasks."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write: .csv, or .jsonl for JSON lines.")],
    cells: Annotated[
        str, typer.Option(help="all (43), compound, or object/action as in hab/none,none/hint,*/need.")
    ] = "all",
    per_task: Annotated[int, typer.Option(help="Texts of each task in each cell.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides which texts are taken.")] = 0,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="Let a language model write: an OpenAI-compatible endpoint.")
    ] = None,
    model: Annotated[str, typer.Option(help="With --endpoint: the model that writes.")] = "",
    verifier_model: Annotated[
        str | None, typer.Option(help="With --endpoint: the model that verifies.", show_default="the same")
    ] = None,
    timeout: Annotated[float, typer.Option(help="With --endpoint: seconds allowed for an answer.")] = 60.0,
) -> None:
    """Write paraphrases of the selected tasks, offline from our grammar and lexicon, or with a language model.

    Every text was verified: it names exactly the things of the original, keeps act and relation, and is in one cell
    only. With --endpoint the answers are kept beside the file (.journal), and the same command goes on where it was.
    """
    from proctor.core import ProctorError
    from proctor.core.chat import Chat
    from proctor.tasks.words import generate, generate_with_endpoint, parse_cells, write_paraphrases

    chosen = parse_cells(cells)
    if out.suffix not in (".csv", ".jsonl"):
        raise ProctorError(f"--out {out}: the name must end in .csv or .jsonl")
    tasks = source_tasks(selectors)
    if endpoint is None:
        found = generate(tasks, chosen, per_task=per_task, seed=seed)
    else:
        if not model:
            raise ProctorError("--endpoint needs --model: the name of the model that it serves")
        found = generate_with_endpoint(
            tasks,
            chosen,
            Chat(endpoint, model, timeout),
            Chat(endpoint, verifier_model or model, timeout, temperature=0.0),
            out.with_name(out.name + ".journal"),
            per_task=per_task,
            note=lambda text: typer.echo(text, err=True),
        )
    if not found:
        raise ProctorError("no paraphrase passed the verification: choose other cells or tasks")
    write_paraphrases(found, out)
    _report(found, tasks, chosen, per_task, out)


def source_tasks(selectors: list[str]) -> list[SourceTask]:
    """Return the selected tasks with what their things may be called; tasks of one wording count once."""
    from proctor.run.plan import nouns_in
    from proctor.tasks.suites import find_all, task_of
    from proctor.tasks.words import SourceTask

    tasks: dict[str, SourceTask] = {}
    for ref in find_all(selectors):
        task = task_of(ref.path)
        text = ref.instruction or task.language
        scene, same = nouns_in(task), tasks.get(text.casefold())
        if same is None:
            tasks[text.casefold()] = SourceTask(ref.id.partition("@")[0], text, scene)
        elif scene not in (same.scene, *same.also):
            tasks[text.casefold()] = replace(same, also=(*same.also, scene))
    return list(tasks.values())


def _report(
    found: list[Paraphrase], tasks: list[SourceTask], chosen: tuple[Cell, ...], per_task: int, out: Path
) -> None:
    counts = Counter(item.cell for item in found)
    typer.echo(f"{len(found)} paraphrases of {len(tasks)} instructions in {len(counts)} cells, written to {out}")
    short = [cell for cell in chosen if counts[cell] < per_task * len(tasks)]
    if short:
        fewest = min(short, key=lambda cell: counts[cell])
        typer.echo(
            f"{len(short)} cells have fewer than {per_task * len(tasks)}: "
            f"the lexicon and the grammar have no more that fit (fewest: {fewest}, {counts[fewest]})"
        )
