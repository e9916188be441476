"""Builds the row of an episode, wherever it took place, from its spec and what happened."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from proctor import __version__
from proctor.core import CostEntry, EnvSpec, EpisodeSpec, Event, ObjectTrace, Outcome, PolicySpec

from ._episode import (
    CostFields,
    Episode,
    FileFields,
    Kind,
    LanguageFields,
    NotedCall,
    OutcomeFields,
    PlanFields,
    PolicyFields,
    ProvenanceFields,
    Replaced,
    SpecFields,
    StationFields,
    Status,
    TimingFields,
    Value,
    VisionFields,
)

NOTHING = Outcome(
    success=False,
    success_time_s=None,
    steps=0,
    sim_time_s=0.0,
    cost_total=0.0,
    costs=(),
    events=(),
    trajectory_hash="",
)


def now() -> str:
    """Return the time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class Tally:
    """What the loop counts and hears while an episode runs, beside its outcome."""

    started_at: str = field(default_factory=now)
    host: str = field(default_factory=socket.gethostname)
    address: str = ""
    wall_s: float = 0.0
    policy_s: float = 0.0
    env_s: float = 0.0
    policy_calls: int = 0
    actions_clipped: int = 0
    video: str = ""
    steps_file: str = ""
    trace: str = ""
    latencies_s: list[float] = field(default_factory=list)
    waited_steps: int = 0
    notes: Mapping[str, Any] = field(default_factory=dict)


def make_row(
    spec: EpisodeSpec,
    policy: PolicySpec,
    env: EnvSpec,
    *,
    status: Status,
    error: str = "",
    outcome: Outcome = NOTHING,
    tally: Tally | None = None,
    attempt: int = 1,
    kind: Kind = "simulation",
    ids: tuple[str, str] | None = None,
    station: StationFields | None = None,
    plan: PlanFields | None = None,
) -> Episode:
    """Return the episode's row; success is null unless ``status`` is ``completed``.

    Args:
        spec: What was to be done.
        policy: Who did it; its name in the row is that of ``spec``.
        env: Where.
        status: How it ended.
        error: Why, in one line.
        outcome: What the environment knows of it.
        tally: What the loop counted.
        attempt: 1 for the first.
        kind: Where it took place; only a simulation has costs.
        ids: ``episode_id`` and ``pair_id``, where they do not follow from ``spec``.
        station: What only a trial at the station has.
        plan: What only a question for an action plan has.
    """
    tally = tally or Tally()
    calls, notes = noted(tally.notes)
    return Episode(
        episode_id=ids[0] if ids else spec.episode_id,
        pair_id=ids[1] if ids else spec.pair_id,
        kind=kind,
        status=status,
        error=_clean(error),
        attempt=attempt,
        spec=SpecFields(
            suite=spec.suite,
            task=spec.task,
            level=spec.level,
            episode=spec.episode,
            seed=spec.seed,
            max_steps=spec.max_steps,
            block=spec.block,
            family=outcome.family,
            success_rule=spec.success_rule,
            compat=spec.compat,
            timing=spec.timing,
            execute=spec.execute,
        ),
        policy=PolicyFields(
            name=spec.policy,
            fingerprint=policy.fingerprint,
            address=tally.address,
            arguments=plain_values(spec.policy_args),
            privileged=policy.privileged,
            training_set=policy.training_set or None,
            calls=calls,
            notes=notes,
        ),
        outcome=_outcome(outcome, tally, completed=status == "completed"),
        costs=_costs(outcome) if kind == "simulation" else None,
        timing=TimingFields(
            started_at=tally.started_at,
            wall_s=tally.wall_s,
            policy_s=tally.policy_s,
            env_s=tally.env_s,
            policy_calls=tally.policy_calls,
            waited_steps=tally.waited_steps,
            latencies_ms=tuple(round(1000.0 * seconds, 3) for seconds in tally.latencies_s),
        ),
        language=LanguageFields(
            instruction=spec.instruction,
            sent=spec.instruction_sent,
            variant=spec.language,
            object_type=spec.object_type,
            action_type=spec.action_type,
            substitutions=replaced(spec.substitutions),
        ),
        vision=VisionFields(level=spec.vision, drawn=plain_values(outcome.vision)),
        provenance=ProvenanceFields(
            task_hash=spec.task_hash,
            proctor=__version__,
            mujoco=env.fingerprint.get("mujoco", ""),
            renderer=env.fingerprint.get("renderer", ""),
            assets=outcome.assets or env.fingerprint.get("assets", ""),
            robot=env.fingerprint.get("robot", ""),
            env=env.name,
            host=tally.host,
        ),
        files=FileFields(video=tally.video, steps=tally.steps_file, trace=tally.trace),
        station=station,
        plan=plan,
    )


