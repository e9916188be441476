"""Rows for people and programs: CSV and JSON downloads, and the small scripts the pages read.

A page opened from disk may not fetch files, but it may load scripts. So the rows of each task are a script that hands
itself to report.js; the text is JSON in ASCII, and is only ever shown as text.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.results import costs_of

from ._load import Arm, Row
from ._summary import predicate_of
from ._timeline import merged_spans, timeline_of

_RESULTS = {"policy_error": 2, "infra_error": 3, "aborted": 4}
# A row's small timeline shows at most this many spans and marks; the episode's own page shows all.
_MAX_SPANS, _MAX_MARKS = 24, 12


def write_csv(rows: Iterable[Row], path: Path) -> None:
    """Write one line per episode under dotted names; lists and maps are JSON in their cells, null is an empty cell.

    A group that no row has is left out.
    """
    table = [{"arm": row.arm.label, **row.episode.flat()} for row in rows]
    columns = list(dict.fromkeys(name for values in table for name in values))
    absent = {name for values in table for name, value in values.items() if value is None and "." not in name}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [name for name in columns if name not in absent], extrasaction="ignore")
        writer.writeheader()
        for values in table:
            writer.writerow({name: _cell(value) for name, value in values.items() if value is not None})


def _cell(value: Any) -> Any:
    if not isinstance(value, (tuple, dict)):
        return value
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))


def write_json(rows: Iterable[Row], path: Path) -> None:
    """Write a list of objects, one line each, with the columns of the record and ``arm``."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, row in enumerate(rows):
            file.write(",\n" if number else "\n")
            file.write(json.dumps({"arm": row.arm.label, **row.episode.to_dict()}, separators=(",", ":")))
        file.write("\n]\n")


def write_script(path: Path, function: str, *values: Any) -> None:
    """Write a script that calls ``proctor.<function>`` with ``values``."""
    arguments = ",".join(json.dumps(value, separators=(",", ":"), ensure_ascii=True) for value in values)
    path.write_text(f"proctor.{function}({arguments});\n", encoding="ascii")


def index_of(arms: Sequence[Arm], tasks: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return what every page's script needs to name arms and tasks."""
    return {"arms": [arm.label for arm in arms], "policies": [arm.policy for arm in arms], "tasks": list(tasks)}


def shard_of(rows: Sequence[Row], page_of: Mapping[tuple[int, str], str]) -> dict[str, Any]:
    """Return the rows of one task in the compact form that report.js reads.

    ``page_of`` maps (arm, episode id) to the name of the episode's page, for those that have one.
    """
    instructions: dict[str, int] = {}
    told: dict[tuple[str, str, str], int] = {}
    packed = []
    for row in rows:
        episode = row.episode
        sent = instructions.setdefault(episode.language.sent, len(instructions))
        how = (episode.language.variant, episode.language.object_type, episode.language.action_type)
        result = int(bool(episode.outcome.success)) if episode.status == "completed" else _RESULTS[episode.status]
        packed.append(
            [
                episode.episode_id,
                row.arm.index,
                episode.spec.episode,
                str(episode.spec.seed),  # 64 bits do not fit a JavaScript number
                result,
                episode.outcome.steps,
                round(episode.outcome.sim_time_s, 3),
                costs_of(episode).total if costs_of(episode).entries else None,
                _rounded(costs_of(episode).first_violation_s),
                _rounded(episode.outcome.success_time_s),
                sent,
                page_of.get((row.arm.index, episode.episode_id), ""),
                int(bool(episode.files.video)),
                [
                    [entry.name, entry.cost, predicate_of(entry.name)]
                    for entry in costs_of(episode).entries
                    if entry.cost > 0
                ],
                *_small_timeline(row),
                episode.error[:200],
                told.setdefault(how, len(told)),
            ]
        )
    return {"instructions": list(instructions), "told": list(told), "rows": packed}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _small_timeline(row: Row) -> tuple[list[list[int]], list[list[Any]]]:
    """Return cost spans and marks of an episode in thousandths of its step limit's duration."""
    episode = row.episode
    timeline = timeline_of(episode)
    per_step_s = episode.outcome.sim_time_s / episode.outcome.steps if episode.outcome.steps else 0.0
    whole_s = max(per_step_s * episode.spec.max_steps, timeline.duration_s) or 1.0

    def place(time_s: float) -> int:
        return round(1000 * min(time_s / whole_s, 1.0))

    spans = [[place(start), place(end)] for start, end in merged_spans(timeline)[:_MAX_SPANS]]
    marks = [[place(mark.time_s), mark.kind] for lane in timeline.lanes for mark in lane.marks][:_MAX_MARKS]
    return spans, [*marks, [place(timeline.duration_s), "end"]]
