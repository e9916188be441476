"""Rows of vla-eval: ``*_aggregate.json`` as ``vla-eval export`` writes it, or JSONL with one episode per line.

vla-eval counts an episode that raised an error as a failure; here its status is ``infra_error`` and it is left out
of success rates. Episodes have steps, not seconds: a time is steps times ``step_s``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ._trial import ImportFileError, TrialRow, Trials, load_json, make_row


def read_vla_eval(path: str | Path, *, step_s: float = 0.05) -> Trials:
    """Read an aggregate file, a JSONL file of episodes, or a folder that holds aggregate files."""
    source = Path(path)
    files = sorted(source.glob("*_aggregate.json")) if source.is_dir() else [source]
    if not files:
        raise ImportFileError(f"{source}: has no *_aggregate.json; run 'vla-eval export' there first")
    rows: list[TrialRow] = []
    for file in files:
        for where, task, entry in _entries(file):
            try:
                rows.append(_row(task, entry, step_s))
            except (KeyError, TypeError, ValueError) as error:
                raise ImportFileError(f"{where}: is not an episode of vla-eval: {error!r}") from None
    if not rows:
        raise ImportFileError(f"{source}: has no episodes")
    timed = all(row["duration_s"] > 0 for row in rows if row["status"] == "completed")
    return Trials(tuple(rows), timed, str(source))


def _entries(file: Path) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    if file.suffix == ".jsonl":
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ImportFileError(f"{file}: cannot be read: {error}") from None
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    entry = json.loads(line)
                except ValueError as error:
                    raise ImportFileError(f"{file}:{number}: is not JSON: {error}") from None
                if not isinstance(entry, dict):
                    raise ImportFileError(f"{file}:{number}: is not an episode of vla-eval: no JSON object")
                yield f"{file}:{number}", str(entry.get("task_name", entry.get("task", "all"))), entry
        return
    body = load_json(file)
    tasks = body.get("tasks") if isinstance(body, dict) else None
    if not isinstance(tasks, list):
        raise ImportFileError(f"{file}: has no tasks; it is no aggregate of vla-eval")
    for task in tasks:
        for number, entry in enumerate(task.get("episodes", ())):
            yield f"{file}: task {task.get('task')!r}, episode {number}", str(task.get("task", "all")), entry


def _row(task: str, entry: Mapping[str, Any], step_s: float) -> TrialRow:
    failed = entry.get("failure_reason") or entry.get("status") == "error"
    metrics = entry.get("metrics", entry)
    if failed:
        success = False
    elif "success" in metrics:
        success = float(metrics["success"]) >= 0.5
    else:
        success = {"success": True, "fail": False}[entry["status"]]
    steps = entry.get("steps")
    seconds = None if steps is None else float(steps) * step_s
    episode = str(entry["episode_id"])
    index = entry.get("task_idx", "")
    return make_row(
        f"{task} {index} {episode}".replace("  ", " "),
        success,
        time_s=seconds,
        duration_s=seconds,
        stratum=task,
        pair=f"episode {index} {episode}".replace("  ", " "),
        status="infra_error" if failed else "completed",
    )
