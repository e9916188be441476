"""OpenVLA-OFT (arXiv 2502.19645) with L1 regression head, through its repository moojink/openvla-oft.

Conventions, from its ``experiments/robot/libero/run_libero_eval.py``: cameras ``agentview`` and ``wrist``, 256 pixels,
which the library itself compresses, resizes and crops; state [x y z, axis-angle, two fingers]; eight actions predicted
and all eight executed; gripper [0, 1] with 1 = open; statistics ``<suite>`` or ``<suite>_no_noops``. VLA-Arena's own
checkpoints use one camera and no state: ``wrist=false proprio=false``.

The library takes LIBERO's constants unless the command line contains the name of another robot ("aloha", "bridge"): a
checkpoint's path should not. Its answer has no batch dimension, so sessions are served one after the other. Not
verified here: the model.
"""

from __future__ import annotations

from typing import Any

from ._experiments import ExperimentsModel


class OpenVLAOFT(ExperimentsModel):
    """``checkpoint``: folder or hub name; ``film``: the checkpoint was trained with FiLM."""

    name = "openvla_oft"
    install = "run this in the folder and environment of github.com/moojink/openvla-oft"

    def more_config(self) -> dict[str, Any]:
        """Return the diffusion and LoRA settings that its loader looks at."""
        return {"num_diffusion_steps_train": 50, "num_diffusion_steps_inference": 50, "lora_rank": 32}
