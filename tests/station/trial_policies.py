"""Policies with habits, for the runner's tests; also loaded by name into processes of their own."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from proctor.core import EpisodeSpec, Observation, PolicySpec

START = np.array([0.0, -80.0, 80.0, 60.0, -60.0, 10.0])


class Wave:
    """Moves the first joint to and fro. ``habit`` decides what goes wrong at the third answer."""

    def __init__(
        self, habit: str = "", chunk: int = 15, mode: str = "joint_true_degrees_so101", hz: float = 30.0
    ) -> None:
        self.habit, self.chunk, self.mode, self.hz = habit, chunk, mode, hz
        self.calls = 0
        self.rng = np.random.default_rng(5)

    def spec(self) -> PolicySpec:
        return PolicySpec("secret_wave", ("top",), 64, 6, 6, self.mode, self.hz, self.chunk)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.calls = 0

    def act(self, observation: Observation) -> Any:
        assert observation.state.shape == (6,)
        assert observation.images["top"].shape == (64, 64, 3)
        self.calls += 1
        if self.calls >= 3 and self.habit:
            return self.misbehave()
        if self.habit == "mad":
            return self.rng.normal(0, 200, (self.chunk, 6))
        steps = observation.step + np.arange(self.chunk)
        out = np.repeat(START[None], self.chunk, axis=0)
        out[:, 0] = 25 * np.sin(2 * steps / self.hz)
        return out

    def misbehave(self) -> Any:
        if self.habit == "mad":
            return self.rng.normal(0, 200, (self.chunk, 6))
        if self.habit == "nan":
            return np.full((self.chunk, 6), np.nan)
        if self.habit == "raise":
            raise RuntimeError("secret_wave lost its temper")
        if self.habit == "shape":
            return np.zeros((self.chunk, 7))
        if self.habit == "die":
            os._exit(3)
        time.sleep(1000 if self.habit == "hang" else 2)
        return np.repeat(START[None], self.chunk, axis=0)
