"""What a report is about: runs read from disk, and the arms that are compared in it."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from proctor.core import ProctorError
from proctor.results import Episode, read_episodes, read_run

_LOG = logging.getLogger(__name__)

# What must be equal for two rows to be comparable, with the words a reader knows it by.
CONDITIONS = {
    "provenance.proctor": "Proctor",
    "provenance.mujoco": "MuJoCo",
    "provenance.renderer": "renderer",
    "provenance.robot": "robot model",
    "provenance.env": "environment",
    "spec.success_rule": "success rule",
    "spec.compat": "definitions",
    "spec.max_steps": "step limit",
    "spec.timing": "timing",
    "spec.execute": "actions executed of a chunk (0: all)",
}


class ReportError(ProctorError):
    """A report that cannot be made from what was given."""


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run folder that was read: its ``run.json`` and its rows."""

    path: Path
    description: dict[str, Any]
    episodes: tuple[Episode, ...]


COLOURS = 8


def colour_class(index: int) -> str:
    """Return the class that gives a policy its colour in report.css, by its place in the report."""
    return f"a{index % COLOURS}"


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a comparison: the episodes of one policy under one set of conditions, from one or several runs.

    ``policy`` names the policy as far as it takes to tell it from others, the same for all arms of it. ``runs`` has the
    run of each episode, by its id.
    """

    index: int
    label: str
    policy: str
    privileged: bool
    runs: Mapping[str, ReadRun]
    episodes: tuple[Episode, ...]

    @property
    def folders(self) -> list[ReadRun]:
        return list({id(run): run for run in self.runs.values()}.values())

    @property
    def colour(self) -> str:
        return colour_class(self.index)


@dataclass(frozen=True, slots=True)
class Row:
    """An episode and the arm it belongs to."""

    arm: Arm
    episode: Episode

    @property
    def run(self) -> ReadRun:
        return self.arm.runs[self.episode.episode_id]


def read_runs(paths: Sequence[str | Path]) -> list[ReadRun]:
    """Read the run folders; raises `ReportError` when one is given twice or there is no episode in any."""
    seen: set[Path] = set()
    runs = []
    for path in map(Path, paths):
        if path.resolve() in seen:
            raise ReportError(f"{path} is given twice: name each run folder once")
        seen.add(path.resolve())
        runs.append(ReadRun(path, read_run(path), tuple(read_episodes(path))))
        _LOG.info("%s: %d rows", path, len(runs[-1].episodes))
    if not any(run.episodes for run in runs):
        raise ReportError(f"no episode on record in {', '.join(map(str, paths))}: let 'proctor run' finish one first")
    return runs


@dataclass(frozen=True, slots=True)
class _Side:
    """What will be an arm: a policy by name, arguments and fingerprint, its conditions, and its rows by id."""

    policy: tuple[str, str, str]
    conditions: frozenset[tuple[str, ...]]
    rows: dict[str, tuple[ReadRun, Episode]]

    @property
    def folder(self) -> str:
        runs = list(dict.fromkeys(run.path.resolve().name for run, _ in self.rows.values()))
        return runs[0] + (f" and {len(runs) - 1} more" if len(runs) > 1 else "")

    def takes(self, other: _Side) -> bool:
        """Add another's rows if it is the same policy under the same conditions, and they do not contradict these."""
        if not self.policy[2] or (self.policy, self.conditions) != (other.policy, other.conditions):
            return False
        both = [(self.rows[one][1], row) for one, (_, row) in other.rows.items() if one in self.rows]
        if any(mine.status == row.status == "completed" and mine.outcome != row.outcome for mine, row in both):
            return False
        kept = {one for one, (_, row) in self.rows.items() if row.status == "completed"}
        self.rows.update({one: found for one, found in other.rows.items() if one not in kept})
        return True


def arms_of(runs: Iterable[ReadRun]) -> list[Arm]:
    """Return the arms in the order given.

    A policy is known by its name, its arguments and its fingerprint, wherever it was served and in however many
    commands it was examined: its runs under the same conditions (pictures, words, timing, rules) are one arm. Runs
    that give one episode different results, and those of a policy without a fingerprint, stay apart.

    The label is the policy's name, with its arguments, its fingerprint and its run's folder added as far as they are
    needed to tell two arms apart.
    """
    sides: list[_Side] = []
    for run in runs:
        for side in _sides_of(run):
            if not any(known.takes(side) for known in sides):
                sides.append(side)
    policies = _told_apart([_spellings(side.policy) for side in sides], numbered=False)
    labels = _told_apart([[*_spellings(side.policy), side.folder] for side in sides], numbered=True)
    return [
        Arm(
            index,
            label,
            policy,
            any(episode.policy.privileged for _, episode in side.rows.values()),
            {one: run for one, (run, _) in side.rows.items()},
            tuple(episode for _, episode in side.rows.values()),
        )
        for index, (label, policy, side) in enumerate(zip(labels, policies, sides, strict=True))
    ]


def _sides_of(run: ReadRun) -> list[_Side]:
    groups: dict[tuple[str, str], dict[str, list[Episode]]] = {}
    for row in run.episodes:
        arguments = {name: value for name, value in row.policy.arguments.items() if name not in _CONNECTION}
        key = (row.policy.name, json.dumps(arguments, sort_keys=True) if arguments else "")
        groups.setdefault(key, {}).setdefault(row.policy.fingerprint, []).append(row)
    sides = []
    for key, prints in groups.items():
        # An episode that was over before the policy said who it is belongs to the others.
        unsaid = prints.pop("", []) if len(prints) > 1 else []
        for number, (fingerprint, rows) in enumerate(prints.items()):
            mine = [*rows, *unsaid] if number == 0 else rows
            conditions = frozenset(tuple(str(get(row)) for get in _CONDITIONS) for row in mine)
            sides.append(_Side((*key, fingerprint), conditions, {row.episode_id: (run, row) for row in mine}))
    return sides


