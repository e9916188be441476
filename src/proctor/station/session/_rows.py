"""Turns attempts of a session into episode rows.

Every attempt that was started gives a row, whatever became of it; one without a single success is a row like any
other (leaving such episodes out flattered the slowest policies of PhAIL once). Meaning of the fields here::

    task, level      the scene's name and difficulty; ``pair_id`` is one block: every policy once on one scene
    policy           the arm's label and, as its address, what it ran; a human is privileged
    status           completed | policy_error | infra_error (label system, interrupted) | aborted (declared invalid)
    sim_time_s       seconds from start to stop by the wall clock, ``success_time_s`` likewise
    events           items (how many), operation, drop, lost, success, safety_stop, gate_override, fault, edited, label

Before the reveal the policy is "blinded" and nothing else depends on the arm either.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proctor.core import EnvSpec, EpisodeSpec, Event, PolicySpec
from proctor.results import NOTHING, Episode, StationFields, Status, Tally, make_row

from ._progress import Attempt, SessionProgress, SessionRules
from ._schedule import ArmPolicy

SUITE = "replica"
BLINDED = ArmPolicy("blinded", "")
DEFAULT_CONTROL_HZ = 30.0
_KINDS = {"placed": "operation", "dropped": "drop", "lost": "lost"}


def trial_row(
    session: str,
    rules: SessionRules,
    attempt: Attempt,
    arm: ArmPolicy,
    private: Mapping[str, Any],
    videos: Sequence[str],
) -> Episode:
    """Return the row of one attempt; ``private`` is what the runner measured of the policy."""
    assert attempt.stop is not None
    assert attempt.started_s is not None
    trial, scene = rules.trials[attempt.trial], rules.scene(attempt.trial)
    stop, outcome = {**attempt.stop, **private}, attempt.outcome or {}
    hz = float(attempt.station.get("control_hz", DEFAULT_CONTROL_HZ))
    status = status_of(attempt)
    success = status == "completed" and outcome.get("label") == "success"
    elapsed = float(stop["elapsed_s"])
    name = str(attempt.station.get("name", ""))
    unit, calibration = (str(attempt.station.get(key, "")) for key in ("unit", "calibration"))
    return make_row(
        EpisodeSpec(
            suite=SUITE,
            task=scene.name,
            level=scene.level,
            task_hash=_digest(json.dumps([scene.name, scene.instruction, scene.criterion, scene.items])),
            episode=trial.round,
            seed=0,
            instruction=scene.instruction,
            policy=arm.label,
            policy_args=arm.args,
            max_steps=round(rules.cap(attempt.trial) * hz),
            success_rule="operator",
            block=trial.block,
            timing="charge:measured",
        ),
        PolicySpec(arm.label, fingerprint=str(stop.get("fingerprint", "")), privileged=arm.kind == "human"),
        EnvSpec(f"station:{name}", (), fingerprint={"robot": ":".join(part for part in (unit, calibration) if part)}),
        kind="station",
        ids=(_digest(session, attempt.trial), _digest(session, "block", str(trial.block))),
        status=status,
        error=_error(attempt, stop) if status != "completed" else "",
        outcome=replace(
            NOTHING,
            success=success,
            success_time_s=outcome["time_s"] if success else None,
            steps=int(stop.get("steps", round(elapsed * hz))),
            sim_time_s=elapsed,
            events=_events(attempt, stop, scene.items, hz, success),
        ),
        tally=Tally(
            started_at=datetime.fromtimestamp(attempt.started_s, UTC).isoformat(timespec="seconds"),
            host=name,
            address=arm.policy,
            wall_s=elapsed,
            policy_s=float(stop.get("policy_s", 0.0)),
            policy_calls=int(stop.get("policy_calls", 0)),
            actions_clipped=int(stop.get("actions_clipped", 0)),
            video=videos[0] if videos else "",
            latencies_s=[value / 1000.0 for value in stop.get("latencies_ms", [])],
        ),
        attempt=attempt.attempt,
        station=StationFields(
            station=name,
            items=scene.items,
            label=str(outcome.get("label", "")),
            unit=unit,
            calibration=calibration,
            override=attempt.override,
            invalid=attempt.invalid,
            edited=attempt.edited,
        ),
    )


def status_of(attempt: Attempt) -> Status:
    """Return how an attempt ended: an outcome only if station and policy worked and nobody declared it invalid."""
    if attempt.invalid:
        return "aborted"
    if attempt.outcome is None or attempt.outcome["label"] == "system":
        return "infra_error"
    assert attempt.stop is not None
    return "policy_error" if attempt.stop["reason"] == "policy_error" else "completed"


def started(progress: SessionProgress) -> list[Attempt]:
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
