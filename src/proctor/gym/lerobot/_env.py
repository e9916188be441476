"""A task as `proctor.gym.ProctorEnv` shows it, with the camera names and the picture orientation of a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from proctor.core import ProctorError, did_you_mean

from .._env import ProctorEnv

# What is done to an upright picture; see proctor.adapters.lerobot for where these come from.
ORIENTATIONS = {"libero": np.s_[:, ::-1], "upright": np.s_[:, :], "raw": np.s_[::-1]}


class LeRobotEnv(ProctorEnv):
    """``cameras`` maps our cameras to the names in the checkpoint; other arguments as `ProctorEnv`."""

    def __init__(self, task: str, cameras: Mapping[str, str], orientation: str = "libero", **options: Any) -> None:
        super().__init__(task, tuple(cameras), **options)
        if orientation not in ORIENTATIONS:
            hint = did_you_mean(orientation, ORIENTATIONS)
            raise ProctorError(f"unknown orientation {orientation!r} (there are {', '.join(ORIENTATIONS)}){hint}")
        self._names, self._turn = dict(cameras), ORIENTATIONS[orientation]
        offered = dict(self.observation_space.spaces)
        offered["pixels"] = spaces.Dict({name: offered["pixels"][camera] for camera, name in cameras.items()})
        self.observation_space = spaces.Dict(offered)

    def _observation(self) -> dict[str, Any]:
        seen = super()._observation()
        pictures = {
            self._names[camera]: np.ascontiguousarray(picture[self._turn]) for camera, picture in seen["pixels"].items()
        }
        return {**seen, "pixels": pictures}
