"""Proctor's own wire in front of an engine: one thread owns the socket, the engine's threads wake it with answers."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from proctor import __version__
from proctor.core import EnvSpec, EpisodeSpec, Observation, PolicySpec, SpecMismatchError, require_compatible
from proctor.policies import describe_exception
from proctor.policies.wire import (
    BindError,
    FrameError,
    Message,
    Router,
    WireError,
    decode,
    encode,
    keep_freed_memory,
    observation_from,
    open_block,
    same_token,
    short_line,
    spec_from_map,
    spec_to_map,
    tcp_endpoint,
)

from ._engine import Engine
from ._replica import Answer, EngineError

_STOP_CHECK_S = 0.1
_SWEEP_S = 60.0
_FORGET_S = 3600.0


def serve_forever(
    engine: Engine,
    host: str,
    port: int,
    token: str,
    stop: threading.Event,
    on_ready: Callable[[int], None],
    *,
    endpoint: str = "",
) -> None:
    """Answer clients until ``stop``; ``on_ready`` hears the port. ``endpoint`` takes the place of host and port."""
    try:
        router = Router(endpoint or tcp_endpoint(host, port))
    except BindError as error:
        raise WireError(f"{error}; choose another --port (0 takes a free one)") from None
    front = ProctorFront(engine, router, token)
    try:
        on_ready(router.port)
        if not engine.threaded:
            front.greet_while(engine.load)
        front.run(stop)
    finally:
        front.close()


@dataclass(slots=True)
class _Peer:
    """A connection: the shared block it offered, and when it was heard of last."""

    block: memoryview | None
    seen: float


class ProctorFront:
    """Reads requests, hands them to the engine and sends what comes of them, in whatever order that happens."""

    def __init__(self, engine: Engine, router: Router, token: str) -> None:
        self._engine, self._router, self._token = engine, router, token
        self._peers: dict[bytes, _Peer] = {}
        self._texts: dict[str, str] = {}
        self._answers: deque[tuple[bytes, int, str, Future[Any]]] = deque()
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._write_fd, False)
        self._owner = threading.get_ident()
        self._swept = time.monotonic()
        router.watch(self._read_fd)
        keep_freed_memory()

    def greet_while(self, load: Callable[[], None]) -> None:
        """Build the policy in this thread, which will call it from then on; another one answers clients meanwhile."""
        loaded = threading.Event()
        greeter = threading.Thread(target=self._serve, args=(loaded, lambda: None), name="greeter")
        greeter.start()
        try:
            load()
        finally:
            loaded.set()
            greeter.join()

    def run(self, stop: threading.Event) -> None:
        """Serve until ``stop`` is set and everything that was asked before has its answer."""
        self._serve(stop, (lambda: None) if self._engine.threaded else self._engine.step)

    def _serve(self, stop: threading.Event, step: Callable[[], float | None]) -> None:
        self._owner = threading.get_ident()
        wait_s: float | None = None
        while True:
            last = stop.is_set()
            pause_s = 0.0 if last else _STOP_CHECK_S if wait_s is None else min(wait_s, _STOP_CHECK_S)
            if self._read_fd in self._router.wait(pause_s):
                os.read(self._read_fd, 4096)
            self._router.each(self._handle)
            wait_s = step()
            self._flush()
            self._sweep()
            if last and not self._engine.outstanding():
                self._flush()
                return

    def close(self) -> None:
        self._router.close()
        os.close(self._read_fd)
        os.close(self._write_fd)

    def _handle(self, peer: bytes, frames: list[Any]) -> None:
        now = time.monotonic()
        known = self._peers.get(peer)
        number = 0
        try:
            message = decode(frames, known.block if known else None)
            number = message.id
            if known is not None:
                known.seen = now
            action = _ACTIONS.get(message.type)
            if action is None:
                raise FrameError(f"unknown message type {message.type[:40]!r}")
            action(self, peer, message)
        except (FrameError, SpecMismatchError, EngineError) as error:
            self._engine.metrics.error("frame" if isinstance(error, FrameError) else "refused")
            code = getattr(error, "code", "spec" if isinstance(error, SpecMismatchError) else "frame")
            self._fail(peer, number, str(error), code)
        except Exception as error:
            # A mistake of ours, or of the policy's spec: one peer hears of it, the others' episodes go on.
            self._engine.metrics.error("refused")
            self._fail(peer, number, f"the server failed: {describe_exception(error)}", "policy")

    def _hello(self, peer: bytes, message: Message) -> None:
        self._require_token(message)
        if self._engine.status() == "loading":
            self._send(peer, "loading", message.id)
            return
        spec = self._engine.spec
        if "env" in message.fields:
            require_compatible(spec, spec_from_map(EnvSpec, message.fields["env"]))
        session = self._engine.open()
        offer = message.fields.get("block")
        block = open_block(offer)
        self._peers[peer] = _Peer(block, time.monotonic())
        fields = {
            "session": session,
            "spec": spec_to_map(spec),
            "block": block is not None,
            "bell": block is not None and self._router.hang(peer, offer),
            "server": f"proctor {__version__}",
            "status": self._engine.status(),
        }
        self._send(peer, "welcome", message.id, fields)

    def _status(self, peer: bytes, message: Message) -> None:
        self._require_token(message)
        engine = self._engine
        counts = {"sessions": engine.sessions(), "episodes": engine.episodes(), "outstanding": engine.outstanding()}
        self._send(peer, "status", message.id, {"status": engine.status(), **counts})

    def _reset(self, peer: bytes, message: Message) -> None:
        session, instruction = _text(message, "session"), _text(message, "instruction")
        episode = spec_from_map(EpisodeSpec, message.fields.get("episode"))
        if self._engine.knows(session):
            self._texts[session] = instruction
        future = self._engine.begin(session, instruction, episode)
        future.add_done_callback(partial(self._done, peer, message.id, "ok"))

    def _act(self, peer: bytes, message: Message) -> None:
        session = _text(message, "session")
        instruction = _text(message, "instruction") if "instruction" in message.fields else self._texts.get(session, "")
        observation = observation_from(message, instruction)
        _require_pictures(self._engine.spec, observation)
        future = self._engine.act(session, observation)
        future.add_done_callback(partial(self._done, peer, message.id, "actions"))

    def _bye(self, peer: bytes, message: Message) -> None:
        session = _text(message, "session")
        self._engine.close(session)
        self._texts.pop(session, None)
        self._peers.pop(peer, None)
        self._send(peer, "ok", message.id)

    def _done(self, peer: bytes, number: int, type_: str, future: Future[Any]) -> None:
        """Called by whichever thread has the answer. The socket's own sends it at once: the client can go on."""
        if threading.get_ident() == self._owner:
            self._deliver(peer, number, type_, future)
            return
        self._answers.append((peer, number, type_, future))
        try:
            os.write(self._write_fd, b"\0")
        except OSError:
            # A full pipe wakes as well as one byte; a closed one has nobody to wake.
            return

    def _flush(self) -> None:
        while self._answers:
            self._deliver(*self._answers.popleft())

    def _deliver(self, peer: bytes, number: int, type_: str, future: Future[Any]) -> None:
        error = future.exception()
        if error is not None:
            self._fail(peer, number, str(error), error.code if isinstance(error, EngineError) else "policy")
            return
        value = future.result()
        if not isinstance(value, Answer):
            self._send(peer, type_, number)
            return
        timing = {"queue_s": value.queue_s, "compute_s": value.compute_s, "batch": value.batch}
        try:
            frames = encode(type_, number, timing, {"actions": value.actions})
        except FrameError as problem:
            self._fail(peer, number, f"the policy returned what cannot be sent: {problem}", "policy")
            return
        self._router.send(peer, frames)

    def _fail(self, peer: bytes, number: int, reason: str, code: str) -> None:
        """Say why not. A reason may quote the peer, or a policy's exception: it is cut to what a header can hold."""
        type_ = "refuse" if code in ("spec", "token") else "error"
        self._send(peer, type_, number, {"reason": short_line(reason), "code": code})

    def _send(self, peer: bytes, type_: str, number: int, fields: dict[str, Any] | None = None) -> None:
        self._router.send(peer, encode(type_, number, fields))

    def _require_token(self, message: Message) -> None:
        if not same_token(message.fields.get("token"), self._token):
            raise EngineError("the token is missing or wrong: give the server's with --policy-arg token=...", "token")

    def _sweep(self) -> None:
        """Forget connections that were silent for an hour, with the memory they share, and texts of closed sessions."""
        now = time.monotonic()
        if now - self._swept > _SWEEP_S:
            self._swept = now
            self._peers = {peer: state for peer, state in self._peers.items() if now - state.seen < _FORGET_S}
            self._texts = {session: text for session, text in self._texts.items() if self._engine.knows(session)}


_ACTIONS: dict[str, Callable[[ProctorFront, bytes, Message], None]] = {
    "hello": ProctorFront._hello,
    "status": ProctorFront._status,
    "reset": ProctorFront._reset,
    "act": ProctorFront._act,
    "bye": ProctorFront._bye,
}


def _text(message: Message, name: str) -> str:
    value = message.fields.get(name)
    if not isinstance(value, str):
        raise FrameError(f"{message.type!r} has no text {name!r}")
    return value


def _require_pictures(spec: PolicySpec, observation: Observation) -> None:
    expected = (spec.image_size, spec.image_size, 3)
    for camera in spec.cameras:
        image = observation.images.get(camera)
        if image is None:
            raise FrameError(f"the observation has no picture of camera {camera!r}, which policy {spec.name!r} needs")
        if image.shape != expected:
            raise FrameError(f"the picture of {camera!r} is {image.shape}, policy {spec.name!r} needs {expected}")
    # One infinite or undefined number makes the sum so.
    if observation.state.shape != (spec.state_dim,) or not math.isfinite(np.add.reduce(observation.state)):
        raise FrameError(f"the state is {observation.state.shape} or not finite, policy needs ({spec.state_dim},)")
