"""A run with a coordinator in a thread, agents as processes, and agents that are only a socket."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import zmq
from proctor.rollout._rows import make_row

from proctor import __version__
from proctor.core import EnvSpec, Outcome, PolicySpec
from proctor.plan import Plan
from proctor.record import Episode, read_episodes, read_history
from proctor.rollout import EpisodeOptions, RunOptions, RunResult, execute
from proctor.rollout.fleet import Coordinator, FleetOptions
from proctor.rollout.fleet import _messages as wire
from proctor.rollout.fleet._coordinator import mujoco_version

ENV = "point_world:PointEnv"
# Only ever reached when something is broken; generous, because a busy machine starts processes slowly.
PATIENCE_S = 240.0
POLICY = PolicySpec(name="stub", fingerprint="stub-1")
WORLD = EnvSpec(name="stub", cameras=("agentview",), fingerprint={"mujoco": "none"})


@dataclass
class FleetRun:
    """``execute`` in a thread, listening on loopback."""

    plan: Plan
    out: Path
    lease_s: float = 15.0
    token: str = ""
    env_args: dict = field(default_factory=dict)
    episode: dict = field(default_factory=dict)
    listen: str = "tcp://127.0.0.1:0"
    launchers: tuple = ()

    def __enter__(self) -> FleetRun:
        self.notes: list[str] = []
        self.said: list[str] = []
        self.result: RunResult | None = None
        self.error: BaseException | None = None
        self.cancel = threading.Event()
        found: queue.Queue[tuple[str, str]] = queue.Queue()
        fleet = FleetOptions(
            listen=self.listen,
            token=self.token,
            lease_s=self.lease_s,
            launchers=self.launchers,
            announce=lambda address, token: found.put((address, token)),
            say=self.said.append,
            note=self.notes.append,
        )
        options = RunOptions(env=ENV, env_args=self.env_args, episode=EpisodeOptions(**self.episode))
        self.thread = threading.Thread(target=self._main, args=(options, fleet), daemon=True)
        self.thread.start()
        wait_until(lambda: not found.empty() or not self.thread.is_alive())
        self.address, self.given_token = ("", "") if found.empty() else found.get()
        return self

    def _main(self, options: RunOptions, fleet: FleetOptions) -> None:
        try:
            self.result = execute(self.plan, self.out, options, source=partial(_Cancellable, fleet=fleet, run=self))
        except BaseException as error:
            self.error = error

    def __exit__(self, *_) -> None:
        self.cancel.set()
        self.thread.join(timeout=PATIENCE_S)
        assert not self.thread.is_alive()

    def finish(self) -> RunResult:
        self.thread.join(timeout=PATIENCE_S)
        assert not self.thread.is_alive(), f"the run goes on: {self.said[-1:]} {self.notes}"
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result

    def wait_for_rows(self, count: int) -> None:
        wait_for_rows(self.out, count)

    def wait_for_note(self, text: str) -> None:
        wait_until(lambda: any(text in note for note in self.notes))

    def agent(self, workers: int = 1, *more: str, token: str = "") -> subprocess.Popen:
        return start_agent(self.address, workers, *more, token=token)


class _Cancellable(Coordinator):
    """A coordinator that a test can stop."""

    def __init__(self, *args, run: FleetRun, **more) -> None:
        super().__init__(*args, **more)
        self._cancelled = run.cancel.is_set

    def run(self, todo, count, stop):
        return super().run(todo, count, lambda: stop() or self._cancelled())


def start_agent(where: str, workers: int = 1, *more: str, token: str = "") -> subprocess.Popen:
    command = [sys.executable, "-m", "proctor", "worker", where, "--workers", str(workers), *more]
    environment = {**os.environ, "PROCTOR_FLEET_TOKEN": token}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def wait_until(condition) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def wait_for_rows(out: Path, count: int) -> None:
    wait_until(lambda: (out / "run.json").exists() and len(read_history(out)) >= count)


def exactly_once(plan: Plan, out: Path) -> list[Episode]:
    """Assert that the folder holds one completed row for each episode of the plan; return them."""
    history = read_history(out)
    assert sorted(row.episode_id for row in history) == sorted(spec.episode_id for spec in plan)
    assert {row.status for row in history} == {"completed"}
    return read_episodes(out)


class StubAgent:
    """Speaks the protocol and runs nothing."""

    def __init__(self, run: FleetRun, *, capacity: int = 1, host: str = "stub", **hello) -> None:
        # The process's own context: one that is collected with a socket still open waits for it for ever.
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(run.address)
        self.hello = {
            "v": wire.VERSION,
            "token": run.given_token,
            "proctor": __version__,
            "mujoco": mujoco_version(),
            "host": host,
            "pid": 1,
            "capacity": capacity,
            **hello,
        }
        self.leased: list[dict] = []
        self.blocks: list[int] = []
        self.tasks: dict[str, dict] = {}

    def say(self, kind: str, body: bytes | None = None, /, **values) -> None:
        self.socket.send_multipart(wire.pack(kind, body, **values))

    def hear(self, *kinds: str) -> dict:
        """Return the next message of one of these kinds; leases on the way are noted."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if self.socket.poll(100):
                message = wire.unpack(self.socket.recv_multipart())
                if message["t"] == "lease":
                    self.leased += message["episodes"]
                    self.blocks.append(len(message["episodes"]))
                    self.tasks |= message["tasks"]
                if message["t"] in kinds:
                    return message
        raise AssertionError(f"no {kinds} came")

    def greet(self) -> StubAgent:
        self.say("hello", **self.hello)
        self.hear("welcome")
        return self

    def join(self, policy: PolicySpec = POLICY, env: EnvSpec = WORLD) -> StubAgent:
        self.greet()
        self.say("ready", policy=wire.as_map(policy), env=wire.as_map(env))
        return self

    def row(self, episode: dict, *, status="completed", **more) -> Episode:
        assignment = wire.rebuild_assignment(episode)
        outcome = Outcome(True, 0.1, 2, 0.1, 0.0, (), (), f"hash-{self.hello['host']}")
        row = make_row(assignment.spec, POLICY, WORLD, status=status, outcome=outcome, attempt=assignment.attempt)
        return replace(row, host=self.hello["host"], **more)

    def report(self, episode: dict, *, files: dict[str, int] | None = None, **more) -> None:
        self.say("row", row=self.row(episode, **more).to_json(), files=files or {})

    def run_all(self) -> None:
        """Report every episode that is leased until the run is over."""
        while True:
            while self.leased:
                self.report(self.leased.pop(0))
            if self.hear("lease", "done")["t"] == "done":
                return

    def close(self) -> None:
        self.socket.close(linger=0)