# Arguments that say how a policy is reached, not what it does.
_CONNECTION = ("token", "timeout")
_CONDITIONS = tuple(
    attrgetter(name)
    for name in (
        "kind",
        "vision.level",
        "language.variant",
        "spec.timing",
        "spec.execute",
        "spec.success_rule",
        "spec.compat",
    )
)


def _spellings(policy: tuple[str, str, str]) -> list[str]:
    """Return what may be said of a policy, the most telling first."""
    name, arguments, fingerprint = policy
    return [name, arguments, fingerprint and f"({fingerprint[:20]})"]


def _told_apart(parts: Sequence[Sequence[str]], *, numbered: bool) -> list[str]:
    """Join of the parts of each those that tell it from others; then numbers, if asked for."""
    labels = [first for first, *_ in parts]
    for depth in range(2, len(parts[0]) + 1 if parts else 0):
        meant: dict[str, set[str]] = {}
        for label, these in zip(labels, parts, strict=True):
            meant.setdefault(label, set()).add(these[depth - 1])
        joint = " · " if numbered and depth == len(parts[0]) else " "
        labels = [
            f"{label}{joint}{these[depth - 1]}" if len(meant[label]) > 1 and these[depth - 1] else label
            for label, these in zip(labels, parts, strict=True)
        ]
    count = Counter(labels)
    return [f"{label} · {index + 1}" if numbered and count[label] > 1 else label for index, label in enumerate(labels)]


def conditions_of(episodes: Iterable[Episode]) -> dict[str, Counter[str]]:
    """Count the values of each column that decides whether rows are comparable."""
    counts: dict[str, Counter[str]] = {column: Counter() for column in CONDITIONS}
    for episode in episodes:
        for column, counter in counts.items():
            counter[str(attrgetter(column)(episode))] += 1
    return counts


def abbreviated(value: str) -> str:
    """Return the first 12 digits of a long hash; anything else as it is."""
    return f"{value[:12]}…" if re.fullmatch(r"[0-9a-f]{24,}", value) else value


_LACKS = {
    "station": "Trials at the station have neither costs nor a trajectory hash; their times are by the clock.",
    "plan": "Questions for a plan have no costs, no steps and no time to success.",
}


def cautions(arms: Sequence[Arm]) -> list[str]:
    """Say in one line each what a reader must know before comparing the arms.

    The step limit belongs to a task, so it is compared task by task; every other condition over all rows.
    """
    lines = []
    episodes = [episode for arm in arms for episode in arm.episodes]
    kinds = sorted({episode.kind for episode in episodes})
    if len(kinds) > 1:
        lines.append(f"Rows of different kinds: {', '.join(kinds)}. Their success means different things.")
    for column, counter in conditions_of(episodes).items():
        if column != "spec.max_steps" and len(counter) > 1:
            values = ", ".join(f"{abbreviated(value) or 'none'} ({n:,})" for value, n in counter.most_common())
            lines.append(f"Rows differ in {CONDITIONS[column]}: {values}. Their numbers are not strictly comparable.")
    by_task = {
        "provenance.task_hash": "the task file",
        "spec.max_steps": "the step limit",
        "provenance.assets": "the things in the scene",
    }
    for column, what in by_task.items():
        values_of: dict[tuple[str, ...], set[Any]] = {}
        for episode in episodes:
            spec, value = episode.spec, attrgetter(column)(episode)
            # A generated task has a text and a limit of its own in every episode.
            drawn = (spec.family,) if spec.family else ()
            # The seed chooses the instances; what never began has none.
            shown = (str(spec.seed),) if column == "provenance.assets" else ()
            if shown and not value:
                continue
            values_of.setdefault((spec.suite, spec.level, spec.task, *drawn, *shown), set()).add(value)
        changed = sorted({key[:3] for key, values in values_of.items() if len(values) > 1})
        if changed:
            lines.append(f"Rows of {len(changed)} tasks differ in {what}, first {'/'.join(changed[0])}.")
    layouts = [
        {(episode.spec.suite, episode.spec.level, episode.spec.task, episode.spec.seed) for episode in arm.episodes}
        for arm in arms
    ]
    if any(seeds != layouts[0] for seeds in layouts):
        lines.append("The policies were not examined on the same tasks and seeds.")
    lines += [text for kind, text in _LACKS.items() if kind in kinds]
    lines += _pictures(arms)
    privileged = sorted({arm.label for arm in arms if arm.privileged})
    if privileged and len(privileged) < len(arms):
        lines.append(f"Privileged, that is, told the simulator's state: {', '.join(privileged)}.")
    return lines


def _pictures(arms: Sequence[Arm]) -> list[str]:
    """Say which visual level each arm saw, unless all saw the plain pictures of V0."""
    arms_at: dict[str, list[str]] = {}
    for arm in arms:
        levels = sorted({episode.vision.level for episode in arm.episodes})
        arms_at.setdefault(", ".join(levels), []).append(arm.label)
    if set(arms_at) <= {"V0"}:
        return []
    if len(arms_at) == 1:
        return [f"Pictures of visual level {next(iter(arms_at))}."]
    shown = "; ".join(f"{level} for {', '.join(labels)}" for level, labels in sorted(arms_at.items()))
    return [f"Visual levels differ: {shown}."]
