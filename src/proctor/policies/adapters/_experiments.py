"""Models that are driven by ``experiments.robot.openvla_utils`` of their own repository: OpenVLA-OFT and VLA-Adapter.

That module resizes (JPEG, lanczos3, 224 pixels), crops (area 0.9), builds the prompt, normalises the state and returns
a chunk of actions; the adapter gives it pictures, state and instruction, and turns the gripper round.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ._adapter import Adapter, check_checkpoint, gripper_from_open, need, pick_unnorm_key


class ExperimentsModel(Adapter):
    """``wrist`` and ``proprio``: the checkpoint was trained with the wrist camera and the state."""

    cameras: tuple[str, ...] = ("agentview", "wrist")
    chunk = 8
    install = ""

    def __init__(
        self,
        checkpoint: str = "",
        unnorm_key: str = "",
        wrist: bool = True,
        proprio: bool = True,
        center_crop: bool = True,
        film: bool = False,
        **conventions: Any,
    ) -> None:
        super().__init__(**conventions)
        self.cameras = ("agentview", "wrist") if wrist else ("agentview",)
        self._utils = need("experiments.robot.openvla_utils", self.install)
        self._config = types.SimpleNamespace(
            model_family="openvla",
            pretrained_checkpoint=check_checkpoint(checkpoint),
            use_l1_regression=True,
            use_diffusion=False,
            use_film=film,
            num_images_in_input=len(self.cameras),
            use_proprio=proprio,
            center_crop=center_crop,
            num_open_loop_steps=self.chunk,
            unnorm_key=unnorm_key,
            load_in_8bit=False,
            load_in_4bit=False,
            **self.more_config(),
        )
        self._model = self._utils.get_vla(self._config)
        self._processor = self._utils.get_processor(self._config)
        self._config.unnorm_key = pick_unnorm_key(self._model.norm_stats, unnorm_key)
        width = self._model.llm_dim
        self._head = self._utils.get_action_head(self._config, width)
        self._projector = self._utils.get_proprio_projector(self._config, width, proprio_dim=8) if proprio else None

    def more_config(self) -> dict[str, Any]:
        return {}

    def call_options(self) -> dict[str, Any]:
        """Return arguments of ``get_vla_action`` of this model only."""
        return {}

    def facts(self) -> dict[str, Any]:
        return dict(vars(self._config))

    def predict(self, memory: Any, observation: Any) -> Any:
        """Return a chunk of eight actions."""
        seen = {"full_image": self.image(observation, "agentview")}
        if "wrist" in self.cameras:
            seen["wrist_image"] = self.image(observation, "wrist")
        # A copy of its own for each call: the library writes the normalised state back into this dictionary.
        seen["state"] = self.state(observation)
        actions = self._utils.get_vla_action(
            self._config,
            self._model,
            self._processor,
            seen,
            memory.instruction,
            action_head=self._head,
            proprio_projector=self._projector,
            use_film=self._config.use_film,
            **self.call_options(),
        )
        return gripper_from_open(np.asarray(actions))
