"""What an episode costs the framework: very many short episodes of a world that costs nothing, at constant memory.

    python benchmarks/many_episodes.py                     100,000 episodes on 2 workers
    python benchmarks/many_episodes.py --episodes 2000     a quick look
    python benchmarks/many_episodes.py --ray local         the same on a Ray cluster of this host

Beside it, in the same run: a bare loop over the same environment and policy, and ``multiprocessing.Pool.imap`` with the
same number of processes that writes one line of JSON per episode. Neither can resume, nor survives a dying worker, nor
waits for the disk, so neither is a peer; they say how much of the cost is Proctor's.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from proctor.core import EpisodeSpec
from proctor.policies import NoopPolicy
from proctor.results import Episode, read_run
from proctor.run.cluster import RayOptions, RayWorkers
from proctor.run.engine import Pool, RunOptions, execute
from proctor.run.plan import Plan, PlanTask

HERE = Path(__file__).parent
STEPS = 5


def plan_of(episodes: int) -> Plan:
    """Return a plan of one task."""
    task = PlanTask("stub/L0/wait@v1", "stub", "L0", "0" * 16, "Wait", STEPS, "/none")
    return Plan((task,), episodes, 1, "noop")


def rss_mb() -> float:
    """Return this process's resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Watcher:
    """Prints memory and rate every ``every`` episodes."""

    def __init__(self, every: int) -> None:
        self.every, self.count, self.began = every, 0, time.perf_counter()
        self.memory_mb: list[float] = []

    def begin(self, total: int, done: int) -> None:
        """Start the clock."""

    def row(self, episode: Episode) -> None:
        """Count, and look at the memory now and then."""
        self.count += 1
        if self.count == 1:
            self.began = time.perf_counter()
        if self.count % self.every == 0:
            self.memory_mb.append(rss_mb())
            rate = self.count / (time.perf_counter() - self.began)
            print(f"  {self.count:>7} episodes  {rate:7.0f} /s  parent {self.memory_mb[-1]:.1f} MB", flush=True)


def alone(spec: EpisodeSpec) -> dict[str, object]:
    """Run one episode without any framework."""
    from stub_world import StubEnv

    env, policy = StubEnv(STEPS), NoopPolicy()
    env.reset(spec)
    policy.reset(spec.instruction_sent, spec)
    while True:
        result = env.step(policy.act(env.observe((), 256)))
        if result.success:
            break
    outcome = env.finish()
    return {"id": spec.episode_id, "success": outcome.success, "steps": outcome.steps, "hash": outcome.trajectory_hash}


def loop(plan: Plan) -> None:
    """Run a plan in this process and keep nothing."""
    for spec in plan:
        alone(spec)


def imap(plan: Plan, workers: int) -> None:
    """Run a plan on ``multiprocessing.Pool`` and write one line per episode."""
    with tempfile.TemporaryFile("w") as file, multiprocessing.get_context("spawn").Pool(workers) as pool:
        for row in pool.imap(alone, plan, chunksize=64):
            file.write(json.dumps(row) + "\n")


def timed(call: Callable[[], None]) -> float:
    """Return how long ``call`` takes, in seconds."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ray", metavar="ADDRESS", help="Workers on a Ray cluster, or local for one of this host.")
    parser.add_argument("--out", type=Path, default=None, help="Where the run folder goes, for the speed of that disk.")
    given = parser.parse_args()
    sys.path.insert(0, str(HERE))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    plan = plan_of(given.episodes)
    some = plan_of(max(1000, given.episodes // 10))
    where = f"{given.workers} workers{' on Ray' if given.ray else ''}"
    print(f"{given.episodes} episodes of {STEPS} steps, {where}; load {os.getloadavg()[0]:.1f}")
    watcher = Watcher(max(1, given.episodes // 10))
    with tempfile.TemporaryDirectory(dir=given.out) as folder:
        out = Path(folder) / "run"
        began = time.perf_counter()
        options = RunOptions(workers=given.workers, env="stub_world:StubEnv")
        source = partial(RayWorkers, cluster=RayOptions(given.ray)) if given.ray else Pool
        result = execute(plan, out, options, progress=watcher, source=source)
        wall = time.perf_counter() - began
        assert (result.ran, result.errors) == (given.episodes, 0), result
        assert read_run(out)["plan"]["episodes"] == given.episodes
        size = (out / "episodes.jsonl").stat().st_size / given.episodes
        after = rss_mb()
        resumed = timed(lambda: assert_done(plan, out))
    first, last = watcher.memory_mb[0], watcher.memory_mb[-1]
    each = 1e6 * wall / given.episodes
    print(f"Proctor            {each:8.0f} us per episode ({given.episodes / wall:.0f} /s), start and Parquet included")
    print(f"parent's memory    {first:.1f} MB after a tenth, {last:.1f} MB at the end, {after:.1f} MB with Parquet")
    print(f"a row              {size:.0f} bytes of JSON; same command again: {resumed:.1f} s to find all of them done")
    bare = 1e6 * timed(lambda: loop(some)) / len(some)
    print(f"bare loop          {bare:8.0f} us per episode, 1 process: Proctor takes {each / bare:.1f} x")
    pool = 1e6 * timed(lambda: imap(some, given.workers)) / len(some)
    print(
        f"Pool.imap          {pool:8.0f} us per episode, {given.workers} processes: Proctor takes {each / pool:.1f} x"
    )


def assert_done(plan: Plan, out: Path) -> None:
    """Run the same again, which must run nothing."""
    again = execute(plan, out, RunOptions(env="stub_world:StubEnv"))
    assert (again.skipped, again.ran) == (len(plan), 0), again


if __name__ == "__main__":
    main()
