"""OpenVLA (arXiv 2406.09246), fine-tuned on LIBERO or VLA-Arena, through Hugging Face transformers.

Conventions, from ``experiments/robot/libero/run_libero_eval.py`` and ``openvla_utils.py`` of openvla/openvla: one
camera, 256 pixels -> JPEG round trip -> 224 pixels (lanczos3) -> centre crop of area 0.9 (models fine-tuned with
augmentation); no state; prompt "In: What action should the robot take to {instruction in lower case}?" and a line
"Out:"; greedy decoding; one action per call; gripper [0, 1] with 1 = open. The model refuses batches ("Generation with
batch size > 1"), so sessions are served one after the other.

Not verified here: the model itself (7 B weights); its library's surface is imitated in the tests.
"""

from __future__ import annotations

from typing import Any

from ._adapter import Adapter, check_checkpoint, gripper_from_open, need
from ._openvla import openvla_image, openvla_prompt, use_statistics

OPENVLA_INSTALL = "run this in OpenVLA's environment (pip install torch transformers==4.40.1 tokenizers timm==0.9.10)"


class OpenVLA(Adapter):
    """``checkpoint``: folder or hub name; ``unnorm_key``: data set of the action statistics, if there are several."""

    name = "openvla"

    def __init__(
        self,
        checkpoint: str = "",
        unnorm_key: str = "",
        center_crop: bool = True,
        device: str = "cuda:0",
        attention: str = "flash_attention_2",
        **conventions: Any,
    ) -> None:
        super().__init__(**conventions)
        self._checkpoint, self._center_crop, self._device = check_checkpoint(checkpoint), center_crop, device
        self._torch = need("torch", OPENVLA_INSTALL)
        transformers = need("transformers", OPENVLA_INSTALL)
        self._processor = transformers.AutoProcessor.from_pretrained(self._checkpoint, trust_remote_code=True)
        self._model = transformers.AutoModelForVision2Seq.from_pretrained(
            self._checkpoint,
            attn_implementation=attention,
            torch_dtype=self._torch.bfloat16,
            low_cpu_mem_usage=True,
            trust_remote_code=True,
        ).to(device)
        self._unnorm_key = use_statistics(self._model, self._checkpoint, unnorm_key)

    def facts(self) -> dict[str, Any]:
        """Return checkpoint, key and crop."""
        return {"checkpoint": self._checkpoint, "unnorm_key": self._unnorm_key, "center_crop": self._center_crop}

    def predict(self, memory: Any, observation: Any) -> Any:
        from PIL import Image

        picture = Image.fromarray(openvla_image(self.image(observation, "agentview"), self._center_crop))
        inputs = self._processor(openvla_prompt(memory.instruction), picture)
        inputs = inputs.to(self._device, dtype=self._torch.bfloat16)
        with self._torch.inference_mode():
            action = self._model.predict_action(**inputs, unnorm_key=self._unnorm_key, do_sample=False)
        return gripper_from_open(action)
