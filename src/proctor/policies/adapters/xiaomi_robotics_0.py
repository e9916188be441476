"""Xiaomi-Robotics-0 (arXiv 2602.12684), fine-tuned on LIBERO, through Hugging Face transformers.

Conventions, from ``README.md``, ``deploy/server.py`` and ``eval_libero/main.py`` of XiaomiRobotics/Xiaomi-Robotics-0:
cameras ``agentview`` ("Base View") and ``wrist`` ("Left-Wrist View") at 256 pixels, not resized; state [x y z,
axis-angle, two fingers] and 24 zeros; the instruction with only its first letter in upper case and a full stop; ten
actions of 32 values, of which the first seven count, all ten executed; the gripper is LIBERO's own, -1 = open. The
model draws its noise from a seed: the original hashes the inputs, here it is made from the episode's seed and the
step.

One session after the other: no source shows the model with a batch. Not verified here: the model.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adapter import Adapter, check_checkpoint, need

XIAOMI_INSTALL = "run this in its environment (pip install torch==2.8.0 torchvision transformers==4.57.1)"
XIAOMI_STATE = 32
XIAOMI_ROBOT = "libero_all"


def xiaomi_instruction(instruction: str) -> str:
    """Return the instruction as the model was told it: one capital letter, one full stop."""
    return instruction.rstrip(". ").capitalize() + "."


def xiaomi_prompt(instruction: str) -> str:
    """Return the chat text with its two places for pictures."""
    picture = "<|vision_start|><|image_pad|><|vision_end|>"
    return (
        "<|im_start|>user\nThe following observations are captured from multiple views.\n"
        f"# Base View\n{picture}\n# Left-Wrist View\n{picture}\n"
        f"Generate robot actions for the task:\n{xiaomi_instruction(instruction)} /no_cot<|im_end|>\n"
        "<|im_start|>assistant\n<cot></cot><|im_end|>\n"
    )


class XiaomiRobotics0(Adapter):
    """``checkpoint``: folder or hub name; ``attention``: ``sdpa`` where flash-attn is not installed."""

    name = "xiaomi_robotics_0"
    cameras = ("agentview", "wrist")
    chunk = 10

    def __init__(
        self,
        checkpoint: str = "XiaomiRobotics/Xiaomi-Robotics-0-LIBERO",
        device: str = "cuda:0",
        attention: str = "flash_attention_2",
        **conventions: Any,
    ) -> None:
        super().__init__(**conventions)
        self._checkpoint = check_checkpoint(checkpoint)
        self._torch = need("torch", XIAOMI_INSTALL)
        transformers = need("transformers", XIAOMI_INSTALL)
        self._processor = transformers.AutoProcessor.from_pretrained(
            self._checkpoint, trust_remote_code=True, use_fast=False
        )
        self._model = transformers.AutoModel.from_pretrained(
            self._checkpoint, trust_remote_code=True, attn_implementation=attention, dtype=self._torch.bfloat16
        )
        self._model = self._model.to(device).eval()

    def facts(self) -> dict[str, Any]:
        return {"checkpoint": self._checkpoint}

    def predict(self, memory: Any, observation: Any) -> Any:
        from PIL import Image

        pictures = [Image.fromarray(self.image(observation, camera)) for camera in self.cameras]
        model, torch = self._model, self._torch
        inputs = self._processor(
            text=[xiaomi_prompt(memory.instruction)], images=pictures, videos=None, padding=True, return_tensors="pt"
        ).to(model.device)
        state = np.zeros(XIAOMI_STATE)
        state[:8] = self.state(observation)
        inputs["seed"] = (memory.seed * 100_003 + int(observation.step)) % 2**32
        inputs["state"] = torch.from_numpy(state).to(model.device, model.dtype).view(1, 1, -1)
        inputs["action_mask"] = self._processor.get_action_mask(XIAOMI_ROBOT).to(model.device, model.dtype)
        with torch.inference_mode():
            outputs = model(**inputs)
        actions = self._processor.decode_action(outputs.actions, robot_type=XIAOMI_ROBOT)
        return np.asarray(actions[0].float().cpu().numpy(), dtype=np.float64)[:, :7]
