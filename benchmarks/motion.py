"""Scripted and planned travel in clutter: an apple to a bowl among tall things, none of which may move by 1 cm.

python benchmarks/motion.py [--things 4 8 12] [--layouts 15]

Prints, per number of things and way of travelling, the successes, and of those the median length of the episode, of the
expert's thinking and of the wall time; then ratios to scripted travel on the layouts that both solved.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from proctor.core import EpisodeSpec
from proctor.policies.scripted.motion import TRAVELS, PlanningExpert
from proctor.run.engine import run_episode
from proctor.sim import SimEnv

KINDS = ("wine_bottle", "cereal")
APPLE, BOWL = np.array([-0.20, -0.26]), np.array([-0.17, 0.25])
APART_M = 0.115
FROM_ENDS_M = 0.125


@dataclass(frozen=True)
class Played:
    success: bool
    length_s: float
    thinking_s: float
    wall_s: float


def places(rng: np.random.Generator, count: int) -> list[np.ndarray]:
    """Draw places for tall things: apart from one another, from the apple and from the bowl."""
    found: list[np.ndarray] = []
    while len(found) < count:
        spot = rng.uniform((-0.36, -0.40), (0.06, 0.40))
        free = all(np.linalg.norm(spot - other) > APART_M for other in found)
        if free and min(np.linalg.norm(spot - APPLE), np.linalg.norm(spot - BOWL)) > FROM_ENDS_M:
            found.append(spot)
    return found


def task_text(seed: int, count: int) -> str:
    """Return the task file of a layout."""
    rng = np.random.default_rng([seed, count])
    things = [f"{KINDS[i % len(KINDS)]}_{i + 1}" for i in range(count)]
    spots = {"apple_1": APPLE, "akita_black_bowl_1": BOWL, **dict(zip(things, places(rng, count), strict=True))}
    regions = "".join(
        f"({name}_spot (:target main_table) (:ranges (({x:.4f} {y:.4f} {x + 1e-4:.4f} {y + 1e-4:.4f})))"
        f" (:yaw_rotation ((0.0 0.0))))"
        for name, (x, y) in spots.items()
    )
    declared = " ".join(f"{name} - {name.rpartition('_')[0]}" for name in spots)
    stands = " ".join(f"(On {name} main_table_{name}_spot)" for name in spots)
    still = " ".join(f"(Not (Moved {name} 0.01))" for name in things)
    return f"""(define (problem Tabletop_Manipulation) (:domain robosuite)
  (:language Put the apple on the bowl) (:regions {regions}) (:fixtures main_table - table)
  (:objects {declared}) (:obj_of_interest apple_1 akita_black_bowl_1) (:init {stands})
  (:goal (And (On apple_1 akita_black_bowl_1) {still})))
"""


def play(env: SimEnv, path: Path, seed: int, travel: str) -> Played:
    policy = PlanningExpert(travel)
    policy.bind(env)
    began = time.perf_counter()
    spec = EpisodeSpec("x", path.stem, "L0", "", 0, seed, "", "planner", task_path=str(path), max_steps=500)
    row = run_episode(env, policy, spec)
    if row.status != "completed":
        raise SystemExit(f"{path.name}, {travel}: {row.error}")
    return Played(bool(row.outcome.success), row.outcome.sim_time_s, row.timing.policy_s, time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--things", type=int, nargs="+", default=[4, 8, 12])
    parser.add_argument("--layouts", type=int, default=15)
    asked = parser.parse_args()
    env = SimEnv()
    with tempfile.TemporaryDirectory() as folder:
        for count in asked.things:
            played: dict[str, list[Played]] = {travel: [] for travel in TRAVELS}
            for seed in range(asked.layouts):
                path = Path(folder) / f"clutter_{count}_{seed}.cbddl"
                path.write_text(task_text(seed, count))
                for travel in TRAVELS:
                    played[travel].append(play(env, path, seed, travel))
            report(count, played)
    env.close()


def report(count: int, played: dict[str, list[Played]]) -> None:
    for travel, rows in played.items():
        good = [row for row in rows if row.outcome.success]
        line = f"{count:3d} things  {travel:9s} {len(good):3d} of {len(rows)}"
        for word, name in (("length", "length_s"), ("thinking", "thinking_s"), ("wall", "wall_s")):
            line += f"   {word} {median(getattr(row, name) for row in good):5.2f} s" if good else ""
        print(line, flush=True)
    for travel in TRAVELS[1:]:
        pairs = [(a, b) for a, b in zip(played["scripted"], played[travel], strict=True) if a.success and b.success]
        if pairs:
            length = median(b.length_s / a.length_s for a, b in pairs)
            thinking = median(b.thinking_s / a.thinking_s for a, b in pairs)
            line = f"{travel} / scripted on {len(pairs)} layouts: length {length:.2f}, thinking {thinking:.2f}"
            print(f"            {line}", flush=True)


if __name__ == "__main__":
    main()
