"""A server of each foreign wire in a thread, and a policy that remembers what it was shown."""

from __future__ import annotations

import contextlib
import importlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, Policy, PolicySpec
from proctor.serving import FRONT_ENDS, Engine

WIRES = ("openpi", "roboarena", "gr00t", "vla-eval")
SIZE = 48
LIMIT_S = 60.0


@dataclass
class Witness:
    """Returns a chunk that says which step it belongs to, and keeps every observation and episode."""

    cameras: tuple[str, ...] = ("agentview", "wrist")
    chunk: int = 4
    seen: list[Observation] = field(default_factory=list)
    episodes: list[tuple[str, EpisodeSpec]] = field(default_factory=list)

    def spec(self) -> PolicySpec:
        return PolicySpec("witness", self.cameras, SIZE, chunk=self.chunk, fingerprint="witness-1")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.episodes.append((instruction, episode))

    def act(self, observation: Observation) -> NDArray[np.float64]:
        self.seen.append(observation)
        actions = np.linspace(-0.9, 0.9, self.chunk * 7).reshape(self.chunk, 7)
        actions[:, 0] = observation.step / 1000
        return actions


def episode(seed: int = 5, text: str = "pick the apple") -> EpisodeSpec:
    return EpisodeSpec("suite", "task", "L0", "hash", 3, seed, text, "p")


def observation(
    step: int = 0, text: str = "pick the apple", cameras: tuple[str, ...] = ("agentview", "wrist")
) -> Observation:
    rng = np.random.default_rng(step)
    images = {camera: rng.integers(0, 255, (SIZE, SIZE, 3), dtype=np.uint8) for camera in cameras}
    return Observation(images, np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.03, -0.03]), text, step)


@contextlib.contextmanager
def serving(wire: str, policy: Policy, token: str = "") -> Iterator[str]:
    """Serve ``policy`` on a free port and yield ``host:port``."""
    engine = Engine(lambda: policy, name="test")
    stop, ready = threading.Event(), threading.Event()
    found: list[Any] = []

    def on_ready(port: int) -> None:
        found.append(port)
        ready.set()

    def run() -> None:
        try:
            importlib.import_module(FRONT_ENDS[wire]).serve_forever(engine, "127.0.0.1", 0, token, stop, on_ready)
        except BaseException as error:
            found.append(error)
            ready.set()
            raise

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        engine.wait(LIMIT_S)
        assert ready.wait(LIMIT_S)
        assert isinstance(found[0], int), found
        yield f"127.0.0.1:{found[0]}"
    finally:
        stop.set()
        thread.join(LIMIT_S)
        engine.stop()
        assert not thread.is_alive(), "the server did not stop"
