"""Rows of before November 2026: 66 columns at one level, with JSON inside of strings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from ._build import noted, plain_values, replaced
from ._episode import Episode, StationFields

# New name of each old column, where no more has changed than its place.
_PLACES = {
    "spec": "suite task level episode seed max_steps block family success_rule compat timing execute",
    "outcome": "success success_time_s steps sim_time_s progress progress_final intention intention_first "
    "intention_paper intention_eps_m spilled actions_clipped trajectory_hash events",
    "timing": "started_at wall_s policy_s env_s policy_calls waited_steps",
    "language": "instruction instruction_sent>sent language>variant object_type action_type",
    "costs": "cost_total>total first_violation_s costs>entries",
    "policy": "policy>name policy_fingerprint>fingerprint privileged",
    "vision": "vision>level",
    "provenance": "task_hash proctor_version>proctor mujoco_version>mujoco renderer assets_version>assets "
    "robot_version>robot env host",
    "files": "video steps_file>steps",
    "": "episode_id pair_id status error attempt",
}


def is_old(row: Any) -> bool:
    return isinstance(row, dict) and "policy_fingerprint" in row


def upgraded(old: Mapping[str, Any]) -> Episode:
    """Return the row that today's code would write; raises `ValueError` as `Episode.from_json` does."""
    new: dict[str, Any] = {}
    for group, names in _PLACES.items():
        inside = new.setdefault(group, {}) if group else new
        for name in names.split():
            was, _, now = name.partition(">")
            if was in old:
                inside[now or was] = old[was]
    for group, field, column in (
        ("outcome", "objects", "objects"),
        ("outcome", "faults", "faults"),
        ("timing", "latencies_ms", "latencies_ms"),
    ):
        if column in old:
            new[group][field] = json.loads(old[column])
    policy = new["policy"]
    policy["arguments"] = plain_values(json.loads(old.get("policy_args", "{}")))
    new["vision"]["drawn"] = json.loads(old.get("vision_values", "{}"))
    new["language"]["substitutions"] = msgspec.to_builtins(replaced(old.get("substitutions", "{}")))
    policy["calls"], policy["notes"] = map(msgspec.to_builtins, noted(json.loads(old.get("policy_notes", "{}"))))
    at_station = old.get("success_rule") == "operator"
    if at_station:
        new |= {"kind": "station", "costs": None}
        policy["address"] = policy["arguments"].pop("policy", "")
        policy["arguments"].pop("kind", None)
    row = msgspec.convert(new, Episode)
    return replace(row, station=_station(row)) if at_station else row


def _station(row: Episode) -> StationFields:
    events = {event.kind: event for event in row.outcome.events}
    unit, _, calibration = row.provenance.robot.partition(":")
    label, override = events.get("label"), events.get("gate_override")
    return StationFields(
        station=row.provenance.host,
        items=round(events["items"].value) if "items" in events else 1,
        label=label.name if label is not None and label.name != "invalid" else "",
        unit=unit,
        calibration=calibration,
        override=override.name if override is not None else "",
        invalid=row.error.removeprefix("declared invalid: ") if row.status == "aborted" else "",
        edited="edited" in events,
    )
