"""Rows of LeRobot's ``eval_info.json``: success only, no times.

Up to 0.3 the file has ``per_episode`` with a seed each; since 0.4 it has ``per_task``, each with a list of successes.
A seed makes a pair. Without seeds the n-th episode of a task may be another layout in another run: nothing is paired.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._trial import ImportFileError, TrialRow, Trials, load_json, make_row


def read_lerobot(path: str | Path) -> Trials:
    """Read an ``eval_info.json``; the policy's name is left empty, for the file does not hold it."""
    file = Path(path)
    info = load_json(file)
    if not isinstance(info, dict) or not ({"per_task", "per_episode"} & info.keys()):
        raise ImportFileError(f"{file}: has neither per_task nor per_episode; it is no eval_info.json of LeRobot")
    rows: list[TrialRow] = []
    try:
        if "per_episode" in info:
            rows += [
                _episode("all", i, entry["success"], entry.get("seed")) for i, entry in enumerate(info["per_episode"])
            ]
        else:
            for entry in info["per_task"]:
                task = f"{entry['task_group']}/{entry['task_id']}"
                rows += [_episode(task, i, value, None) for i, value in enumerate(entry["metrics"]["successes"])]
    except (KeyError, TypeError) as error:
        raise ImportFileError(f"{file}: an entry lacks {error}; it is not as LeRobot writes it") from None
    if not rows:
        raise ImportFileError(f"{file}: has no episodes")
    return Trials(tuple(rows), False, str(file))


def _episode(task: str, number: int, success: Any, seed: Any) -> TrialRow:
    pair = "" if seed is None else f"seed {seed}"
    return make_row(f"{task} {number}", bool(success), time_s=None, stratum=task, pair=pair)
