"""Failure classes against causes that are known because we made them.

    python benchmarks/failure_causes.py FOLDER_OR_SUITE [--episodes 10] [--slips 8]

Needs tasks that share one scene, such as LIBERO-Goal's ten. Planning: the expert does another task of the scene, and
the episode is judged by this one. Execution: the expert does this task with a fault in its hand (it never closes, it
lets go, its motors shake). Prints the classes by path, as published and corrected, those by objects, and the share that
is right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.failures import LEVEL, MIN_SUCCESSES, THRESHOLDS, classify_objects, classify_paths, mean_success
from proctor.core import EpisodeSpec, ObjectTrace, Observation, named_rng
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import SimEnv
from proctor.sim._trace import goal_things
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find_all

FAULTS = ("open_hand", "lets_go", "shakes")
Floats = NDArray[np.float64]


class Faulty(ExpertPolicy):
    """The expert with a hand that fails; ``fault`` is empty for the sound one."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault
        self._shut = 0

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        super().reset(instruction, episode)
        self._rng = named_rng(episode.seed, "fault")
        self._shut, self._patience = 0, int(self._rng.integers(12, 40))

    def act(self, observation: Observation) -> Floats:
        action = np.array(super().act(observation))
        self._shut += action[-1] > 0
        if self._fault == "open_hand" or (self._fault == "lets_go" and self._shut > self._patience):
            action[-1] = -1.0
        if self._fault == "shakes":
            action[:3] = np.clip(action[:3] + self._rng.normal(scale=0.9, size=3), -1, 1)
        return action


@dataclass(frozen=True)
class Played:
    task: str
    seed: int
    success: bool
    path: Floats
    things: Mapping[str, ObjectTrace]


def play(env: SimEnv, fault: str, spec: EpisodeSpec) -> Played:
    policy = Faulty(fault)
    policy.bind(env)
    env.reset(spec)
    policy.reset(spec.instruction, spec)
    path = [env.observe((), 64).state[:3]]
    for _ in range(spec.max_steps):
        done = env.step(policy.act(env.observe((), 64))).success
        path.append(env.observe((), 64).state[:3])
        if done:
            break
    outcome = env.finish()
    return Played(spec.task, spec.seed, outcome.success, np.array(path), outcome.objects)


def seen_from(played: Played, goal: Mapping[str, tuple[str, ...]]) -> dict[str, ObjectTrace]:
    """Return the traces as the goal of another task would label them."""
    return {n: replace(t, goal=n in goal, targets=goal.get(n, ())) for n, t in played.things.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("selector")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--slips", type=int, default=8)
    parser.add_argument("--max-steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(".cache/failure_causes.json"))
    options = parser.parse_args()
    refs = find_all([options.selector])
    env = SimEnv()
    good: dict[str, list[Played]] = defaultdict(list)
    slipped: dict[str, list[Played]] = defaultdict(list)
    goals: dict[str, dict[str, tuple[str, ...]]] = {}
    for ref in refs:
        task = read_task(ref.path)
        base = EpisodeSpec(
            suite=ref.suite, task=ref.id, level=ref.level, task_hash=task.text_hash, episode=0, seed=0, policy="expert",
            instruction=task.language, task_path=str(ref.path), max_steps=options.max_steps,
        )  # fmt: skip
        for number in range(options.episodes):
            good[ref.id].append(play(env, "", replace(base, seed=options.seed + number)))
        goals[ref.id] = goal_things(env.scene)
        for number in range(options.slips):
            spec = replace(base, seed=options.seed + 1000 + number)
            slipped[ref.id].append(play(env, FAULTS[number % len(FAULTS)], spec))
        won = sum(p.success for p in good[ref.id])
        print(
            f"{ref.id}: expert {won}/{options.episodes}, slipped {sum(not p.success for p in slipped[ref.id])}",
            flush=True,
        )
    report(good, slipped, goals, options.out)


def report(
    good: Mapping[str, list[Played]],
    slipped: Mapping[str, list[Played]],
    goals: Mapping[str, Mapping[str, tuple[str, ...]]],
    out: Path,
) -> None:
    by_path: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    by_object: Counter[tuple[str, str]] = Counter()
    won = {task: [p for p in plays if p.success] for task, plays in good.items()}
    # The last success of a task is kept out of its mean: it is what others show when they are taken for that task.
    taken = {task: plays.pop() for task, plays in won.items() if len(plays) > MIN_SUCCESSES}
    means = {task: mean_success([p.path for p in won[task]], [True] * len(won[task])) for task in taken}
    for task in taken:
        slips = [p for p in slipped[task] if not p.success]
        wrong = [p for name, p in taken.items() if name != task]
        causes = ["success"] * len(won[task]) + ["execution"] * len(slips) + ["planning"] * len(wrong)
        paths, success = [p.path for p in [*won[task], *slips, *wrong]], [cause == "success" for cause in causes]
        rivals = [mean for name, mean in means.items() if name != task and mean is not None]
        ways = {
            "paper": classify_paths(paths, success, mode="paper"),
            "corrected, no rivals": classify_paths(paths, success),
            "corrected": classify_paths(paths, success, rivals=rivals),
        }
        for (way, found), name in product(ways.items(), THRESHOLDS):
            pairs = zip(causes, found.classes(name), strict=True)
            by_path[f"path, {way}, {name}"].update(pair for pair in pairs if pair[0] != "success")
        for p in slips:
            by_object["execution", classify_objects(False, p.things)] += 1
        for p in wrong:
            by_object["planning", classify_objects(False, seen_from(p, goals[task]))] += 1
    level = {"near": "execution", "far": "planning"}
    result: dict[str, object] = {}
    for name, table in by_path.items():
        result[name] = {f"{cause} -> {kind}": n for (cause, kind), n in sorted(table.items())}
        result[f"{name}, right"] = share(table, level)
    result["objects"] = {f"{cause} -> {kind}": n for (cause, kind), n in sorted(by_object.items())}
    result["objects, right"] = share(by_object, dict(LEVEL))  # type: ignore[arg-type]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def share(table: Mapping[tuple[str, str], int], level: Mapping[str, str]) -> float:
    return sum(n for (cause, kind), n in table.items() if level.get(kind) == cause) / max(sum(table.values()), 1)


if __name__ == "__main__":
    main()
