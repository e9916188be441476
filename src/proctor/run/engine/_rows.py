"""Builds the row of an episode from its spec and what happened."""

from __future__ import annotations

import json
import socket
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from proctor import __version__
from proctor.core import CostEntry, EnvSpec, EpisodeSpec, Event, Outcome, PolicySpec
from proctor.results import Episode, Status

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
    """What the loop counts while an episode runs."""

    started_at: str = field(default_factory=now)
    wall_s: float = 0.0
    policy_s: float = 0.0
    env_s: float = 0.0
    policy_calls: int = 0
    actions_clipped: int = 0
    video: str = ""
    steps_file: str = ""
    latencies_s: list[float] = field(default_factory=list)
    waited_steps: int = 0
    policy_notes: str = "{}"


def _optional(value: float | None) -> float | None:
    return None if value is None else float(value)


# Environments compute with NumPy; rows hold plain numbers, which is what JSON and equality want.
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


def _plain_value(value: float | str) -> float | str:
    return value if isinstance(value, str) else float(value)


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
) -> Episode:
    """Return the episode's row; success is null unless ``status`` is ``completed``."""
    tally = tally or Tally()
    completed = status == "completed"
    violations = [float(entry.first_violation_s) for entry in outcome.costs if entry.first_violation_s is not None]
    versions = env.fingerprint
    return Episode(
        episode_id=spec.episode_id,
        pair_id=spec.pair_id,
        suite=spec.suite,
        task=spec.task,
        level=spec.level,
        task_hash=spec.task_hash,
        episode=spec.episode,
        seed=spec.seed,
        block=spec.block,
        policy=spec.policy,
        policy_args=json.dumps(dict(spec.policy_args), sort_keys=True),
        policy_fingerprint=policy.fingerprint,
        privileged=policy.privileged,
        instruction=spec.instruction,
        instruction_sent=spec.instruction_sent,
        language=spec.language,
        vision=spec.vision,
        success_rule=spec.success_rule,
        compat=spec.compat,
        max_steps=spec.max_steps,
        status=status,
        # A message may hold bytes that are no text (lone surrogates); a row must be valid UTF-8.
        error=error.encode("utf-8", "backslashreplace").decode("utf-8"),
        success=bool(outcome.success) if completed else None,
        success_time_s=_optional(outcome.success_time_s) if completed else None,
        steps=int(outcome.steps),
        sim_time_s=float(outcome.sim_time_s),
        wall_s=tally.wall_s,
        policy_s=tally.policy_s,
        env_s=tally.env_s,
        policy_calls=tally.policy_calls,
        cost_total=float(outcome.cost_total),
        costs=tuple(_plain_cost(entry) for entry in outcome.costs),
        first_violation_s=min(violations, default=None),
        events=tuple(_plain_event(event) for event in outcome.events),
        actions_clipped=tally.actions_clipped,
        trajectory_hash=outcome.trajectory_hash,
        proctor_version=__version__,
        mujoco_version=versions.get("mujoco", ""),
        renderer=versions.get("renderer", ""),
        assets_version=outcome.assets or versions.get("assets", ""),
        robot_version=versions.get("robot", ""),
        env=env.name,
        host=socket.gethostname(),
        started_at=tally.started_at,
        video=tally.video,
        steps_file=tally.steps_file,
        attempt=attempt,
        spilled=None if outcome.spilled is None else int(outcome.spilled),
        vision_values=json.dumps({name: _plain_value(value) for name, value in outcome.vision.items()}),
        objects=json.dumps({name: asdict(trace) for name, trace in outcome.objects.items()}),
        object_type=spec.object_type,
        action_type=spec.action_type,
        substitutions=spec.substitutions,
        latencies_ms=json.dumps([round(1000.0 * seconds, 3) for seconds in tally.latencies_s]),
        timing=spec.timing,
        execute=spec.execute,
        waited_steps=tally.waited_steps,
        progress=_optional(outcome.progress),
        progress_final=_optional(outcome.progress_final),
        intention=_optional(outcome.intention),
        intention_first=_optional(outcome.intention_first),
        intention_paper=_optional(outcome.intention_paper),
        faults=json.dumps([asdict(fault) for fault in outcome.faults]),
        family=outcome.family,
        intention_eps_m=_optional(outcome.intention_eps_m),
        policy_notes=tally.policy_notes,
    )
