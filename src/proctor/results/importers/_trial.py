"""What every importer gives: one plain row per episode, its fields named as in `proctor.analysis.stats.EpisodeRow`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

from proctor.core import ProctorError

from .._episode import Episode

UNTIMED_S = 1.0
"""Stand-in for the duration of an episode whose file has no times; a success then counts at half of it."""


class ImportFileError(ProctorError):
    """A result file that cannot be read; the text names file, line and what to do."""


class TrialRow(TypedDict):
    """One episode; times in seconds since its start."""

    episode_id: str
    duration_s: float
    success_times_s: tuple[float, ...]
    lost_times_s: tuple[float, ...]
    ended: Literal["done", "timeout", "safety", "stopped"]
    n_items: int
    budget_s: float | None
    stratum: str
    policy: str
    pair: str
    block: str
    status: str


@dataclass(frozen=True, slots=True)
class Trials:
    """Rows of one file or folder. Without ``has_times`` only success counts: times in the rows are stand-ins.

    ``episodes`` are those of a run folder, one for each row; other sources have none.
    """

    rows: tuple[TrialRow, ...]
    has_times: bool
    source: str
    episodes: tuple[Episode, ...] = ()


def make_row(
    episode_id: str,
    success: bool,
    *,
    time_s: float | None,
    duration_s: float | None = None,
    stratum: str = "all",
    policy: str = "",
    pair: str = "",
    block: str = "",
    status: str = "completed",
) -> TrialRow:
    """Build the row of a one-operation episode; without times the stand-ins of `UNTIMED_S` are used."""
    if time_s is None and duration_s is None:
        duration, moment = UNTIMED_S, UNTIMED_S / 2
    else:
        moment = float(time_s if time_s is not None else duration_s or 0.0)
        duration = max(float(duration_s if duration_s is not None else moment), moment if success else 0.0)
    return TrialRow(
        episode_id=episode_id,
        duration_s=duration,
        success_times_s=(moment,) if success else (),
        lost_times_s=(),
        ended="done" if success else "timeout",
        n_items=1,
        budget_s=None,
        stratum=stratum,
        policy=policy,
        pair=pair,
        block=block,
        status=status,
    )


def load_json(path: Path) -> Any:
    """Read a JSON file; one line of error otherwise."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ImportFileError(f"{path}: cannot be read as JSON: {error}") from None
