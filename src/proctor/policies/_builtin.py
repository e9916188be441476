"""Policies that need nothing: the floor of every comparison."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec, named_rng

GRIPPER_OPEN = -1.0


class NoopPolicy:
    """Holds still with the gripper open. A task that it solves, or that makes it pay, is a broken task."""

    def spec(self) -> PolicySpec:
        """Need no camera."""
        return PolicySpec(name="noop", fingerprint="noop-1")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the zero motion, gripper open."""
        action = np.zeros(7)
        action[-1] = GRIPPER_OPEN
        return action


class RandomPolicy:
    """Every action uniform in [-1, 1], from the episode's own ``policy`` stream: the same episode, the same actions."""

    def __init__(self) -> None:
        self._rng = named_rng(0, "policy")

    def spec(self) -> PolicySpec:
        """Need no camera."""
        return PolicySpec(name="random", fingerprint="random-1")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Start the stream of this episode."""
        self._rng = named_rng(episode.seed, "policy")

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return one uniform action."""
        return self._rng.uniform(-1.0, 1.0, size=7)
