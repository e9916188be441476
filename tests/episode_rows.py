"""Rows for tests: a plain successful episode, and changes of its fields wherever in the row they are."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from proctor.core import EnvSpec, EpisodeSpec, Event, PolicySpec
from proctor.results import NOTHING, CostFields, Episode, Tally, costs_of, make_row

GROUPS = ("spec", "policy", "outcome", "costs", "timing", "language", "vision", "provenance", "files")
SHORT = {
    "policy": "policy.name",
    "language": "language.variant",
    "vision": "vision.level",
    "timing": "spec.timing",
    "costs": "costs.entries",
    "cost_total": "costs.total",
    "instruction_sent": "language.sent",
    "steps_file": "files.steps",
    "policy_args": "policy.arguments",
    "steps": "outcome.steps",
    "level": "spec.level",
}


def plain() -> Episode:
    """Return a plain successful episode."""
    spec = EpisodeSpec(
        suite="arena/static_obstacles",
        task="arena/static_obstacles/L1/pick_the_apple@v1",
        level="L1",
        task_hash="7d1c0a55e2b94f13",
        episode=0,
        seed=1234,
        instruction="Pick the apple and place it on the bowl",
        policy="expert",
    )
    versions = {"mujoco": "3.17.0", "renderer": "egl llvmpipe", "assets": "a1b2c3d4", "robot": "d4c3b2a1"}
    return make_row(
        spec,
        PolicySpec("expert", privileged=True),
        EnvSpec("proctor.sim:SimEnv", (), fingerprint=versions),
        status="completed",
        outcome=replace(
            NOTHING,
            success=True,
            success_time_s=6.5,
            steps=130,
            sim_time_s=6.5,
            events=(Event(120, 6.0, "subgoal", "(On apple_1 bowl_1)"), Event(130, 6.5, "success")),
            trajectory_hash="c0ffee00c0ffee00",
        ),
        tally=Tally(
            started_at="2026-11-16T10:00:00Z", host="bench-3", wall_s=1.25, policy_s=0.5, env_s=0.7, policy_calls=130
        ),
    )


def changed(row: Episode, **changes: Any) -> Episode:
    """Return ``row`` with other values; a field is named without its group."""
    top: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = {}
    for name, value in changes.items():
        group, _, field = (SHORT.get(name) or _place(name)).rpartition(".")
        if group:
            inside.setdefault(group, {})[field] = value
        else:
            top[name] = value
    for group, values in inside.items():
        before = costs_of(row) if group == "costs" else getattr(row, group)
        top[group] = replace(before, **values)
    return replace(row, **top)


def _place(name: str) -> str:
    if name in {item.name for item in fields(Episode)}:
        return name
    row = plain()
    found = [
        group
        for group in GROUPS
        if name in {item.name for item in fields(CostFields if group == "costs" else getattr(row, group))}
    ]
    assert len(found) == 1, f"{name} is in {found}"
    return f"{found[0]}.{name}"
