"""One row per episode: the columns, their order, and the exact way to and from JSON.

Column names are a contract: new ones may be added at the end, none is renamed. Times in ``*_s`` are seconds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal, get_args

from proctor.core import CostEntry, Event

Status = Literal["completed", "policy_error", "infra_error", "aborted"]
STATUSES: tuple[str, ...] = get_args(Status)

# Columns that say how and where an episode was run, not what happened in it: two runs of one spec may differ in these
# and in no others.
CIRCUMSTANCE = frozenset(
    {
        "wall_s",
        "policy_s",
        "env_s",
        "host",
        "started_at",
        "attempt",
        "video",
        "steps_file",
        "latencies_ms",
        "policy_notes",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What happened in one episode.

    ``success`` is null unless ``status`` is ``completed``: an error is not a failure. Costs, steps and events of an
    episode that ended in an error are those up to the error.

    ``latencies_ms`` (JSON list) has the time from each request to its answer, as the loop saw it. ``timing`` and
    ``execute`` are the spec's; ``waited_steps`` counts the control steps that passed while the policy was thinking.

    ``progress`` and ``intention`` are those of `proctor.core.Outcome`; ``faults`` (JSON list of kind, name and time_s)
    says what went wrong on the way, ``family`` which scene an instance was drawn from: episodes of other tracks share
    it. ``intention_eps_m`` is how near [m] to a target's surface the hand had to come.

    ``policy_notes`` (JSON object) is what the policy itself tells of the episode (`proctor.core.TellingPolicy`).
    """

    episode_id: str
    pair_id: str
    suite: str
    task: str
    level: str
    task_hash: str
    episode: int
    seed: int
    block: int
    policy: str
    policy_args: str
    policy_fingerprint: str
    privileged: bool
    instruction: str
    instruction_sent: str
    language: str
    vision: str
    success_rule: str
    compat: str
    max_steps: int
    status: Status
    error: str
    success: bool | None
    success_time_s: float | None
    steps: int
    sim_time_s: float
    wall_s: float
    policy_s: float
    env_s: float
    policy_calls: int
    cost_total: float
    costs: tuple[CostEntry, ...]
    first_violation_s: float | None
    events: tuple[Event, ...]
    actions_clipped: int
    trajectory_hash: str
    proctor_version: str
    mujoco_version: str
    renderer: str
    assets_version: str
    robot_version: str
    env: str
    host: str
    started_at: str
    video: str
    steps_file: str
    attempt: int
    vision_values: str = "{}"
    objects: str = "{}"
    spilled: int | None = None
    object_type: str = ""
    action_type: str = ""
    substitutions: str = "{}"
    latencies_ms: str = "[]"
    timing: str = "pause"
    execute: int = 0
    waited_steps: int = 0
    progress: float | None = None
    progress_final: float | None = None
    intention: float | None = None
    intention_first: float | None = None
    intention_paper: float | None = None
    faults: str = "[]"
    family: str = ""
    intention_eps_m: float | None = None
    policy_notes: str = "{}"

    def to_json(self) -> str:
        """Return the row as one line of JSON; floats keep every bit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        """Return the row with its nested parts as plain dictionaries."""
        row = {name: getattr(self, name) for name in COLUMNS}
        row["costs"] = [_plain(entry) for entry in self.costs]
        row["events"] = [_plain(event) for event in self.events]
        return row

    def result(self) -> dict[str, Any]:
        """Return what the spec alone decides: every column outside `CIRCUMSTANCE`."""
        return {name: value for name, value in self.to_dict().items() if name not in CIRCUMSTANCE}

    @classmethod
    def from_json(cls, text: str) -> Episode:
        """Read a row; raises `ValueError` that says which column is missing or wrong."""
        row = json.loads(text)
        if not isinstance(row, dict):
            raise ValueError("a row must be a JSON object")
        return cls.from_dict(row)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Episode:
        """Build a row from plain values, as `to_dict` makes them; a column younger than the row takes its default."""
        row = {**_DEFAULTS, **row}
        missing = [name for name in COLUMNS if name not in row]
        if missing:
            raise ValueError(f"column {missing[0]!r} is missing")
        if row["status"] not in STATUSES:
            raise ValueError(f"status {row['status']!r} is none of {', '.join(STATUSES)}")
        values = {name: row[name] for name in COLUMNS}
        for name in _FLOATS:
            if values[name] is not None:
                values[name] = float(values[name])
                if not math.isfinite(values[name]):
                    raise ValueError(f"column {name!r} is not a finite number")
        values["costs"] = tuple(CostEntry(**entry) for entry in row["costs"])
        values["events"] = tuple(Event(**event) for event in row["events"])
        return cls(**values)


def _plain(item: CostEntry | Event) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)}


COLUMNS: tuple[str, ...] = tuple(field.name for field in fields(Episode))
_FLOATS: tuple[str, ...] = tuple(field.name for field in fields(Episode) if "float" in str(field.type))
# Columns added since the first rows were written.
_DEFAULTS = {field.name: field.default for field in fields(Episode) if field.default is not MISSING}
