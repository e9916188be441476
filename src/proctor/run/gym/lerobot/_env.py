"""A task as `ProctorEnv` shows it, with the camera names and the conventions that a checkpoint knows."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from proctor.policies.adapters import Adapter

from .._env import ProctorEnv


class LeRobotEnv(ProctorEnv):
    """``cameras`` maps ours to the checkpoint's names; ``conventions`` those of `proctor.policies.adapters.Adapter`.

    Other arguments as `ProctorEnv`. Videos (``render``) show the task as it is, not mirrored.
    """

    def __init__(
        self, task: str, cameras: Mapping[str, str], conventions: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(task, tuple(cameras), **options)
        self._names, self._conventions = dict(cameras), Adapter(**(conventions or {}))
        offered = dict(self.observation_space.spaces)
        offered["pixels"] = spaces.Dict({name: offered["pixels"][camera] for camera, name in cameras.items()})
        # The same rotation on LIBERO's side is an angle of up to 2 pi.
        offered["agent_pos"] = spaces.Box(-np.inf, np.inf, offered["agent_pos"].shape, np.float64)
        self.observation_space = spaces.Dict(offered)

    def step(self, action: NDArray[np.float32]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Advance 50 ms by what the checkpoint meant."""
        return super().step(self._conventions.to_actions(action)[0])

    def _observation(self) -> dict[str, Any]:
        seen = super()._observation()
        ours = SimpleNamespace(images=seen["pixels"], state=seen["agent_pos"])
        pictures = {name: self._conventions.image(ours, camera) for camera, name in self._names.items()}
        return {"pixels": pictures, "agent_pos": self._conventions.state(ours)}
