"""Do two workers do twice the work of one? Run alone on a quiet machine: ``python benchmarks/scaling.py``.

Two worlds: a stub whose steps are arithmetic (nothing but the processor and the framework), and the arena itself with
random actions and no pictures; and the stub, mostly asleep, on a Ray cluster of this host. The ratio wanted is 1.8 or
more. Another figure: several environments in one worker, for a policy that takes its time.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.results import Episode
from proctor.run.cluster import RayOptions, RayWorkers
from proctor.run.engine import Pool, RunOptions, SourceFactory, execute
from proctor.run.plan import Plan, PlanTask
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find

HERE = Path(__file__).parent
WANTED = 1.8


class Sleepy:
    """A policy for many that takes 40 ms and 1.5 ms for each of its sessions, as a model on a GPU does."""

    def spec(self) -> PolicySpec:
        """Need no camera."""
        return PolicySpec("sleepy", chunk=10, fingerprint="sleepy-1")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        """Nothing to remember."""

    def act_batch(self, sessions: list[str], observations: list[Observation]) -> list[np.ndarray]:
        """Wait, and stand still."""
        time.sleep(0.040 + 0.0015 * len(sessions))
        return [np.tile([0.0] * 6 + [-1.0], (10, 1)) for _ in sessions]

    def end(self, session: str) -> None:
        """Nothing to forget."""


class Clock:
    """Takes the time from the first row to the last: what starting costs is not what is asked here."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def begin(self, total: int, done: int) -> None:
        """Not yet."""

    def row(self, episode: Episode) -> None:
        """Note the time."""
        self.times.append(time.perf_counter())

    @property
    def rate(self) -> float:
        """Episodes per second."""
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])


def rate(plan: Plan, options: RunOptions, source: SourceFactory = Pool) -> float:
    """Run a plan and return its episodes per second."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        result = execute(plan, Path(folder) / "run", options, progress=clock, source=source)
    assert (result.ran, result.errors) == (len(plan), 0), result
    return clock.rate


def stub(episodes: int, policy: str = "noop", steps: int = 50) -> Plan:
    """Return a plan for the stub."""
    task = PlanTask("stub/L0/work@v1", "stub", "L0", "0" * 16, "Work", steps, "/none")
    return Plan((task,), episodes, 1, policy)


def arena(episodes: int) -> Plan:
    """Return a plan of one task of the arena with random actions."""
    ref = find("arena/static_obstacles/L1")[0]
    text = read_task(ref.path).text_hash
    task = PlanTask(ref.id, ref.suite, ref.level, text, ref.instruction, 100, str(ref.path))
    return Plan((task,), episodes, 1, "random")


def compare(name: str, plan: Plan, one: RunOptions, two: RunOptions, repeat: int, source: SourceFactory = Pool) -> None:
    """Take both rates by turns and print the ratio of the best."""
    ones, twos = zip(*((rate(plan, one, source), rate(plan, two, source)) for _ in range(repeat)), strict=True)
    ratio = max(twos) / max(ones)
    mark = "" if ratio >= WANTED else f"   below {WANTED}"
    print(f"{name:<36} 1: {max(ones):7.2f} /s   2: {max(twos):7.2f} /s   ratio {ratio:.2f}{mark}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=200, help="Of the stub; a tenth of it in the arena.")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    sys.path.insert(0, str(HERE))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: workers 1 and 2")
    one = RunOptions(env="stub_world:StubEnv", env_args={"steps": 50, "work": 10_000})
    compare("stub, 50 steps of arithmetic", stub(given.episodes), one, replace(one, workers=2), given.repeat)
    real = arena(max(4, given.episodes // 10))
    compare("arena, 100 random steps, no image", real, RunOptions(), RunOptions(workers=2), given.repeat)
    sleepy = RunOptions(env="stub_world:StubEnv", env_args={"steps": 50, "sleep_s": 0.004})
    on_ray = partial(RayWorkers, cluster=RayOptions("local"))
    few = stub(max(20, given.episodes // 4))
    compare("stub on Ray, 50 steps of 4 ms asleep", few, sleepy, replace(sleepy, workers=2), given.repeat, on_ray)
    slow = stub(max(16, given.episodes // 4), "scaling:Sleepy")
    print("one worker, a policy of 40 ms + 1.5 ms per environment, 10 actions a time, little arithmetic:")
    base = 0.0
    for seats in (1, 2, 4, 8):
        how = RunOptions(envs_per_worker=seats, env="stub_world:StubEnv", env_args={"steps": 50, "work": 200})
        found = rate(slow, how)
        base = base or found
        print(f"  {seats} environments  {found:7.2f} episodes/s   {found / base:.2f} x", flush=True)


if __name__ == "__main__":
    main()
