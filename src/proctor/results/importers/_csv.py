"""Rows of a CSV file, one line per episode, with a mapping from our names to its columns.

Known names: policy, task, success, time, duration, episode, pair, block, status, items, budget, ended, success_times
and lost_times (several times in one cell, separated by semicolons). Usual column names are found without a mapping.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, cast

from proctor.core import did_you_mean

from ._trial import ImportFileError, TrialRow, Trials, make_row

USUAL: dict[str, tuple[str, ...]] = {
    "policy": ("policy", "model", "method", "arm"),
    "task": ("task", "object", "stratum", "task_name", "eval.object"),
    "success": ("success", "succeeded", "is_success", "eval.success"),
    "time": ("time_s", "time", "success_time_s", "time_to_success"),
    "duration": ("duration_s", "duration", "eval.duration", "elapsed_sec"),
    "episode": ("episode_id", "episode", "id", "trial"),
    "pair": ("pair_id", "pair", "scene", "seed"),
    "block": ("block", "session"),
    "status": ("status",),
    "items": ("n_items", "items", "eval.total_items"),
    "budget": ("budget_s", "budget"),
    "ended": ("ended", "outcome", "eval.outcome"),
    "success_times": ("success_times_s", "success_times"),
    "lost_times": ("lost_times_s", "lost_times"),
}
TRUE = {"1", "1.0", "true", "yes", "y", "success"}
FALSE = {"0", "0.0", "false", "no", "n", "fail", "failure"}
_ENDINGS = {
    "done": "done",
    "success": "done",
    "timeout": "timeout",
    "ran out of time": "timeout",
    "ran_out_of_time": "timeout",
    "fail": "stopped",
    "stalled": "stopped",
    "stopped": "stopped",
    "safety": "safety",
}


def read_csv(path: str | Path, columns: Mapping[str, str] | None = None) -> Trials:
    """Read a CSV file; ``columns`` maps our names to the file's, for those with unusual names."""
    file = Path(path)
    try:
        with file.open(newline="", encoding="utf-8-sig") as handle:
            reader = csv.DictReader(handle)
            header = list(reader.fieldnames or ())
            place = _places(file, header, columns or {})
            rows = [_row(file, number, line, place) for number, line in enumerate(reader, start=2)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ImportFileError(f"{file}: cannot be read as CSV: {error}") from None
    if not rows:
        raise ImportFileError(f"{file}: has no rows")
    timed = any(name in place for name in ("time", "duration", "success_times"))
    return Trials(tuple(rows), timed, str(file))


def _places(file: Path, header: list[str], asked: Mapping[str, str]) -> dict[str, str]:
    place: dict[str, str] = {}
    for name, column in asked.items():
        if name not in USUAL:
            raise ImportFileError(
                f"--columns: {name!r} is no field{did_you_mean(name, USUAL)}; know {', '.join(USUAL)}"
            )
        if column not in header:
            raise ImportFileError(f"{file}: has no column {column!r}{did_you_mean(column, header)}")
        place[name] = column
    for name, usual in USUAL.items():
        found = next((column for column in usual if column in header), None)
        if name not in place and found is not None and found not in place.values():
            place[name] = found
    if "success" not in place and "success_times" not in place:
        columns = ", ".join(header) or "none"
        raise ImportFileError(f"{file}: no column says success; name it with --columns success=COLUMN (has {columns})")
    return place


def _row(file: Path, number: int, line: Mapping[str, str | None], place: Mapping[str, str]) -> TrialRow:
    def text(name: str) -> str:
        return (line.get(place[name]) or "").strip() if name in place else ""

    def number_of(name: str, value: str) -> float:
        try:
            parsed = float(value)
        except ValueError:
            parsed = math.nan
        if not math.isfinite(parsed):
            raise ImportFileError(f"{file}:{number}: {place[name]} is {value!r}, not a finite number")
        return parsed

    def maybe(name: str) -> float | None:
        return number_of(name, text(name)) if text(name) else None

    if None in line:
        raise ImportFileError(f"{file}:{number}: has more cells than the header")
    common = {
        "stratum": text("task") or "all",
        "policy": text("policy"),
        "pair": text("pair"),
        "block": text("block"),
        "status": text("status") or "completed",
    }
    name = text("episode") or f"line {number}"
    if "success_times" not in place:
        flag = text("success").casefold()
        if flag not in TRUE | FALSE:
            if common["status"] == "completed":
                raise ImportFileError(f"{file}:{number}: success is {flag!r}, not 0 or 1")
            flag = "0"
        return make_row(name, flag in TRUE, time_s=maybe("time"), duration_s=maybe("duration"), **common)
    done = tuple(number_of("success_times", cell) for cell in text("success_times").split(";") if cell.strip())
    lost = tuple(number_of("lost_times", cell) for cell in text("lost_times").split(";") if cell.strip())
    items = int(maybe("items") or max(1, len(done) + len(lost)))
    duration = maybe("duration")
    if duration is None:
        raise ImportFileError(f"{file}:{number}: an episode of several items needs its duration")
    ending = _ENDINGS.get((text("ended") or ("done" if len(done) + len(lost) >= items else "timeout")).casefold())
    if ending is None:
        raise ImportFileError(f"{file}:{number}: ended is {text('ended')!r}; know {', '.join(_ENDINGS)}")
    return TrialRow(
        episode_id=name,
        duration_s=duration,
        success_times_s=done,
        lost_times_s=lost,
        ended=cast(Literal["done", "timeout", "safety", "stopped"], ending),
        n_items=items,
        budget_s=maybe("budget"),
        stratum=common["stratum"],
        policy=common["policy"],
        pair=common["pair"],
        block=common["block"],
        status=common["status"],
    )
