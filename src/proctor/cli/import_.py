"""``proctor import``: results of others as one CSV file that our other commands read."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from proctor.results.importers import PlusTask, TrialRow


def import_(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="LIBERO-Para's logs or metadata CSV, a run folder, eval_info.json, vla-eval's results, CSV.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The CSV file to write.")],
    classification: Annotated[
        Path | None,
        typer.Option(metavar="JSON", help="LIBERO-Plus's task_classification.json: adds category and difficulty."),
    ] = None,
    columns: Annotated[str | None, typer.Option(help="For CSV: name=column,name=column.")] = None,
    step_seconds: Annotated[float, typer.Option(help="Length of a control step, where a file counts steps.")] = 0.05,
) -> None:
    """Write results of another program as CSV for proctor pride, compare and stats.

    With --classification the success of every perturbation of LIBERO-Plus is printed too.
    """
    from proctor._arms import parse_columns
    from proctor.results.importers import classify_trials, read_plus_classification, read_trials

    if classification is not None:
        trials = read_trials(source, columns=parse_columns(columns), step_s=step_seconds)
        pairs = classify_trials(trials, read_plus_classification(classification))
        _write(out, [_plus_row(row, task, trials.has_times) for row, task in pairs])
        _print_categories(pairs)
    else:
        _write(out, _instruction_rows(source, columns, step_seconds))


def _instruction_rows(source: Path, columns: str | None, step_s: float) -> list[dict[str, Any]]:
    """Return rows with both texts where the source has them, else plain trials."""
    from proctor._arms import parse_columns
    from proctor.results.importers import ImportFileError, read_instructions, read_para_log, read_trials
    from proctor.results.importers import is_para_log as is_log

    if is_log(source):
        return [
            {
                "policy": e.policy, "task": e.task, "episode_id": e.file, "pair_id": e.file, "success": int(e.success),
                "duration_s": "" if e.steps is None else e.steps * step_s, "original_instruction": e.original,
                "new_instruction": e.paraphrase, "object_type": e.object_type, "action_type": e.action_type,
            }
            for e in read_para_log(source)
        ]  # fmt: skip
    if source.suffix == ".csv":
        try:
            texts = read_instructions(source)
        except ImportFileError as error:
            if "has no column" not in str(error):
                raise
        else:
            return [
                {
                    "policy": r.policy, "task": r.task, "success": "" if r.success is None else int(r.success),
                    "original_instruction": r.original, "new_instruction": r.paraphrase,
                    "object_type": r.object_type, "action_type": r.action_type,
                }
                for r in texts
            ]  # fmt: skip
    trials = read_trials(source, columns=parse_columns(columns), step_s=step_s)
    return [_trial_row(row, trials.has_times) for row in trials.rows]


def _trial_row(row: TrialRow, timed: bool) -> dict[str, Any]:
    return {
        "policy": row["policy"],
        "task": row["stratum"],
        "episode_id": row["episode_id"],
        "pair_id": row["pair"],
        "success": int(bool(row["success_times_s"])),
        "duration_s": row["duration_s"] if timed else "",
        "status": row["status"],
    }


def _plus_row(row: TrialRow, task: PlusTask, timed: bool) -> dict[str, Any]:
    return _trial_row(row, timed) | {
        "suite": task.suite,
        "base_task": task.base,
        "category": task.category,
        "difficulty": "" if task.difficulty is None else task.difficulty,
    }


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    from proctor.core import ProctorError

    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise ProctorError(f"cannot write {path}: {error.strerror}") from None
    typer.echo(f"{len(rows)} rows in {path}")


def _print_categories(pairs: Sequence[tuple[TrialRow, PlusTask]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from proctor.analysis.stats import wilson

    groups: dict[str, list[bool]] = defaultdict(list)
    for row, task in pairs:
        if row["status"] == "completed":
            groups[task.category].append(bool(row["success_times_s"]))
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("category", style="cyan")
    for head in ("episodes", "success", "95 % interval"):
        table.add_column(head, justify="right")
    for name, won in sorted(groups.items()):
        low, high = wilson(sum(won), len(won))
        table.add_row(name, str(len(won)), f"{100 * sum(won) / len(won):.1f} %", f"{100 * low:.1f}–{100 * high:.1f} %")
    Console(highlight=False, soft_wrap=True).print(table)
