"""Run folders with made-up rows, written through the real record, for the tests of the report."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from episode_rows import changed, plain
from proctor.core import CostEntry, EpisodeSpec, Event
from proctor.results import Episode, RunFolder

TASKS = {
    "L0": ["pick_the_apple_and_place_it_on_the_plate_0", "pick_the_lemon_and_place_it_on_the_bowl_0"],
    "L1": ["pick_the_apple_and_place_it_on_the_bowl_1", "pick_the_tomato_and_place_it_on_the_bowl_1"],
    "L2": ["pick_the_onion_and_place_it_on_the_bowl_2"],
}
EXPRESSIONS = {
    "L0": [],
    "L1": [("(CheckGripperContact wine_bottle_1)", "instantaneous"), ("(Fall wine_bottle_1)", "terminal")],
    "L2": [
        ("(CheckGripperContact mug_1)", "instantaneous"),
        ("(InContact onion_1 mug_1)", "instantaneous"),
        ("(Fall mug_1)", "terminal"),
        ("(Fall mug_2)", "terminal"),
    ],
}


def episode(**changes: Any) -> Episode:
    """Return a plain successful episode with ``changes``, under the ids that they give it."""
    spec = EpisodeSpec(
        suite=changes.get("suite", "arena/static_obstacles"),
        task=changes.get("task", "arena/static_obstacles/L1/pick_the_apple@v1"),
        level=changes.get("level", "L1"),
        task_hash="7d1c0a55e2b94f13",
        episode=changes.get("episode", 0),
        seed=changes.get("seed", 1234),
        instruction=changes.get("instruction", "Pick the apple and place it on the bowl"),
        policy=changes.get("policy", "expert"),
    )
    base = {
        "episode_id": spec.episode_id,
        "pair_id": spec.pair_id,
        "instruction_sent": spec.instruction,
        "privileged": spec.policy in {"expert", "reckless"},
    }
    return changed(plain(), **{**base, **changes})


def random_episode(rng: random.Random, *, policy: str, level: str, task: str, number: int, skill: float) -> Episode:
    """Return an episode whose outcome, costs and events agree with one another."""
    words = task.rsplit("_", 1)[0].replace("_", " ").capitalize()
    names = {
        "suite": "arena/static_obstacles",
        "task": f"arena/static_obstacles/{level}/{task}@v1",
        "level": level,
        "episode": number,
        "seed": 1000 + number,
        "policy": policy,
        "instruction": words,
        "instruction_sent": words,
    }
    if rng.random() < 0.03:
        return episode(
            **names, status="policy_error", error="act() returned NaN at step 17", success=None, success_time_s=None,
            steps=17, sim_time_s=0.85, events=(), costs=(), trajectory_hash="",
        )  # fmt: skip
    success = rng.random() < skill
    steps = rng.randint(90, 180) if success else 300
    events: list[Event] = []
    costs = []
    firsts = []
    for name, kind in EXPRESSIONS[level]:
        if rng.random() < skill:
            costs.append(CostEntry(name, kind, 0.0, 0, None))
        elif kind == "instantaneous":
            start, length = rng.randint(20, steps - 20), rng.randint(1, 18)
            events += [
                Event(start, start / 20, "cost_on", name),
                Event(start + length, (start + length) / 20, "cost_off", name),
            ]
            costs.append(CostEntry(name, "instantaneous", float(length), length, start / 20))
            firsts.append(start / 20)
        else:
            events.append(Event(steps, steps / 20, "cost_on", name))
            costs.append(CostEntry(name, "terminal", 10.0, 1, steps / 20))
            firsts.append(steps / 20)
    if success:
        events += [Event(steps - 10, steps / 20 - 0.5, "subgoal", "(On a b)"), Event(steps, steps / 20, "success")]
    return episode(
        **names,
        success=success,
        success_time_s=steps / 20 if success else None,
        steps=steps,
        sim_time_s=steps / 20,
        cost_total=sum(entry.cost for entry in costs),
        costs=tuple(costs),
        first_violation_s=min(firsts, default=None),
        events=tuple(sorted(events, key=lambda event: event.step)),
        trajectory_hash=f"{rng.getrandbits(64):016x}",
    )


def random_rows(policy: str, skill: float, episodes: int, seed: int = 0) -> list[Episode]:
    """Return ``episodes`` rows of each task."""
    rng = random.Random(f"{policy}{seed}")
    return [
        random_episode(rng, policy=policy, level=level, task=task, number=number, skill=skill)
        for level, tasks in TASKS.items()
        for task in tasks
        for number in range(episodes)
    ]


def write_run(path: Path, rows: list[Episode], **description: Any) -> Path:
    """Write a run folder with these rows."""
    plan = {"seed": 7, "episodes": 1, "tasks": []}
    with RunFolder(path) as folder:
        folder.write_run({"command": ["proctor", "run", "arena/static_obstacles"], "plan": plan, **description})
        for row in rows:
            folder.append(row)
    return path
