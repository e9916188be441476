"""``proctor failures``: whether failed episodes went the right way and slipped, or went elsewhere."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

import typer

if TYPE_CHECKING:
    from proctor.analysis.failures import PathClasses
    from proctor.results import Episode


class _Judged(TypedDict):
    """One episode with both its classes; a path class is ``unrecorded`` where no states were kept."""

    episode_id: str
    task: str
    language: str
    instruction_sent: str
    path_class: str
    distance_m: float | None
    object_class: str


def failures(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder, best made with --record-steps.")],
    threshold: Annotated[
        Literal["max", "p99", "p95", "p90"], typer.Option(help="Which distance of the successes is the limit.")
    ] = "max",
    mode: Annotated[
        Literal["corrected", "paper"], typer.Option(help="Leave each success out of its own mean, or do not.")
    ] = "corrected",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Classify failures by their path (near or far from the mean success) and by what was done to each object.

    Near means execution, far means planning (LIBERO-Para, Algorithm 1). The objects say it directly.
    """
    from proctor.analysis.failures import THRESHOLDS
    from proctor.core import ProctorError
    from proctor.report import path_classes
    from proctor.results import read_episodes

    rows = [row for row in read_episodes(run) if row.status == "completed"]
    if not rows:
        raise ProctorError(f"{run}: no completed episode")
    if any(row.kind == "plan" for row in rows):
        _plans(rows, as_json=as_json)
        return
    tasks = path_classes(run, rows, mode)
    judged = _judge(rows, tasks, threshold)
    ablation: dict[str, dict[str, int]] = {name: _totals(tasks, name) for name in THRESHOLDS}
    if as_json:
        limits = {task: found.thresholds for task, (_, found) in tasks.items()}
        body: dict[str, Any] = {"mode": mode, "threshold": threshold, "thresholds_m": limits, "ablation": ablation}
        body |= {"agreement": _agreement(judged), "rows": judged}
        typer.echo(json.dumps(body, allow_nan=False, ensure_ascii=False))
    else:
        _print(judged, ablation, threshold, mode)


def _plans(rows: Sequence[Episode], *, as_json: bool) -> None:
    """Say why plans fail: they have no path, and nothing was done to an object."""
    from proctor.report import PLAN_NOTE, plan_failure

    judged = [
        {"episode_id": row.episode_id, "task": row.spec.task, "class": plan_failure(row) or "success"}
        for row in rows
        if row.plan is not None
    ]
    if as_json:
        typer.echo(json.dumps({"rows": judged}, ensure_ascii=False))
        return
    counts = Counter(line["class"] for line in judged)
    typer.echo(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.most_common()))
    typer.echo(f"· {PLAN_NOTE}")


def _judge(
    rows: Sequence[Episode],
    tasks: dict[str, tuple[list[Episode], PathClasses]],
    threshold: Literal["max", "p99", "p95", "p90"],
) -> list[_Judged]:
    from proctor.report import object_class

    by_path: dict[str, tuple[str, float]] = {}
    for episodes, found in tasks.values():
        for row, kind, distance in zip(episodes, found.classes(threshold), found.distances.tolist(), strict=True):
            by_path[row.episode_id] = (kind, distance)
    judged: list[_Judged] = []
    for row in rows:
        name, distance = by_path.get(row.episode_id, ("success" if row.outcome.success else "unrecorded", float("nan")))
        judged.append(
            _Judged(
                episode_id=row.episode_id,
                task=row.spec.task,
                language=row.language.variant,
                instruction_sent=row.language.sent,
                path_class=name,
                distance_m=distance if distance == distance else None,
                object_class=object_class(row),
            )
        )
    return judged


def _totals(
    tasks: dict[str, tuple[list[Episode], PathClasses]], threshold: Literal["max", "p99", "p95", "p90"]
) -> dict[str, int]:
    total: Counter[str] = Counter()
    for _, found in tasks.values():
        total.update(found.counts(threshold))
    return {name: total[name] for name in ("success", "near", "far", "undefined")}


def _agreement(judged: Sequence[_Judged]) -> dict[str, dict[str, int]]:
    """Return a table of failures: level by objects, then class by path."""
    from proctor.analysis.failures import LEVEL

    table: dict[str, Counter[str]] = {"planning": Counter(), "execution": Counter()}
    for row in judged:
        level = LEVEL.get(row["object_class"])  # type: ignore[call-overload]
        if level is not None:
            table[level][row["path_class"]] += 1
    return {level: {name: counts[name] for name in ("near", "far", "undefined")} for level, counts in table.items()}


def _print(judged: Sequence[_Judged], ablation: dict[str, dict[str, int]], threshold: str, mode: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for row in judged:
        groups[row["task"]].update([row["path_class"]])
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("task", style="cyan", overflow="fold")
    heads = ("success", "near", "far", "undefined", "unrecorded")
    shown = [head for head in heads if head == "success" or any(counts[head] for counts in groups.values())]
    for head in shown:
        table.add_column(head, justify="right")
    for task, counts in groups.items():
        table.add_row(escape(task), *(str(counts[head]) for head in shown))
    console.print(table)
    objects = Counter(row["object_class"] for row in judged if row["object_class"] != "success")
    if objects:
        listed = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in objects.most_common())
        console.print(f"by objects: {listed}")
    if any(row["path_class"] in ("near", "far") for row in judged):
        parts = (f"{name} {c['near']} near, {c['far']} far" for name, c in ablation.items())
        console.print(f"by path, threshold {threshold} of the successes ({mode}): {'; '.join(parts)}", style="dim")
    if any(row["path_class"] == "unrecorded" for row in judged):
        console.print("· paths are known only of runs made with --record-steps", style="dim")
    if any(row["path_class"] == "undefined" for row in judged):
        console.print("· undefined: too few successes of that task to say how far is far", style="dim")
