"""An agent: joins a run, runs what it is leased on a pool of its own, sends rows and files back.

A row is kept until the run says that it is on record. An agent that was cut off, or was frozen and wakes, is asked to
introduce itself again; it then sends what it has finished meanwhile, and the run takes what nobody else has finished.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zmq

from proctor import __version__

from .._signals import interrupt_flag
from . import _messages as wire
from ._address import find_address
from ._coordinator import mujoco_version
from ._crew import Crew
from ._errors import FleetError
from ._files import Parcel
from ._messages import MalformedError
from ._tasks import TaskCache

_TICK_S = 0.2
_HELLO_EVERY_S = 2.0


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """``where`` is ``tcp://host:port`` or a run folder that says it. ``patience_s``: how long to look for a run that
    does not answer, at the start and when it has gone. ``over``: a file that will exist once no run is to be expected.
    """

    where: str
    token: str = ""
    workers: int = 1
    patience_s: float = 60.0
    say: Callable[[str], None] = print
    over: Path | None = None


def work(options: AgentOptions) -> None:
    """Take part in a run until it is over; raises `FleetError` if it refuses or cannot be found."""
    if options.workers < 1:
        raise FleetError(f"--workers is {options.workers}: it must be at least 1")
    with tempfile.TemporaryDirectory(prefix="proctor-agent-") as scratch, interrupt_flag() as stopped:
        agent = _Agent(options, Path(scratch))
        try:
            agent.run(stopped)
        finally:
            agent.close()


class _Agent:
    def __init__(self, options: AgentOptions, scratch: Path) -> None:
        self._options, self._scratch = options, scratch
        self._context = zmq.Context()
        self._socket: zmq.Socket[bytes] | None = None
        self._token = ""
        self._run_id = ""
        self._crew: Crew | None = None
        self._tasks = TaskCache(scratch / "tasks-0")
        self._runs = 0
        self._welcome = self._announced = self._over = False
        self._lease_s = 15.0
        self._parcels: dict[str, Parcel] = {}
        self._sending: deque[Iterator[list[bytes]]] = deque()
        self._next: list[bytes] | None = None
        self._heard = self._hello_at = self._beat_at = 0.0

    def run(self, stopped: threading.Event) -> None:
        missing_since = time.monotonic()
        while not self._over:
            if stopped.is_set():
                self._send(wire.pack("bye"))
                return
            now = time.monotonic()
            if self._welcome:
                missing_since = now
            elif self._options.over is not None and self._options.over.exists():
                self._options.say("the run is over")
                return
            elif now - missing_since > self._options.patience_s:
                raise FleetError(f"no run answers at {self._options.where} (looked for {self._options.patience_s:g} s)")
            self._connect(now)
            self._listen()
            if self._welcome and self._crew is not None:
                self._work(self._crew)
            # Twice the time that the run grants us: it may be busy with its disk.
            if self._socket is not None and now - self._heard > 2 * self._lease_s:
                self._disconnect()

    def close(self) -> None:
        if self._crew is not None:
            self._crew.stop()
        self._disconnect(linger_ms=1000)
        self._context.term()

    def _connect(self, now: float) -> None:
        if self._socket is None:
            found = find_address(self._options.where, self._options.token)
            if found is None:
                # A run that was killed leaves its address behind; one that has ended takes it away.
                self._over = bool(self._run_id)
                time.sleep(_TICK_S)
                return
            address, self._token = found
            self._socket = self._context.socket(zmq.DEALER)
            self._socket.setsockopt(zmq.MAXMSGSIZE, wire.MAX_FRAME)
            self._socket.setsockopt(zmq.SNDHWM, wire.HIGH_WATER)
            # Nothing is queued for a connection that does not stand: a new one is a new session.
            self._socket.setsockopt(zmq.IMMEDIATE, 1)
            self._socket.connect(address)
            self._heard, self._hello_at = now, 0.0
        if not self._welcome and now - self._hello_at > _HELLO_EVERY_S and self._hello():
            self._hello_at = now

    def _disconnect(self, linger_ms: int = 0) -> None:
        if self._socket is not None:
            self._socket.close(linger=linger_ms)
        self._socket, self._welcome = None, False

    def _hello(self) -> bool:
        return self._send(
            wire.pack(
                "hello",
                v=wire.VERSION,
                token=self._token,
                proctor=__version__,
                mujoco=mujoco_version(),
                host=socket.gethostname(),
                pid=os.getpid(),
                capacity=self._options.workers,
            )
        )

    def _send(self, frames: list[bytes]) -> bool:
        if self._socket is None:
            return False
        try:
            self._socket.send_multipart(frames, flags=zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def _listen(self) -> None:
        if self._socket is None:
            return
        poller = zmq.Poller()
        # A message that waits for the wire wakes us when the wire can take it.
        waiting = self._next is not None and self._welcome
        poller.register(self._socket, zmq.POLLIN | (zmq.POLLOUT if waiting else 0))
        if self._crew is not None:
            poller.register(self._crew.bell, zmq.POLLIN)
        poller.poll(round(1000 * _TICK_S))
        while not self._over and self._socket is not None and self._socket.poll(0):
            frames = self._socket.recv_multipart()
            with contextlib.suppress(MalformedError):
                self._heard = time.monotonic()
                self._obey(wire.unpack(frames))

    def _obey(self, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "refuse":
            raise FleetError(f"the run at {self._options.where} refused: {wire.text(message, 'line')}")
        if kind == "welcome":
            self._join(message)
        elif kind == "again":
            self._welcome = False
        elif kind == "done":
            self._over = True
        elif kind == "ack":
            self._settle(wire.text(message, "id", 64))
        elif self._crew is not None and kind == "lease":
            self._tasks.add(wire.mapping(message, "tasks"))
            assignments = map(wire.rebuild_assignment, message.get("episodes") or ())
            self._crew.add([self._tasks.localise(assignment) for assignment in assignments])
        elif self._crew is not None and kind == "drop":
            self._crew.drop(str(identity) for identity in message.get("ids") or ())

    def _join(self, message: dict[str, Any]) -> None:
        """Begin with a run, or go on with it after a break: what had not begun is the run's again."""
        run = wire.text(message, "run", 64)
        self._lease_s = float(message["lease_s"])
        self._sending.clear()
        self._next = None
        if self._crew is not None and run == self._run_id:
            self._crew.forget()
            self._sending.extend(parcel.messages() for parcel in self._parcels.values())
        else:
            self._begin(run, message)
        self._welcome, self._announced = True, False

    def _begin(self, run: str, message: dict[str, Any]) -> None:
        if self._crew is not None:
            self._crew.stop()
            self._crew = None
        self._parcels.clear()
        self._runs += 1
        folder = self._scratch / str(self._runs)
        shutil.rmtree(self._scratch / str(self._runs - 1), ignore_errors=True)
        folder.mkdir()
        self._tasks = TaskCache(folder / "tasks")
        job, options = wire.rebuild_job(message, parent=os.getpid(), workers=self._options.workers, out=folder)
        self._run_id, self._crew = run, Crew(job, options, folder / "logs")
        self._options.say(f"joined {self._options.where} with {self._options.workers} workers")

    def _work(self, crew: Crew) -> None:
        if crew.failure:
            self._send(wire.pack("failed", line=crew.failure))
            raise FleetError(crew.failure)
        if crew.specs is not None and not self._announced:
            policy, env = crew.specs
            self._announced = self._send(wire.pack("ready", policy=wire.as_map(policy), env=wire.as_map(env)))
        for row in crew.rows():
            parcel = self._parcels[row.episode_id] = Parcel(row, self._scratch / str(self._runs))
            self._sending.append(parcel.messages())
        crew.backlog = len(self._parcels)
        while self._next is not None or self._sending:
            if self._next is None:
                self._next = next(self._sending[0], None)
            if self._next is None:
                self._sending.popleft()
            elif self._send(self._next):
                self._next = None
            else:
                break
        now = time.monotonic()
        if now - self._beat_at > self._lease_s / 5 and self._send(wire.pack("beat")):
            self._beat_at = now

    def _settle(self, identity: str) -> None:
        parcel = self._parcels.pop(identity, None)
        if parcel is not None:
            parcel.remove()
