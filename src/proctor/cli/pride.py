"""``proctor pride``: how far paraphrases are from their originals, and what a policy makes of that distance."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from proctor.analysis.stats import ClusterInterval
    from proctor.analysis.words import PairScore, PrideSummary
    from proctor.results.importers import InstructionRow

SHOWN_ROWS = 20


def pride(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.csv|RUN",
            help="CSV with original_instruction and new_instruction, a run folder, or a folder of LIBERO-Para's logs.",
        ),
    ],
    mode: Annotated[
        Literal["corrected", "paper"], typer.Option(help="Corrected definitions, or the published program's own.")
    ] = "corrected",
    alpha: Annotated[float, typer.Option(help="Weight of the keywords; the rest is the structure's.")] = 0.5,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Keep and reuse scores on disk.")] = True,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the rows with their scores as CSV.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: rows in input order, summary, packages.")
    ] = False,
) -> None:
    """Score each paraphrase (S_K, S_T, PD); where success is known, also success rate, PRIDE and overestimation.

    Intervals are clustered by task: it is tasks that vary, not rows.
    """
    from proctor.analysis.words import fingerprint, require_alpha, score_pairs
    from proctor.core import ProctorError
    from proctor.results.importers import read_instructions
    from proctor.tasks.words import LanguageError

    require_alpha(alpha)
    rows = read_instructions(source)
    if not rows:
        raise ProctorError(f"{source}: no episode was told its task in other words; run one with a language variant")
    where = [row.where for row in rows]
    scores = score_pairs([(row.original, row.paraphrase) for row in rows], mode=mode, cache=cache, where=where)
    try:
        summary = _summary(rows, scores, mode, alpha)
    except LanguageError as error:
        raise ProctorError(f"{source}: {error}") from None
    if out is not None:
        _write(out, rows, scores, alpha)
    if as_json:
        body: dict[str, Any] = {"mode": mode, "alpha": alpha, "packages": fingerprint()}
        body |= {"rows": [_row(row, score, alpha) for row, score in zip(rows, scores, strict=True)]}
        body |= {"summary": _plain(summary)}
        typer.echo(json.dumps(body, allow_nan=False, ensure_ascii=False))
    else:
        _print(rows, scores, summary, alpha)
        if out is not None:
            typer.echo(f"{len(rows)} rows in {out}")


def _summary(
    rows: Sequence[InstructionRow], scores: Sequence[PairScore], mode: Literal["corrected", "paper"], alpha: float
) -> PrideSummary | None:
    from proctor.analysis.words import SentenceAttempt, pride_summary

    known = [(row, score) for row, score in zip(rows, scores, strict=True) if row.success is not None]
    if not known:
        return None
    attempts = [
        SentenceAttempt(row.original, row.paraphrase, bool(row.success), row.task, row.object_type, row.action_type)
        for row, _ in known
    ]
    return pride_summary(attempts, [score for _, score in known], _interval, mode=mode, alpha=alpha)


def _interval(
    columns: NDArray[np.float64],
    clusters: Sequence[Hashable],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    bounds: tuple[float, float],
) -> ClusterInterval:
    from proctor.analysis.stats import cluster_interval

    return cluster_interval(columns, clusters, statistic, bounds=bounds)


def _row(row: InstructionRow, score: PairScore, alpha: float) -> dict[str, Any]:
    return {
        "original_instruction": row.original,
        "new_instruction": row.paraphrase,
        "s_k": score.s_k,
        "s_t": score.s_t,
        "pd": score.pd(alpha),
        "s_k_reverse": score.s_k_reverse,
        "added": list(score.added),
        "notes": list(score.notes),
        "task": row.task,
        "object_type": row.object_type,
        "action_type": row.action_type,
        "success": row.success,
    }


def _write(path: Path, rows: Sequence[InstructionRow], scores: Sequence[PairScore], alpha: float) -> None:
    from proctor.core import ProctorError

    table = [_row(row, score, alpha) for row, score in zip(rows, scores, strict=True)]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(table[0]))
            writer.writeheader()
            for entry in table:
                success = "" if entry["success"] is None else int(entry["success"])
                lists = {name: " ".join(entry[name]) for name in ("added", "notes")}
                writer.writerow({**entry, **lists, "success": success})
    except OSError as error:
        raise ProctorError(f"cannot write {path}: {error.strerror}") from None


def _plain(summary: PrideSummary | None) -> Any:
    from proctor.analysis.stats import to_plain

    if summary is None:
        return None
    return to_plain(summary) | {"sweep": [{"alpha": weight, **to_plain(point)} for weight, point in summary.sweep]}


def _print(
    rows: Sequence[InstructionRow], scores: Sequence[PairScore], summary: PrideSummary | None, alpha: float
) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from proctor.analysis.words import NOTES

    console = Console(highlight=False, soft_wrap=True)
    if len(rows) <= SHOWN_ROWS:
        table = Table(box=box.SIMPLE_HEAD)
        table.add_column("paraphrase", overflow="fold", style="cyan")
        for head in ("S_K", "S_T", "PD"):
            table.add_column(head, justify="right")
        table.add_column("added")
        for row, score in zip(rows, scores, strict=True):
            numbers = [f"{value:.3f}" for value in (score.s_k, score.s_t, score.pd(alpha))]
            table.add_row(escape(row.paraphrase), *numbers, escape(" ".join(score.added)))
        console.print(table)
    count = len(rows)
    means = [sum(values) / count for values in zip(*((s.s_k, s.s_t, s.pd(alpha)) for s in scores), strict=True)]
    console.print("{} pairs: mean S_K {:.3f}, S_T {:.3f}, PD {:.3f}".format(count, *means))
    if summary is not None:
        _print_summary(summary, console)
    for note, text in NOTES.items():
        marked = [row.where for row, score in zip(rows, scores, strict=True) if note in score.notes]
        if marked:
            more = f" and {len(marked) - 1} more" if len(marked) > 1 else ""
            console.print(f"· {escape(marked[0])}{more}: {text}", style="yellow")


def _print_summary(summary: PrideSummary, console: Any) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("", "%", "95 % over tasks"):
        table.add_column(head, justify="right" if head else "left")
    named = {"success": summary.success, "PRIDE": summary.pride, "overestimation": summary.overestimation}
    for name, value in named.items():
        interval = "not known from one task"
        if value.low is not None and value.high is not None:
            interval = f"{100 * value.low:.1f} to {100 * value.high:.1f}"
        elif value.estimate != value.estimate:
            interval = "undefined: no success"
        table.add_row(name, f"{100 * value.estimate:.1f}", interval)
    console.print(table)
    sweep = ", ".join(f"{100 * point.estimate:.1f}" for _, point in summary.sweep)
    notes = [
        f"{_count(summary.n_rows, 'episode')}, {_count(summary.n_texts, 'instruction')}, "
        f"{_count(summary.n_tasks, 'task')}; mode {summary.mode}",
        f"PRIDE for alpha 0, 0.1, … 1: {sweep}",
    ]
    if summary.correlation is not None:
        notes.append(f"over {len(summary.cells)} cells, PD and success correlate with r = {summary.correlation:.3f}")
    if summary.repeated:
        notes.append(f"{summary.repeated} rows repeat a text of the same task and were averaged with it")
    if summary.identical:
        notes.append(f"{summary.identical} paraphrases equal their original; they weigh nothing")
    if summary.left_out:
        notes.append(f"{summary.left_out} rows are no instructions and were left out")
    for note in notes:
        console.print(f"· {note}", style="dim")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
