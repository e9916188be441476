"""Speed of every suite on one core, without cameras: the median control step, and building and resetting a task.

    python benchmarks/suite_speed.py [SELECTOR ...] [--page docs/reference/tables/speed.md]

The expert plays the first layout of every task; only ``env.step`` is timed. Cold: a fresh environment compiles the task
and resets it. Warm: the same environment resets it again, the median of five. Times are processor time, so that
whatever else the machine does hardly counts. Limits: a step 1/300 s (StatePreservation, which has particles, only says
what it is), cold 0.5 s, warm 0.05 s.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from proctor.core import EpisodeSpec, Observation, episode_seed
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import SimEnv
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import TaskRef, find_all

STEP_S, COLD_S, WARM_S = 1 / 300, 0.5, 0.05
WARM_RESETS = 5
UNLIMITED = "arena/state_preservation"


@dataclass
class Times:
    """What was measured of one suite, in processor seconds."""

    tasks: int = 0
    steps: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")


HEAD = [
    "# Speed of the suites",
    "",
    "<!-- Written by benchmarks/suite_speed.py (make speed). -->",
    "",
    "One control step (50 ms of simulated time) without cameras while the expert plays, and building and resetting a",
    "task: cold in a fresh environment, warm in one that has the task already (the median of five). Processor time.",
    "A cross marks what is over its limit: a step 3.3 ms (not for StatePreservation, whose particles collide), cold",
    "500 ms, warm 50 ms.",
    "",
]


def processor() -> str:
    """Return the processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def timed(call: Callable[[], object]) -> float:
    """Return the processor seconds of a call."""
    began = time.process_time_ns()
    call()
    return (time.process_time_ns() - began) / 1e9


def measure(ref: TaskRef, times: Times) -> None:
    """Add one task to its suite's times."""
    task = read_task(ref.path)
    spec = EpisodeSpec(
        suite=ref.suite, task=ref.id, level=ref.level, task_hash=task.text_hash, episode=0,
        seed=episode_seed(0, ref.id, 0), instruction=task.language, policy="expert", max_steps=ref.max_steps,
        task_path=str(ref.path),
    )  # fmt: skip
    env, expert = SimEnv(), ExpertPolicy()
    times.tasks += 1
    times.cold.append(timed(lambda: env.reset(spec)))
    times.warm.append(statistics.median(timed(lambda: env.reset(spec)) for _ in range(WARM_RESETS)))
    expert.bind(env)
    expert.reset(task.language, spec)
    steps = []
    for step in range(ref.max_steps):
        action = np.asarray(expert.act(Observation({}, np.zeros(8), task.language, step)))
        began = time.process_time_ns()
        done = env.step(action).success
        steps.append((time.process_time_ns() - began) / 1e9)
        if done:
            break
    env.close()
    times.steps += steps
    times.slowest = max(times.slowest, (statistics.median(steps), ref.id))


def table(suites: dict[str, Times]) -> list[str]:
    """Return the lines of a Markdown table, a cross at what is over its limit."""

    def cell(value: float, limit: float) -> str:
        return f"{1e3 * value:.1f}" + (" ✗" if value > limit else "")

    lines = [
        "| suite | tasks | step, median [ms] | steps per s | step of the slowest task [ms] | "
        "cold, median and worst [ms] | warm, worst [ms] |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for suite, times in suites.items():
        step, limit = statistics.median(times.steps), STEP_S if suite != UNLIMITED else float("inf")
        lines.append(
            f"| {suite} | {times.tasks} | {cell(step, limit)} | {1 / step:.0f} | {1e3 * times.slowest[0]:.1f} | "
            f"{1e3 * statistics.median(times.cold):.0f} and {cell(max(times.cold), COLD_S)} | "
            f"{cell(max(times.warm), WARM_S)} |"
        )
    return lines


def main() -> int:
    """Measure, print, and write the page if asked for; 1 if something is over its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("selectors", nargs="*", default=["arena"])
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    suites: dict[str, Times] = {}
    refs = find_all(arguments.selectors)
    measure(refs[0], Times())  # imports and the robot's meshes are paid for once per process, not per task
    for ref in refs:
        measure(ref, suites.setdefault(ref.suite, Times()))
        print(f"\r{ref.id[-70:]:70}", end="", file=sys.stderr, flush=True)
    lines = table(suites)
    print("\n".join(["", *lines]))
    if arguments.page:
        arguments.page.write_text(
            "\n".join([*HEAD, f"One core of {processor()}.", "", *lines]) + "\n", encoding="utf-8"
        )
    return int(any("✗" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
