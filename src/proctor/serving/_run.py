"""From the arguments of ``proctor serve`` to a running server, and to its end."""

from __future__ import annotations

import contextlib
import importlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from proctor.core import write_whole
from proctor.policies import is_url, load_policy, parse_policy
from proctor.policies.wire import is_loopback, require_token

from ._engine import Engine
from ._http import MetricsServer
from ._process import process_devices
from ._replica import EngineError

# wire -> module with serve_forever(engine, host, port, token, stop, on_ready)
FRONT_ENDS = {
    "proctor": "proctor.serving._proctor",
    "openpi": "proctor.serving._openpi",
    "roboarena": "proctor.serving._roboarena",
    "gr00t": "proctor.serving._gr00t",
    "vla-eval": "proctor.serving._vla_eval",
}
_STEP_S = 0.05


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve, apart from what."""

    wire: str = "proctor"
    host: str = "127.0.0.1"
    port: int = 8000
    socket: str = ""
    token: str = ""
    replicas: int = 1
    max_batch: int = 16
    metrics_port: int | None = None
    ready_file: Path | None = None
    drain_s: float = 30.0


def run_server(policy: str, args: Sequence[str], options: ServeOptions, say: Callable[[str], None]) -> None:
    """Serve until a signal; returns when everything under way has ended, raises a `ProctorError` if it cannot serve."""
    if is_url(policy):
        raise EngineError(f"policy {policy!r} is served already: name a class, or use the URL in 'proctor run'")
    name, values = parse_policy(policy, args)
    if options.socket and options.wire != "proctor":
        raise EngineError(f"--socket is for the proctor wire, not for {options.wire}")
    if not options.socket:
        require_token(options.host, options.token)
    _Server(name, values, options, say).run()


class _Server:
    def __init__(self, name: str, values: dict[str, Any], options: ServeOptions, say: Callable[[str], None]) -> None:
        self.name, self.options, self.say = name, options, say
        self.stop = threading.Event()
        self.problem = ""
        self.address = ""
        self._signals = 0
        if options.replicas == 1:
            factory = partial(load_policy, name, values)
            # Only our own front-end can drive an engine by itself; the others live in asyncio's loop.
            self.engine = Engine(factory, max_batch=options.max_batch, name=name, threaded=options.wire != "proctor")
        else:
            devices = process_devices(name, values, options.replicas)
            self.engine = Engine(max_batch=options.max_batch, name=name, devices=devices)

    def run(self) -> None:
        options = self.options
        front = importlib.import_module(FRONT_ENDS[options.wire]).serve_forever
        extra = {"endpoint": f"ipc://{options.socket}"} if options.socket else {}
        try:
            with self._heed_signals(), self._metrics():
                front(self.engine, options.host, options.port, options.token, self.stop, self._listening, **extra)
        finally:
            self.engine.stop()
        if self.problem:
            raise EngineError(self.problem)

    def _listening(self, port: int) -> None:
        host = self.options.host if ":" not in self.options.host else f"[{self.options.host}]"
        self.address = f"{self.options.wire}://{self.options.socket or f'{host}:{port}'}"
        threading.Thread(target=self._announce, name="announce", daemon=True).start()

    def _announce(self) -> None:
        """Say where the policy is once it is loaded; a policy that cannot be loaded ends the server."""
        try:
            spec = self.engine.wait()
        except EngineError as error:
            self.problem = "" if self.engine.status() == "draining" else str(error)
            self.stop.set()
            return
        with_token = " --policy-arg token=..." if self.options.token else ""
        hint = "" if is_loopback(self.options.host) else " (use this host's name from another one)"
        self.say(
            f"{spec.name} ({spec.fingerprint}) is served on {self.address}; examine it with: "
            f"proctor run arena --policy {self.address}{with_token}{hint}"
        )
        if self.options.ready_file is not None:
            # Whoever waits for the file reads the whole line.
            write_whole(self.options.ready_file, f"{self.address}\n".encode())

    @contextlib.contextmanager
    def _metrics(self) -> Iterator[None]:
        if self.options.metrics_port is None:
            yield
            return
        with MetricsServer(self.engine, self.options.host, self.options.metrics_port) as server:
            self.say(f"metrics on http://{self.options.host}:{server.port}/metrics, health on /health")
            yield

    @contextlib.contextmanager
    def _heed_signals(self) -> Iterator[None]:
        """The first signal drains, the second ends at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, frame: FrameType | None) -> None:
            self._signals += 1
            if self._signals == 1:
                self.engine.drain()
                threading.Thread(target=self._drain, name="drain", daemon=True).start()
            else:
                self.stop.set()

        previous = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _drain(self) -> None:
        self.say(f"stopping: no new episodes, {self.engine.episodes()} under way")
        deadline = time.monotonic() + self.options.drain_s
        while time.monotonic() < deadline and (self.engine.episodes() or self.engine.outstanding()):
            time.sleep(_STEP_S)
        self.stop.set()
