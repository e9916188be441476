"""What a report says of each episode: downloads, scripts that pages read, timeline, the command that repeats it.

A page opened from disk may not fetch files, but it may load scripts. So the rows of each task are a script that hands
itself to report.js; the text is JSON in ASCII, and is only ever shown as text.
"""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from proctor.results import Episode, costs_of

from ._load import ReportArm, Row
from ._summary import predicate_of

# An episode's events as lanes over simulated time: when each cost expression was true, and what else happened.

# Event kinds that bound a span in a cost lane, and one that marks it; every other kind is a mark on the first lane.
_ON, _OFF, _SPILL = "cost_on", "cost_off", "spill"
MARK_WORDS = {"success": "success", "subgoal": "sub-goal", "drop": "drop", "freeze": "freeze", "safety_stop": "stop"}


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Something at an instant."""

    time_s: float
    kind: str
    label: str


@dataclass(slots=True)
class Lane:
    """One row of a timeline: spans (start, end) in seconds during which it was true, and marks."""

    name: str
    kind: str
    spans: list[tuple[float, float]] = field(default_factory=list)
    marks: list[TimelineMark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lanes over [0, ``duration_s``]; the first is the task's progress, the others are cost expressions."""

    duration_s: float
    lanes: tuple[Lane, ...]


def timeline_of(episode: Episode) -> Timeline:
    """Arrange the events of ``episode``.

    A span without an end lasts to the episode's end. A terminal expression has no span: it gets a mark at the end; a
    counted one gets a mark each time.
    """
    duration = max([episode.outcome.sim_time_s, *(event.time_s for event in episode.outcome.events)])
    progress = Lane("progress", "progress")
    lanes = {entry.name: Lane(entry.name, entry.kind) for entry in costs_of(episode).entries}
    opened: dict[str, float] = {}
    for event in sorted(episode.outcome.events, key=lambda event: event.step):
        if event.kind == _ON:
            lanes.setdefault(event.name, Lane(event.name, "instantaneous"))
            opened.setdefault(event.name, event.time_s)
        elif event.kind == _OFF:
            start = opened.pop(event.name, None)
            if start is not None:
                lanes[event.name].spans.append((start, event.time_s))
        elif event.kind == _SPILL:
            lane = lanes.get(f"Spilled {event.name}", progress)
            lane.marks.append(TimelineMark(event.time_s, _SPILL, f"{event.value:g} spilled from {event.name}"))
        else:
            word = MARK_WORDS.get(event.kind, event.kind.replace("_", " "))
            progress.marks.append(TimelineMark(event.time_s, event.kind, f"{word} {event.name}".strip()))
    if episode.outcome.success_time_s is not None and not any(mark.kind == "success" for mark in progress.marks):
        progress.marks.append(TimelineMark(episode.outcome.success_time_s, "success", "success"))
    for name, start in opened.items():
        if lanes[name].kind == "instantaneous":
            lanes[name].spans.append((start, duration))
    for entry in costs_of(episode).entries:
        if entry.kind == "terminal" and entry.cost > 0:
            lanes[entry.name].marks.append(TimelineMark(duration, "terminal", "true at the end"))
    return Timeline(duration, (progress, *lanes.values()))


def merged_spans(timeline: Timeline) -> list[tuple[float, float]]:
    """Return the union of all cost spans, in order: when any cost expression was true."""
    union: list[tuple[float, float]] = []
    for start, end in sorted(span for lane in timeline.lanes[1:] for span in lane.spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(end, union[-1][1]))
        else:
            union.append((start, end))
    return union


# The command that runs one episode again.

W_LEVELS = ("W1", "W2", "W3", "W4")
_DEFAULT_ENV = "proctor.sim:SimEnv"


def command_for(row: Row) -> str | None:
    """Return a command whose last episode is ``row``'s, or None where ``run.json`` does not say enough.

    An episode's seed follows from the run's seed, the task and the episode's number, so the command names the task and
    runs it up to that number.
    """
    episode = row.episode
    plan: dict[str, Any] = row.run.description.get("plan", {})
    seed = plan.get("seed")
    if seed is None:
        return None
    arguments: dict[str, Any] = row.run.description.get("arguments", {})
    if "policy" in arguments and arguments["policy"] is None:
        # An object of a program that has ended.
        return None
    address, name = episode.policy.address, episode.policy.name
    words = ["proctor", "run", _selector(plan, episode.spec.task), "--policy", address or name]
    words += ["--name", name] if address else []
    for name, value in plan.get("policy_args", {}).items():
        words += ["--policy-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    if episode.language.variant == "paraphrase":
        if not arguments.get("paraphrases"):
            return None
        words += ["--paraphrases", str(arguments["paraphrases"]), "--limit", str(episode.spec.episode + 1)]
    words += ["--episodes", str(episode.spec.episode + 1), "--seed", str(seed)]
    for flag, given, default in (
        ("--success", episode.spec.success_rule, "hold"),
        ("--compat", episode.spec.compat, "corrected"),
        ("--vision", episode.vision.level, "V0"),
        ("--language" if episode.language.variant in W_LEVELS else "--instruction", episode.language.variant, "W0"),
    ):
        if given not in (default, "paraphrase"):
            words += [flag, given]
    if arguments.get("substitutes", "auto") != "auto":
        words += ["--substitutes", str(arguments["substitutes"])]
    words += _run_flags(arguments)
    words += ["--video", "all", "--out", f"runs/{episode.episode_id}"]
    return shlex.join(words)


def _run_flags(arguments: dict[str, Any]) -> list[str]:
    """Return the flags of the run, other than those above, that can change what happens in an episode."""
    words = []
    if arguments.get("max_steps"):
        words += ["--max-steps", str(arguments["max_steps"])]
    if arguments.get("clip_actions"):
        words += ["--clip-actions"]
    if arguments.get("env", _DEFAULT_ENV) != _DEFAULT_ENV:
        words += ["--env", str(arguments["env"])]
    for name, value in (arguments.get("env_args") or {}).items():
        words += ["--env-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return words


def _selector(plan: dict[str, Any], task: str) -> str:
    """Name the task: by its id if it is built in, by its file if it came from disk."""
    for entry in plan.get("tasks", []):
        if entry.get("task") == task and "/suites/" not in entry.get("path", "/suites/"):
            return str(entry["path"])
    return task


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


def index_of(arms: Sequence[ReportArm], tasks: Sequence[Mapping[str, str]]) -> dict[str, Any]:
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
