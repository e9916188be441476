"""From attempts to the rows that every statistic and report knows.

Every attempt that was started gives a row, whatever became of it; one without a single success is a row like any
other (leaving such episodes out flattered the slowest policies of PhAIL once). Meaning of the columns here::

    task, level      the scene's name and difficulty; ``pair_id`` is one block: every policy once on one scene
    policy           the arm's label; what it ran is in ``policy_args`` (``kind`` "human" for the reference cohort)
    status           completed | policy_error | infra_error (label system, interrupted) | aborted (declared invalid)
    sim_time_s       seconds from start to stop by the wall clock, ``success_time_s`` likewise
    robot_version    the unit in which policies spoke to the arm, and the SHA-256 of its calibration
    events           items (how many), operation, drop, lost, success, safety_stop, gate_override, fault, edited, label

Before the reveal ``policy`` is "blinded" and nothing else depends on the arm either.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proctor import __version__
from proctor.core import Event
from proctor.results import Episode, Status

from ._progress import Attempt, Progress, Rules
from ._schedule import ArmPolicy

SUITE = "replica"
BLINDED = ArmPolicy("blinded", "")
DEFAULT_CONTROL_HZ = 30.0
_KINDS = {"placed": "operation", "dropped": "drop", "lost": "lost"}


def make_row(
    session: str, rules: Rules, attempt: Attempt, arm: ArmPolicy, private: Mapping[str, Any], videos: Sequence[str]
) -> Episode:
    """Return the row of one attempt; ``private`` is what the runner measured of the policy."""
    assert attempt.stop is not None
    assert attempt.started_s is not None
    trial, scene = rules.trials[attempt.trial], rules.scene(attempt.trial)
    stop, outcome = {**attempt.stop, **private}, attempt.outcome or {}
    hz = float(attempt.station.get("control_hz", DEFAULT_CONTROL_HZ))
    status = status_of(attempt)
    success = outcome.get("label") == "success" if status == "completed" else None
    elapsed = float(stop["elapsed_s"])
    human = arm.kind == "human"
    args = {} if arm is BLINDED else {"policy": arm.policy, **arm.args, **({"kind": "human"} if human else {})}
    return Episode(
        episode_id=_digest(session, attempt.trial),
        pair_id=_digest(session, "block", str(trial.block)),
        suite=SUITE,
        task=scene.name,
        level=scene.level,
        task_hash=_digest(json.dumps([scene.name, scene.instruction, scene.criterion, scene.items])),
        episode=trial.round,
        seed=0,
        block=trial.block,
        policy=arm.label,
        policy_args=json.dumps(args, sort_keys=True),
        policy_fingerprint=str(stop.get("fingerprint", "")),
        privileged=human,
        instruction=scene.instruction,
        instruction_sent=scene.instruction,
        language="W0",
        vision="V0",
        success_rule="operator",
        compat="corrected",
        max_steps=round(rules.cap(attempt.trial) * hz),
        status=status,
        error=_error(attempt, stop) if status != "completed" else "",
        success=success,
        success_time_s=outcome["time_s"] if success else None,
        steps=int(stop.get("steps", round(elapsed * hz))),
        sim_time_s=elapsed,
        wall_s=elapsed,
        policy_s=float(stop.get("policy_s", 0.0)),
        env_s=0.0,
        policy_calls=int(stop.get("policy_calls", 0)),
        cost_total=0.0,
        costs=(),
        first_violation_s=None,
        events=_events(attempt, stop, scene.items, hz, bool(success)),
        actions_clipped=int(stop.get("actions_clipped", 0)),
        trajectory_hash="",
        proctor_version=__version__,
        mujoco_version="",
        renderer="",
        assets_version="",
        robot_version=":".join(str(attempt.station[key]) for key in ("unit", "calibration") if key in attempt.station),
        env=f"lab:{attempt.station.get('name', '')}",
        host=str(attempt.station.get("name", "")),
        started_at=datetime.fromtimestamp(attempt.started_s, UTC).isoformat(timespec="seconds"),
        video=videos[0] if videos else "",
        steps_file="",
        attempt=attempt.attempt,
        latencies_ms=json.dumps(stop.get("latencies_ms", [])),
        timing="charge:measured",
    )


def status_of(attempt: Attempt) -> Status:
    """Return how an attempt ended: an outcome only if bench and policy worked and nobody declared it invalid."""
    if attempt.invalid:
        return "aborted"
    if attempt.outcome is None or attempt.outcome["label"] == "system":
        return "infra_error"
    assert attempt.stop is not None
    return "policy_error" if attempt.stop["reason"] == "policy_error" else "completed"


def started(progress: Progress) -> list[Attempt]:
    """Return every attempt whose arm has moved and which is over."""
    return [attempt for attempt in progress.attempts if attempt.stop is not None]


def videos_of(folder: Path, attempt: Attempt, start: Path) -> list[str]:
    """Return the videos of an attempt, the top camera's first, as paths relative to ``start``."""
    found = sorted((folder / "trials" / attempt.id).glob("*.mp4"), key=lambda path: (path.name != "top.mp4", path.name))
    return [os.path.relpath(path, start) for path in found]


def _error(attempt: Attempt, stop: Mapping[str, Any]) -> str:
    if attempt.invalid:
        return f"declared invalid: {attempt.invalid}"
    return str(stop.get("error") or f"ended by {stop['reason']}")


def _events(attempt: Attempt, stop: Mapping[str, Any], items: int, hz: float, success: bool) -> tuple[Event, ...]:
    elapsed, outcome = float(stop["elapsed_s"]), attempt.outcome or {}
    found: list[tuple[float, str, str, float]] = [(0.0, "items", "", float(items))]
    if attempt.override:
        found.append((0.0, "gate_override", attempt.override, 0.0))
    for kind, name in _KINDS.items():
        times = sorted(mark.time_s for mark in attempt.marks if mark.kind == kind)
        count = int(outcome.get(kind, len(times)))
        at_end = outcome["time_s"] if success else elapsed
        # The operator's count decides; a moment that nobody marked is taken to be the end, and says so.
        found += [(time, name, "", 1.0) for time in times[:count]]
        found += [(at_end, name, "untimed" if items > 1 else "", 1.0)] * (count - len(times[:count]))
    if success:
        found.append((outcome["time_s"], "success", "", 0.0))
    if stop["reason"] == "safety":
        found.append((elapsed, "safety_stop", "", 0.0))
    if stop["reason"] in ("policy_error", "infra_error", "interrupted"):
        found.append((elapsed, "fault", stop["reason"], 0.0))
    found.append((elapsed, "label", "invalid" if attempt.invalid else str(outcome.get("label", "")), 0.0))
    if attempt.edited:
        found.append((elapsed, "edited", "", 0.0))
    found.sort(key=lambda event: event[0])
    return tuple(Event(round(time * hz), time, kind, name, value) for time, kind, name, value in found)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
