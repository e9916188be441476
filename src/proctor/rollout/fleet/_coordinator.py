"""The run's side of a fleet: hands out leases, takes rows, and outlives its agents.

It lives inside the process that writes the run folder and yields rows as the local pool does. A host that is killed is
noticed when its connection closes, one that freezes or is cut off when it has been silent for a lease; either way its
episodes go to others. Observations never come here: agents run environment and policy, this end sees rows and files.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import zmq

from proctor import __version__
from proctor.core import EnvSpec, PolicySpec
from proctor.record import Episode
from proctor.wire import same_token

from .._options import RunOptions
from .._pool import WorkerError
from .._rows import make_row
from .._worker import Assignment, Job
from . import _messages as wire
from ._address import reachable, split_address, token_for, write_address
from ._errors import FleetError
from ._files import Inbox
from ._ledger import Ledger
from ._messages import MalformedError
from ._options import FleetOptions
from ._tasks import task_content

MAX_AGENTS = 4096
MAX_CAPACITY = 4096
_POLL_MS = 200
# Messages taken before rows are passed on: a flood from one host must not hold up the disk.
_BATCH = 256
_TEND_S = 1.0
_FAREWELL_S = 1.0


def mujoco_version() -> str:
    """Return the version of MuJoCo here without importing it; empty if it is not installed."""
    try:
        return version("mujoco")
    except PackageNotFoundError:
        return ""


@dataclass(slots=True)
class _Agent:
    host: str
    # Episodes at a time.
    capacity: int
    heard: float
    pinged: float
    ready: bool = False
    tasks: set[str] = field(default_factory=set)


class Coordinator:
    """Runs assignments on whatever agents come. Use as a context manager; interchangeable with the local `Pool`."""

    def __init__(
        self,
        job: Job,
        options: RunOptions,
        logs: Path,
        on_ready: Callable[[PolicySpec, EnvSpec], None],
        *,
        fleet: FleetOptions,
    ) -> None:
        assert options.episode.out is not None, "a fleet writes into a run folder"
        self._job, self._logs, self._on_ready, self._fleet = wire.job_map(job, options), logs, on_ready, fleet
        self._seats = options.envs_per_worker
        self._run_id = secrets.token_hex(8)
        self._token = token_for(fleet.listen, fleet.token)
        self._agents: dict[bytes, _Agent] = {}
        self._inbox = Inbox(options.episode.out)
        self._specs: tuple[PolicySpec, EnvSpec] | None = None
        self._ledger = Ledger(iter(()), 0)
        self._rows: list[tuple[bytes | None, Episode]] = []
        self._tended = 0.0
        self._address_file: Path | None = None
        self._handlers = {
            "hello": self._hello,
            "ready": self._ready,
            "failed": self._failed,
            "beat": lambda identity, agent, message: None,
            "file": self._file,
            "row": self._row,
            "bye": self._bye,
        }

    def __enter__(self) -> Coordinator:
        host, _ = split_address(self._fleet.listen, "--listen")
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        for option, value in (
            (zmq.MAXMSGSIZE, wire.MAX_FRAME),
            (zmq.RCVHWM, wire.HIGH_WATER),
            (zmq.LINGER, 1000),
            # Sending to a peer that has gone must fail, and sending to one that is slow must not block.
            (zmq.ROUTER_MANDATORY, 1),
        ):
            self._socket.setsockopt(option, value)
        try:
            self._socket.bind(self._fleet.listen)
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise FleetError(f"cannot listen at {self._fleet.listen}: {error.strerror}; choose another port") from None
        port = self._socket.getsockopt_string(zmq.LAST_ENDPOINT).rpartition(":")[2]
        self.address = f"tcp://{reachable(host)}:{port}"
        try:
            self._logs.mkdir(exist_ok=True)
            self._address_file = write_address(self._logs, self.address, self._token)
            self._fleet.announce(self.address, self._token)
            for launcher in self._fleet.launchers:
                launcher.start(self.address, self._token)
        except BaseException:
            # A socket that stays open keeps its address, and whoever collects its context waits for it for ever.
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        if self._address_file is not None:
            self._address_file.unlink(missing_ok=True)
        for identity in list(self._agents):
            self._send(identity, wire.pack("done"))
        self._dismiss()
        self._socket.close(linger=1000)
        self._context.term()
        for launcher in self._fleet.launchers:
            launcher.stop()
        if self._logs.is_dir() and not any(self._logs.iterdir()):
            self._logs.rmdir()

    def _dismiss(self) -> None:
        """Tell those who are just joining, or coming back, that it is over; a moment of silence ends it."""
        deadline = time.monotonic() + _FAREWELL_S
        while time.monotonic() < deadline and self._socket.poll(_POLL_MS):
            identity, *_ = self._socket.recv_multipart()
            self._send(identity, wire.pack("done"))

    def run(self, todo: Iterator[Assignment], count: int, stop: Callable[[], bool]) -> Iterator[list[Episode]]:
        """Yield a row for each of the ``count`` assignments, in groups that arrived together, until ``stop()``."""
        self._ledger = Ledger(todo, count)
        while self._ledger.left and not stop():
            self._listen()
            self._lease_out()
            rows, self._rows = self._rows, []
            if rows:
                yield [row for _, row in rows]
            # Only now are they on record, and only now may the agents forget them.
            for sender, row in rows:
                if sender is not None:
                    self._send(sender, wire.pack("ack", id=row.episode_id))

    def _listen(self) -> None:
        """Take what has arrived; once nothing is left to take, look after the silent ones and say how things stand."""
        timeout = _POLL_MS
        for _ in range(_BATCH):
            if not self._socket.poll(timeout):
                break
            timeout = 0
            identity, *frames = self._socket.recv_multipart()
            self._hear(identity, frames)
        else:
            return
        now = time.monotonic()
        for identity, agent in list(self._agents.items()):
            if now - agent.heard > self._fleet.lease_s:
                self._lose(identity, f"was silent for {self._fleet.lease_s:g} s")
            elif now - agent.pinged > self._fleet.beat_s:
                agent.pinged = now
                self._send(identity, wire.pack("ping"))
        if now - self._tended > _TEND_S:
            self._tended = now
            notes = [launcher.tend() for launcher in self._fleet.launchers]
            self._fleet.say("; ".join([self._standing(), *filter(None, notes)]))

    def _standing(self) -> str:
        ready = [agent for agent in self._agents.values() if agent.ready]
        if not ready:
            starting = f" ({len(self._agents)} starting)" if self._agents else ""
            return f"waiting for agents{starting}: proctor worker {self.address}"
        hosts = len({agent.host.rpartition(":")[0] for agent in ready})
        workers = sum(agent.capacity for agent in ready) // self._seats
        return f"{workers} worker{'s'[: workers != 1]} on {hosts} host{'s'[: hosts != 1]}"

    def _hear(self, identity: bytes, frames: list[bytes]) -> None:
        agent = self._agents.get(identity)
        if agent is None and sum(map(len, frames)) > wire.MAX_HELLO:
            # Not unpacked: a megabyte of msgpack can become a hundred. An agent that was forgotten says hello again.
            self._send(identity, wire.pack("again"))
            return
        try:
            message = wire.unpack(frames)
            handler = self._handlers.get(message["t"])
            if handler is None:
                raise MalformedError(f"unknown message {message['t'][:20]!r}")
            if agent is None and message["t"] != "hello":
                self._send(identity, wire.pack("again"))
                return
            if agent is not None:
                agent.heard = time.monotonic()
            handler(identity, agent, message)
        except MalformedError as error:
            # A stranger who talks nonsense is not answered; an agent who does has to start over.
            if agent is not None:
                self._send(identity, wire.pack("again"))
                self._lose(identity, f"sent what cannot be understood ({error})")

    def _hello(self, identity: bytes, agent: _Agent | None, message: dict[str, Any]) -> None:
        token, host = wire.text(message, "token"), wire.text(message, "host", 200)
        capacity = wire.number(message, "capacity", 1, MAX_CAPACITY)
        name = f"{host}:{wire.number(message, 'pid', 0, 2**31)}"
        if not same_token(token, self._token):
            self._refuse(identity, host, "wrong token: give the one that the run printed, with --token")
            return
        theirs = {which: wire.text(message, which, 50) for which in ("proctor", "mujoco")}
        theirs["protocol"] = str(wire.number(message, "v", 0, 2**31))
        ours = {"protocol": str(wire.VERSION), "proctor": __version__, "mujoco": mujoco_version()}
        for which, mine in ours.items():
            if theirs[which] != mine:
                what = f"{host} has {which} {theirs[which] or 'not installed'}, this run has {mine or 'none'}"
                self._refuse(identity, host, f"{what}: install the same version there")
                return
        if len(self._agents) >= MAX_AGENTS:
            self._refuse(identity, host, f"this run has {MAX_AGENTS} agents already")
            return
        if agent is not None:
            self._forget(identity, agent, running=0)
        now = time.monotonic()
        self._agents[identity] = _Agent(name, capacity * self._seats, heard=now, pinged=now)
        self._send(identity, wire.pack("welcome", run=self._run_id, lease_s=self._fleet.lease_s, **self._job))

    def _ready(self, identity: bytes, agent: _Agent, message: dict[str, Any]) -> None:
        specs = wire.rebuild_specs(message)
        if self._specs is None:
            self._on_ready(*specs)
            self._specs = specs
        elif specs != self._specs:
            line = f"{agent.host} {_difference(self._specs, specs)}: make it equal to the other hosts"
            self._refuse(identity, agent.host, line)
            self._lose(identity, "")
            return
        agent.ready = True
        self._tended = 0.0

    def _failed(self, identity: bytes, agent: _Agent, message: dict[str, Any]) -> None:
        line = wire.text(message, "line")
        self._lose(identity, f"cannot go on: {line}", running=0)
        if self._specs is None:
            # Nothing has run yet, and most likely it is the command that is wrong.
            raise WorkerError(f"{line} (on {agent.host})")

    def _bye(self, identity: bytes, agent: _Agent, message: dict[str, Any]) -> None:
        self._lose(identity, "has left", running=0)

    def _file(self, identity: bytes, agent: _Agent, message: dict[str, Any]) -> None:
        episode, kind, data = wire.text(message, "id", 64), wire.text(message, "kind", 64), message.get("body")
        if not isinstance(data, bytes) or len(data) > wire.CHUNK:
            raise MalformedError("a piece of a file without its bytes")
        if self._ledger.is_out(episode):
            self._inbox.add(identity, episode, kind, wire.number(message, "offset", 0, 2**40), data)

    def _row(self, identity: bytes, agent: _Agent, message: dict[str, Any]) -> None:
        try:
            row = Episode.from_json(message["row"])
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedError(f"row: {error}") from None
        episode = row.episode_id
        if self._ledger.is_out(episode) and not self._inbox.has(identity, episode, wire.mapping(message, "files")):
            raise MalformedError("a row whose files are not here")
        settled = self._ledger.settle(identity, episode, completed=row.status == "completed")
        if settled.accepted:
            self._rows.append((identity, self._inbox.keep(identity, row)))
        else:
            self._inbox.discard(identity, episode)
            self._send(identity, wire.pack("ack", id=episode))
        if settled.other is not None:
            self._send(settled.other, wire.pack("drop", ids=[episode]))

    def _lease_out(self) -> None:
        fleet = sum(agent.capacity for agent in self._agents.values() if agent.ready)
        for identity, agent in list(self._agents.items()):
            if agent.ready and (count := self._ledger.wanted(identity, agent.capacity, fleet)):
                self._lease(identity, agent, count)

    def _lease(self, identity: bytes, agent: _Agent, count: int) -> None:
        episodes: list[dict[str, Any]] = []
        tasks: dict[str, Any] = {}
        size = 0
        while len(episodes) < count and size < wire.MAX_LEASE:
            assignment = self._ledger.take(identity)
            if assignment is None:
                break
            spec = assignment.spec
            if spec.task_hash not in agent.tasks and spec.task_hash not in tasks:
                content = task_content(spec)
                if content is not None:
                    tasks[spec.task_hash] = content
                    size += len(content["data"])
            episodes.append(wire.assignment_map(assignment))
        if not episodes:
            return
        if self._send(identity, wire.pack("lease", episodes=episodes, tasks=tasks)):
            agent.tasks |= set(tasks)
            return
        for episode in reversed(episodes):
            self._ledger.give_back(identity, episode["id"])

    def _send(self, identity: bytes, frames: list[bytes]) -> bool:
        """Send if the peer can take it now; one that is gone is given up."""
        try:
            self._socket.send_multipart([identity, *frames], flags=zmq.NOBLOCK)
        except zmq.Again:
            return False
        except zmq.ZMQError:
            self._lose(identity, "is gone")
            return False
        return True

    def _refuse(self, identity: bytes, host: str, line: str) -> None:
        self._send(identity, wire.pack("refuse", line=line))
        self._fleet.note(f"{host} was refused: {line}")

    def _lose(self, identity: bytes, why: str, *, running: int | None = None) -> None:
        agent = self._agents.get(identity)
        if agent is None:
            return
        held = self._ledger.held(identity)
        self._forget(identity, agent, running=agent.capacity if running is None else running)
        if why:
            goes = f"; its {held} episode{'s'[: held != 1]} go to others" if held else ""
            self._fleet.note(f"{agent.host} {why}{goes}")

    def _forget(self, identity: bytes, agent: _Agent, *, running: int) -> None:
        del self._agents[identity]
        self._inbox.discard(identity)
        for lost in self._ledger.lose(identity, agent.host, running=running):
            assert self._specs is not None, "nothing is leased before an agent was ready"
            error = f"the host that ran it was lost {len(lost.hosts)} times: {', '.join(lost.hosts)}"
            spec, attempt = lost.assignment.spec, lost.assignment.attempt
            row = make_row(spec, *self._specs, status="infra_error", error=error, attempt=attempt)
            self._rows.append((None, row))


def _difference(ours: tuple[PolicySpec, EnvSpec], theirs: tuple[PolicySpec, EnvSpec]) -> str:
    """Return the first thing in which the specs of two hosts differ."""
    for what, mine, other in zip(("policy", "environment"), ours, theirs, strict=True):
        old, new = wire.as_map(mine), wire.as_map(other)
        for name in old:
            if old[name] != new[name]:
                return f"has another {what} ({name} {new[name]!r}, the run has {old[name]!r})"
    return "differs"
