"""What a report is about: runs read from disk, and the arms that are compared in it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from proctor.core import ProctorError
from proctor.results import Episode, read_episodes, read_run

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
class Run:
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
    """One side of a comparison: the episodes of one policy, with its arguments, in one run."""

    index: int
    label: str
    policy: str
    policy_args: str
    privileged: bool
    run: Run
    episodes: tuple[Episode, ...]

    @property
    def colour(self) -> str:
        """The class of its colour."""
        return colour_class(self.index)


@dataclass(frozen=True, slots=True)
class Row:
    """An episode and the arm it belongs to."""

    arm: Arm
    episode: Episode


def read_runs(paths: Sequence[str | Path]) -> list[Run]:
    """Read the run folders; raises `ReportError` when one is given twice or there is no episode in any."""
    seen: set[Path] = set()
    runs = []
    for path in map(Path, paths):
        if path.resolve() in seen:
            raise ReportError(f"{path} is given twice: name each run folder once")
        seen.add(path.resolve())
        runs.append(Run(path, read_run(path), tuple(read_episodes(path))))
    if not any(run.episodes for run in runs):
        raise ReportError(f"no episode on record in {', '.join(map(str, paths))}: let 'proctor run' finish one first")
    return runs


def arms_of(runs: Iterable[Run]) -> list[Arm]:
    """Return one arm per run and policy, in the order given.

    The label is the policy's name, with its arguments and its run's folder added as far as they are needed to tell
    two arms apart.
    """
    found: list[tuple[Run, str, str, list[Episode]]] = []
    for run in runs:
        groups: dict[tuple[str, str], list[Episode]] = {}
        for episode in run.episodes:
            groups.setdefault(
                (episode.policy.name, json.dumps(dict(episode.policy.arguments), sort_keys=True)), []
            ).append(episode)
        found.extend((run, policy, args, episodes) for (policy, args), episodes in groups.items())
    labels = _labels([(policy, args, _folder_name(run.path)) for run, policy, args, _ in found])
    return [
        Arm(index, label, policy, args, any(episode.policy.privileged for episode in episodes), run, tuple(episodes))
        for index, (label, (run, policy, args, episodes)) in enumerate(zip(labels, found, strict=True))
    ]


def _folder_name(path: Path) -> str:
    return path.resolve().name


def _labels(keys: Sequence[tuple[str, str, str]]) -> list[str]:
    def spelled(key: tuple[str, str, str], depth: int) -> str:
        policy, args, folder = key
        shown_args = "" if args in {"", "{}"} else f" {args}"
        return [policy, policy + shown_args, f"{policy}{shown_args} · {folder}"][depth]

    labels = [spelled(key, 0) for key in keys]
    for depth in (1, 2):
        count = Counter(labels)
        labels = [spelled(key, depth) if count[label] > 1 else label for key, label in zip(keys, labels, strict=True)]
    count = Counter(labels)
    return [f"{label} · {index + 1}" if count[label] > 1 else label for index, label in enumerate(labels)]


def policy_of(arm: Arm) -> str:
    """Name the arm's policy with its arguments, the same for all runs of it."""
    return arm.policy if arm.policy_args in {"", "{}"} else f"{arm.policy} {arm.policy_args}"


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
