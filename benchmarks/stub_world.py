"""An environment that costs nothing, or some arithmetic: what is left of a run's time is the framework's."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from proctor.core import EnvSpec, EpisodeSpec, Observation, Outcome, Step


class StubEnv:
    """Succeeds after ``steps`` control steps.

    Each does ``work`` rounds of integer arithmetic, which hold the GIL, and sleeps for ``sleep_s``.
    """

    def __init__(self, steps: int = 5, work: int = 0, sleep_s: float = 0.0) -> None:
        self._limit, self._work, self._sleep_s = steps, work, sleep_s
        self._state = np.zeros(8)
        self._done = 0
        self._sum = 0

    def spec(self) -> EnvSpec:
        """Offer no camera."""
        return EnvSpec(name="stub", cameras=())

    def reset(self, episode: EpisodeSpec) -> None:
        """Begin at step 0."""
        self._done, self._sum = 0, episode.seed

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        """Return the same state every time."""
        return Observation({}, self._state, "", self._done)

    def step(self, action: NDArray[np.float64]) -> Step:
        """Count, and compute."""
        self._done += 1
        value = self._sum
        for _ in range(self._work):
            value = (value * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        self._sum = value
        if self._sleep_s:
            time.sleep(self._sleep_s)
        return Step(success=self._done >= self._limit, cost=0.0)

    def finish(self) -> Outcome:
        """Report what was counted."""
        good = self._done >= self._limit
        time_s = self._done / 20.0
        return Outcome(good, time_s if good else None, self._done, time_s, 0.0, (), (), f"{self._sum:016x}")

    def close(self) -> None:
        """Nothing to free."""
