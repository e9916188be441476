"""π0, π0-FAST and π0.5 through openpi's own policy object, in openpi's environment.

A server of openpi's that already runs needs no adapter: ``--policy openpi://host:port`` examines it.

Conventions, from ``examples/libero/main.py`` and ``src/openpi/policies/libero_policy.py`` of
Physical-Intelligence/openpi: cameras ``agentview`` and ``wrist``, 256 pixels -> 224 (``resize_with_pad``); state [x y
z, axis-angle, two fingers]; keys ``observation/image``, ``observation/wrist_image``, ``observation/state``,
``prompt``; the first 5 actions of the chunk are executed (the chunk has 10 for ``pi05_libero`` and
``pi0_fast_libero``, 50 for ``pi0_libero``); the gripper is LIBERO's own, -1 = open. Whether the data's delta transform
applies is the training configuration's affair.

openpi's ``infer`` takes one observation, so sessions are served one after the other. Not verified here: the models.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adapter import Adapter, check_checkpoint, need
from ._images import resize_with_pad

OPENPI_INSTALL = "run this in openpi's environment (github.com/Physical-Intelligence/openpi: uv sync)"
OPENPI_SIZE = 224


class OpenPi(Adapter):
    """``config``: name of the training configuration; ``checkpoint``: folder or gs:// address; ``replan``: actions."""

    name = "openpi"
    cameras = ("agentview", "wrist")

    def __init__(self, checkpoint: str = "", config: str = "pi05_libero", replan: int = 5, **conventions: Any) -> None:
        super().__init__(**conventions)
        if replan < 1:
            raise ValueError(f"replan is {replan}: it must be at least 1")
        self.name, self.chunk = f"openpi-{config}", replan
        self._config, self._checkpoint = config, check_checkpoint(checkpoint)
        training = need("openpi.training.config", OPENPI_INSTALL)
        policies = need("openpi.policies.policy_config", OPENPI_INSTALL)
        self._policy = policies.create_trained_policy(training.get_config(config), self._checkpoint)

    def facts(self) -> dict[str, Any]:
        return {"config": self._config, "checkpoint": self._checkpoint, "replan": self.chunk}

    def predict(self, memory: Any, observation: Any) -> Any:
        """Return the model's chunk; `to_actions` keeps the first ``replan``."""
        answer = self._policy.infer(
            {
                "observation/image": resize_with_pad(self.image(observation, "agentview"), OPENPI_SIZE),
                "observation/wrist_image": resize_with_pad(self.image(observation, "wrist"), OPENPI_SIZE),
                "observation/state": self.state(observation),
                "prompt": memory.instruction,
            }
        )
        actions = np.asarray(answer["actions"])
        if len(actions) < self.chunk:
            raise RuntimeError(f"{self.name} predicts {len(actions)} actions: replan must not be more")
        return actions
