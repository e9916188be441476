"""Policies for the console's tests; imported by name in a process of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec


class Steady:
    """Holds the pose it sees. ``checkpoint`` is what nobody at the console may ever read."""

    def __init__(self, checkpoint: str = "") -> None:
        self.checkpoint = checkpoint

    def spec(self) -> PolicySpec:
        return PolicySpec(
            name="okapi-model",
            cameras=("top",),
            state_dim=6,
            action_dim=6,
            control_mode="joint_true_degrees_so101",
            control_hz=10.0,
            chunk=5,
            image_size=64,
            fingerprint=f"quagga-{self.checkpoint}",
        )

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        pass

    def act(self, observation: Observation) -> NDArray[np.float32]:
        return np.repeat(np.asarray(observation.state, np.float32)[None], 5, axis=0)


class Loud(Steady):
    """Fails, and says its name while it does."""

    def act(self, observation: Observation) -> NDArray[np.float32]:
        raise RuntimeError(f"okapi-model from {self.checkpoint} cannot go on")
