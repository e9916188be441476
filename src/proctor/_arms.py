"""Files of results as the arms of a comparison: rows by policy, and what was left out of them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.analysis.stats import EpisodeRow, Operations, OpsRule, operations
from proctor.core import ProctorError
from proctor.results import Episode
from proctor.results.importers import TrialRow, Trials, read_trials


@dataclass(frozen=True, slots=True)
class LoadedArms:
    """Arms by name, with what was left out of them; ``episodes`` of those that came from run folders."""

    arms: dict[str, Operations]
    errors: dict[str, int]
    has_times: bool
    rule: OpsRule
    episodes: dict[str, list[Episode]]


def load_arms(
    sources: Sequence[str | os.PathLike[str]],
    *,
    columns: str | None = None,
    step_s: float = 0.05,
    rule: OpsRule | None = None,
) -> LoadedArms:
    """Read every source and split its rows by policy. A name that occurs in two sources gets the source's name."""
    mapping = parse_columns(columns)
    groups: dict[str, list[TrialRow]] = {}
    episodes: dict[str, list[Episode]] = {}
    timed = True
    for source in [os.fspath(source) for source in sources]:
        trials = read_trials(source, columns=mapping, step_s=step_s)
        timed = timed and trials.has_times
        for name, rows in _by_policy(source, trials).items():
            label = name
            if label in groups:
                label = f"{name} ({_short(source)})"
            if label in groups:
                raise ProctorError(f"{source} is named twice: a run cannot be compared with itself")
            groups[label] = rows
            if trials.episodes:
                episodes[label] = [one for one in trials.episodes if (one.policy.name or _short(source)) == name]
    chosen = rule or OpsRule()
    arms, errors = {}, {}
    for label, rows in groups.items():
        arms[label] = operations([EpisodeRow(**row) for row in rows], chosen)
        errors[label] = sum(row["status"] != "completed" for row in rows)
    return LoadedArms(arms, errors, timed, chosen, episodes)


def parse_columns(text: str | None) -> dict[str, str]:
    """Read ``name=column,name=column``."""
    mapping = {}
    for part in (text or "").split(",") if text else ():
        name, sign, column = part.partition("=")
        if not sign or not name.strip() or not column.strip():
            raise ProctorError(f"--columns: {part!r} is not name=column")
        mapping[name.strip()] = column.strip()
    return mapping


def _by_policy(source: str, trials: Trials) -> Mapping[str, list[TrialRow]]:
    rows: dict[str, list[TrialRow]] = defaultdict(list)
    for row in trials.rows:
        rows[row["policy"] or _short(source)].append(row)
    return rows


def _short(source: str) -> str:
    path = Path(source)
    return path.parent.name if path.name == "eval_info.json" and path.parent.name else path.stem or source
