"""Policies to serve, and servers in a thread or in a process of their own, always on a free port."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies import SingleSession
from proctor.policies.remote import RemotePolicy
from proctor.serving import FRONT_ENDS, Engine

HERE = Path(__file__).parent
PATIENCE_S = 60.0
serve_forever = importlib.import_module(FRONT_ENDS["proctor"]).serve_forever


def episode(number: int = 0, **values: Any) -> EpisodeSpec:
    return EpisodeSpec("suite", "task", "L0", "hash", number, number, "pick", "policy", **values)


def seen(step: int = 0, value: int = 0, size: int = 32, cameras: tuple[str, ...] = ("agentview",)) -> Observation:
    images = {camera: np.full((size, size, 3), value, np.uint8) for camera in cameras}
    return Observation(images, np.arange(8.0), "pick", step)


class Echo:
    """Answers with what it saw: the picture's value, the step, its session's count of calls and the batch's size.

    ``trouble`` in the instruction makes it misbehave.
    """

    def __init__(self, forward_s: float = 0.0, name: str = "echo", load_s: float = 0.0) -> None:
        time.sleep(load_s)
        self.forward_s, self.name = forward_s, name
        self.calls: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.batches: list[list[str]] = []
        self.threads: set[int] = {threading.get_ident()}
        self.release = threading.Event()

    def spec(self) -> PolicySpec:
        return PolicySpec(self.name, cameras=("agentview",), image_size=32, chunk=4, fingerprint=f"{self.name}-1")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        if instruction == "refuse":
            raise RuntimeError("no such object")
        self.calls[session], self.texts[session] = 0, instruction

    def act_batch(self, sessions: Any, observations: Any) -> list[Any]:
        self.threads.add(threading.get_ident())
        self.batches.append(list(sessions))
        if any(self.texts[session] == "block" for session in sessions):
            assert self.release.wait(PATIENCE_S)
        time.sleep(self.forward_s)
        return [self._one(s, o, len(sessions)) for s, o in zip(sessions, observations, strict=True)]

    def _one(self, session: str, observation: Observation, size: int) -> Any:
        self.calls[session] += 1
        text = self.texts[session]
        if text == "die":
            os._exit(7)
        if text == "raise":
            raise ValueError("the model has no more memory")
        if text == "shout":
            raise ValueError("no " * 1_000_000)
        if text == "shape":
            return np.zeros((4, 6))
        if text == "long":
            return np.zeros((5, 7))
        if text == "nan":
            return np.full((1, 7), np.nan)
        if text == "text":
            return np.array([["a"] * 7])
        value = float(observation.images["agentview"].mean()) / 255.0
        return np.array([value, observation.step / 1000.0, self.calls[session] / 1000.0, size / 1000.0, 0, 0, -1.0])

    def end(self, session: str) -> None:
        del self.calls[session], self.texts[session]


class Counter:
    """A plain policy with state of its own: it counts its calls since reset."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.count = 0

    def spec(self) -> PolicySpec:
        return PolicySpec("counter", fingerprint="counter-1")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.count = 0
        self.bad = instruction == "raise"

    def act(self, observation: Observation) -> Any:
        if self.bad:
            raise ValueError("cannot")
        self.count += 1
        return np.full(7, self.count / 1000.0)


@contextlib.contextmanager
def served(policy: Any, *, token: str = "", threaded: bool = False) -> Iterator[tuple[str, Engine]]:
    """Serve a `BatchPolicy` on the proctor wire in a thread; yield (url, engine)."""
    engine = Engine(lambda: SingleSession(policy), threaded=threaded)
    with fronted(engine, token=token) as url:
        yield url, engine


@contextlib.contextmanager
def fronted(engine: Engine, *, token: str = "", wait: bool = True) -> Iterator[str]:
    stop, ready = threading.Event(), threading.Event()
    ports: list[int] = []

    def note(port: int) -> None:
        ports.append(port)
        ready.set()

    thread = threading.Thread(target=serve_forever, args=(engine, "127.0.0.1", 0, token, stop, note))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        if wait:
            engine.wait(PATIENCE_S)
        yield f"proctor://127.0.0.1:{ports[0]}"
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        engine.stop()


class Process:
    """``proctor serve`` as a user starts it."""

    def __init__(self, *arguments: str, folder: Path, wait: bool = True) -> None:
        self.ready = folder / "ready"
        self.ready.unlink(missing_ok=True)
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "proctor", "serve", *arguments, "--ready-file", str(self.ready)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if wait:
            until(self.ready.exists, alive=self.process)

    @property
    def url(self) -> str:
        return self.ready.read_text().strip()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, error = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, error


def until(condition: Callable[[], bool], alive: subprocess.Popen[str] | None = None) -> None:
    """Wait for a condition, for as long as the slowest machine may need."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert alive is None or alive.poll() is None, alive.communicate()
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@contextlib.contextmanager
def remote(url: str, **options: Any) -> Iterator[RemotePolicy]:
    policy = RemotePolicy(url, **options)
    try:
        yield policy
    finally:
        policy.close()