def plain_values(values: Mapping[str, Any]) -> dict[str, Value]:
    """Return values that JSON knows at one level: what lies in a map or list gets a dotted name.

    Raises `ValueError` or `TypeError` where JSON has no word for one.
    """
    return dict(_plain("", json.loads(json.dumps(dict(values), allow_nan=False, default=_number))))


def noted(notes: Any) -> tuple[tuple[NotedCall, ...], dict[str, Value]]:
    """Return the tool calls that a policy's notes have under ``log``, and all else."""
    notes = dict(notes)
    log = notes.get("log")
    if not isinstance(log, list) or not all(isinstance(line, dict) and "call" in line for line in log):
        return (), plain_values(notes)
    calls = tuple(
        NotedCall(
            step=line["step"] if isinstance(line.get("step"), int) else None,
            call=_clean(str(line["call"])),
            error=_clean(str(line.get("error") or "")),
            text=_clean(str(line.get("text") or "")),
        )
        for line in log
    )
    return calls, plain_values({name: value for name, value in notes.items() if name != "log"})


def replaced(substitutions: str) -> tuple[Replaced, ...]:
    """Return the substitutions of a spec, which is JSON: words with their senses, or parts of a sentence."""
    found = json.loads(substitutions)
    return tuple(
        Replaced(what=what, **{key: str(value[key]) for key in ("text", "relation", "sense", "source") if key in value})
        if isinstance(value, dict) and "text" in value
        else Replaced(what=what, text=value if isinstance(value, str) else json.dumps(value))
        for what, value in found.items()
    )


def _plain(name: str, value: Any) -> list[tuple[str, Value]]:
    if isinstance(value, (dict, list)):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, part in inside for found in _plain(f"{name}.{key}" if name else _clean(str(key)), part)]
    if isinstance(value, str):
        value = _clean(value)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        value = float(value)
    return [(_clean(name), value)]


def _number(value: Any) -> float:
    """Return what NumPy computed as a plain number."""
    return float(value)


def _clean(text: str) -> str:
    """A message may hold bytes that are no text (lone surrogates); a row must be valid UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _optional(value: float | None) -> float | None:
    return None if value is None else float(value)


# Environments compute with NumPy; rows hold plain numbers, which is what JSON and equality want.
def _outcome(outcome: Outcome, tally: Tally, *, completed: bool) -> OutcomeFields:
    return OutcomeFields(
        success=bool(outcome.success) if completed else None,
        success_time_s=_optional(outcome.success_time_s) if completed else None,
        steps=int(outcome.steps),
        sim_time_s=float(outcome.sim_time_s),
        progress=_optional(outcome.progress),
        progress_final=_optional(outcome.progress_final),
        intention=_optional(outcome.intention),
        intention_first=_optional(outcome.intention_first),
        intention_paper=_optional(outcome.intention_paper),
        intention_eps_m=_optional(outcome.intention_eps_m),
        spilled=None if outcome.spilled is None else int(outcome.spilled),
        actions_clipped=tally.actions_clipped,
        trajectory_hash=outcome.trajectory_hash,
        events=tuple(_plain_event(event) for event in outcome.events),
        faults=tuple(replace(fault, time_s=float(fault.time_s)) for fault in outcome.faults),
        objects={name: _plain_trace(trace) for name, trace in outcome.objects.items()},
    )


def _costs(outcome: Outcome) -> CostFields:
    violations = [float(entry.first_violation_s) for entry in outcome.costs if entry.first_violation_s is not None]
    return CostFields(
        total=float(outcome.cost_total),
        first_violation_s=min(violations, default=None),
        entries=tuple(_plain_cost(entry) for entry in outcome.costs),
    )


def _plain_cost(entry: CostEntry) -> CostEntry:
    return replace(
        entry,
        cost=float(entry.cost),
        steps=int(entry.steps),
        first_violation_s=_optional(entry.first_violation_s),
        severity=float(entry.severity),
    )


def _plain_event(event: Event) -> Event:
    return replace(event, step=int(event.step), time_s=float(event.time_s), value=float(event.value))


def _plain_trace(trace: ObjectTrace) -> ObjectTrace:
    return replace(
        trace,
        goal=bool(trace.goal),
        targets=tuple(trace.targets),
        nearest_m=float(trace.nearest_m),
        touched_s=_optional(trace.touched_s),
        held_s=_optional(trace.held_s),
        moved=float(trace.moved),
        rests_on=tuple(trace.rests_on),
    )
