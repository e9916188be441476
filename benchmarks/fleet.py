"""The coordinator's own ceiling: episodes per second that it hands out and records, beside the local pool.

python benchmarks/fleet.py [--episodes 20000] [--agents 2] [--pool-episodes 5000]

Three figures from one process, one after the other, on an idle machine:

- coordinator: stub agents (threads with a socket) answer every leased episode at once with a finished row, so nothing
  is simulated: what is left is leases, messages, rows and the disk;
- fleet: a real local agent with one worker and an environment that ends after one step;
- pool: the same worker and environment under the local pool, for the ratio.

Prints one JSON line; ``rss_growth_mib`` is how much the coordinator's process grew from a tenth of the plan to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import zmq
from proctor.rollout._rows import make_row

from proctor import __version__
from proctor.core import EnvSpec, EpisodeSpec, Observation, Outcome, PolicySpec, Step
from proctor.plan import Plan, PlanTask
from proctor.rollout import Pool, RunOptions, execute
from proctor.rollout.fleet import Coordinator, FleetOptions, LocalAgent
from proctor.rollout.fleet import _messages as wire
from proctor.rollout.fleet._coordinator import mujoco_version

POLICY = PolicySpec(name="stub", fingerprint="stub")
WORLD = EnvSpec(name="stub", cameras=("agentview",), fingerprint={"mujoco": "none"})
DONE = Outcome(True, 0.05, 1, 0.05, 0.0, (), (), "0" * 16)


class OneStepEnv:
    """Ends in success after one step."""

    def spec(self) -> EnvSpec:
        return WORLD

    def reset(self, episode: EpisodeSpec) -> None:
        self._instruction = episode.instruction

    def observe(self, cameras: tuple[str, ...], image_size: int) -> Observation:
        return Observation({}, np.zeros(8), self._instruction, 0)

    def step(self, action: np.ndarray) -> Step:
        return Step(success=True, cost=0.0)

    def finish(self) -> Outcome:
        return DONE

    def close(self) -> None: ...


def plan_of(episodes: int, policy: str = "noop") -> Plan:
    task = PlanTask("stub/L0/t@v1", "stub", "L0", "hash", "Do it", 5, "/none.cbddl")
    return Plan((task,), episodes, 7, policy)


def answer(address: str, name: str) -> None:
    """Be an agent that finishes every episode at once."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(address)
        versions = {"proctor": __version__, "mujoco": mujoco_version()}
        hello = {"v": wire.VERSION, "token": "", "host": name, "pid": 1, "capacity": 8, **versions}
        socket.send_multipart(wire.pack("hello", **hello))
        while (message := wire.unpack(socket.recv_multipart()))["t"] != "done":
            if message["t"] == "welcome":
                socket.send_multipart(wire.pack("ready", policy=wire.as_map(POLICY), env=wire.as_map(WORLD)))
            for episode in message.get("episodes", ()):
                assignment = wire.rebuild_assignment(episode)
                row = make_row(assignment.spec, POLICY, WORLD, status="completed", outcome=DONE)
                socket.send_multipart(wire.pack("row", row=row.to_json(), files={}))


def rss_mib() -> float:
    """Return the memory that this process occupies."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def timed(plan: Plan, out: Path, options: RunOptions, source) -> tuple[float, float]:
    """Return episodes per second between the first row and the last, and MiB of growth since a tenth of the plan.

    Starting processes does not count.
    """
    first = last = early = growth = 0.0
    count = 0

    class Clock:
        def begin(self, total: int, done: int) -> None: ...

        def row(self, episode: object) -> None:
            nonlocal first, last, early, growth, count
            last = time.perf_counter()
            first = first or last
            count += 1
            if count == len(plan) // 10:
                early = rss_mib()
            if count == len(plan):
                growth = rss_mib() - early

    result = execute(plan, out, options, source=source, progress=Clock())
    assert (result.ran, result.errors) == (len(plan), 0)
    return (count - 1) / (last - first), growth


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20000, help="for the stub agents")
    parser.add_argument("--agents", type=int, default=2, help="stub agents")
    parser.add_argument("--pool-episodes", type=int, default=5000, help="for the worker, under pool and fleet")
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    options = RunOptions(workers=1, env="fleet:OneStepEnv")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        threads: list[threading.Thread] = []

        def announce(address: str, token: str) -> None:
            for number in range(args.agents):
                threads.append(threading.Thread(target=answer, args=(address, f"stub{number}"), daemon=True))
                threads[-1].start()

        stubs = partial(Coordinator, fleet=FleetOptions(announce=announce))
        ceiling, growth = timed(plan_of(args.episodes), root / "stubs", options, stubs)
        pool, _ = timed(plan_of(args.pool_episodes), root / "pool", options, Pool)
        agent = LocalAgent(1, root / "agent.log")
        local = partial(Coordinator, fleet=FleetOptions(launchers=(agent,)))
        fleet, _ = timed(plan_of(args.pool_episodes), root / "fleet", options, local)
    figures = {
        "coordinator_episodes_per_s": round(ceiling, 1),
        "pool_episodes_per_s": round(pool, 1),
        "fleet_episodes_per_s": round(fleet, 1),
        "fleet_over_pool": round(fleet / pool, 3),
        "coordinator_over_pool": round(ceiling / pool, 3),
        "rss_growth_mib": round(growth, 1),
        "agents": args.agents,
        "episodes": args.episodes,
        "machine": f"{os.cpu_count()} cores, {platform.processor() or platform.machine()}",
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
