"""Our side of the serving benchmark: policies to serve, a free simulator, and clients that ask as fast as they can."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import EnvSpec, EpisodeSpec, Observation, Outcome, PolicySpec, Step
from proctor.policies.remote import RemotePolicy

CAMERAS = ("agentview", "wrist")
# Requests after the common start that do not count: clients begin one after the other.
IN_STEP = 5
PICTURE = Path(__file__).parents[2] / "docs" / "img"


def pictures() -> dict[str, NDArray[np.uint8]]:
    """Two rendered pictures of 256 x 256, cut out of the documentation's: noise would flatter every compression."""
    from PIL import Image

    path = sorted(PICTURE.glob("**/*.png"))[0]
    with Image.open(path) as image:
        whole = image.convert("RGB").resize((512, 512))
    pixels = np.asarray(whole)
    return {"agentview": np.ascontiguousarray(pixels[:256, :256]), "wrist": np.ascontiguousarray(pixels[256:, 256:])}


class Model:
    """Answers zeros after ``base_s`` + ``per_s`` for each observation in the batch: a forward without a model."""

    def __init__(self, base_s: float = 0.0, per_s: float = 0.0, chunk: int = 10) -> None:
        self.base_s, self.per_s, self.chunk = base_s, per_s, chunk

    def spec(self) -> PolicySpec:
        return PolicySpec("model", cameras=CAMERAS, chunk=self.chunk, fingerprint=f"model-{self.chunk}")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        pass

    def act_batch(self, sessions: Sequence[str], observations: Sequence[Observation]) -> list[Any]:
        if self.base_s:
            time.sleep(self.base_s + self.per_s * len(sessions))
        return [np.zeros((self.chunk, 7), np.float32) for _ in sessions]

    def end(self, session: str) -> None:
        pass


class FreeEnv:
    """A simulator that costs nothing: the same two pictures for ever."""

    def __init__(self) -> None:
        self._pictures = pictures()

    def spec(self) -> EnvSpec:
        return EnvSpec(name="free", cameras=CAMERAS)

    def reset(self, episode: EpisodeSpec) -> None:
        self._steps, self._text = 0, episode.instruction_sent

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        return Observation({name: self._pictures[name] for name in cameras}, np.zeros(8), self._text, self._steps)

    def step(self, action: NDArray[np.float64]) -> Step:
        self._steps += 1
        return Step(success=False, cost=0.0)

    def finish(self) -> Outcome:
        return Outcome(False, None, self._steps, self._steps / 20.0, 0.0, (), (), "")

    def close(self) -> None:
        pass


def client(url: str, requests: int, think_s: float, steps: int, shm: bool) -> None:
    """Ask ``requests`` times, ``steps`` simulated steps of ``think_s`` between; report times on standard output."""
    policy = RemotePolicy(url, shm=shm)
    policy.reset("pick", EpisodeSpec("s", "t", "L0", "h", 0, 0, "pick", "p"))
    observation = Observation(pictures(), np.zeros(8), "pick", 0)
    for _ in range(10):
        policy.act(observation)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(IN_STEP):
        policy.act(observation)
    began, times = time.monotonic(), []
    for _ in range(requests):
        asked = time.perf_counter()
        policy.act(observation)
        times.append(time.perf_counter() - asked)
        for _ in range(steps if think_s else 0):
            time.sleep(think_s)
    print(json.dumps({"began": began, "ended": time.monotonic(), "times": times}), flush=True)
    policy.close()


if __name__ == "__main__":
    _, _url, _requests, _think, _steps, _shm = sys.argv
    client(_url, int(_requests), float(_think), int(_steps), _shm == "1")
