"""UniVLA (arXiv 2505.06111), fine-tuned on LIBERO or VLA-Arena, through its repository OpenDriveLab/UniVLA.

Conventions, from its ``experiments/robot/libero/run_libero_eval.py``: one camera, pictures as OpenVLA's; no state; the
prompt is OpenVLA's, with "History action {latent tokens of the call before}" behind the question from the second call
on; latent tokens are sampled (temperature 0.75, top-p 0.9); a small decoder turns the last four, with the picture's
embedding, into 12 actions in [-1, 1]; the action of a step is the mean of what the last 12 chunks say of it, with
weights exp(-0.1 age); then the statistics' q01 and q99 give it its scale; gripper [0, 1] with 1 = open. VLA-Arena
fixes the statistics to ``libero_spatial``; here they are an argument.

Because chunks are averaged step by step, the model is asked at every step (``chunk`` is 1), and one session after the
other. Sampling is seeded from the episode's seed and the step, which the original does not do. Not verified here: the
model.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adapter import Adapter, AdapterSession, check_checkpoint, gripper_from_open, need
from ._ensemble import Ensemble
from ._openvla import openvla_image, openvla_prompt, use_statistics

UNIVLA_INSTALL = "run this in the folder and environment of github.com/OpenDriveLab/UniVLA"
FIRST_LATENT_TOKEN = 32001
LATENT_TOKENS = 32


def univla_prompt(instruction: str, history: str) -> str:
    """Return OpenVLA's prompt, with the latent tokens of the call before if there was one."""
    prompt = openvla_prompt(instruction)
    return prompt.replace("?\nOut:", f"? History action {history}\nOut:") if history else prompt


def latent_text(token_ids: Any) -> str:
    """Return generated tokens as they are written into the next prompt: ``<ACT_3><ACT_17>...``."""
    numbers = [int(token) - FIRST_LATENT_TOKEN for token in token_ids]
    wrong = [number for number in numbers if not 0 <= number < LATENT_TOKENS]
    if wrong:
        raise RuntimeError(f"UniVLA generated token {wrong[0] + FIRST_LATENT_TOKEN}, which is no latent action")
    return "".join(f"<ACT_{number}>" for number in numbers)


def unnormalise(action: Any, statistics: Any) -> Any:
    """Bring an action from [-1, 1] to [q01, q99]; dimensions whose mask is false (the gripper) stay."""
    low, high = np.asarray(statistics["q01"], np.float64), np.asarray(statistics["q99"], np.float64)
    mask = np.asarray(statistics.get("mask", np.ones(len(low), bool)), bool)
    return np.where(mask, 0.5 * (np.asarray(action) + 1.0) * (high - low) + low, action)


class _Memory(AdapterSession):
    def __init__(self, instruction: str, episode: Any, window: int) -> None:
        super().__init__(instruction, episode)
        self.ensemble, self.history = Ensemble(window), ""


class UniVLA(Adapter):
    """``checkpoint``: folder; ``decoder``: file of the action decoder, in the checkpoint unless given."""

    name = "univla"

    def __init__(
        self,
        checkpoint: str = "",
        decoder: str = "",
        unnorm_key: str = "",
        window: int = 12,
        center_crop: bool = True,
        device: str = "cuda:0",
        **conventions: Any,
    ) -> None:
        super().__init__(**conventions)
        self._checkpoint, self._center_crop, self._device = check_checkpoint(checkpoint), center_crop, device
        self._window = window
        self._decoder_path = check_checkpoint(decoder or f"{self._checkpoint}/action_decoder.pt")
        self._torch = need("torch", UNIVLA_INSTALL)
        modeling = need("prismatic.extern.hf.modeling_prismatic", UNIVLA_INSTALL)
        processing = need("prismatic.extern.hf.processing_prismatic", UNIVLA_INSTALL)
        self._processor = processing.PrismaticProcessor.from_pretrained(self._checkpoint, trust_remote_code=True)
        self._model = modeling.OpenVLAForActionPrediction.from_pretrained(
            self._checkpoint, torch_dtype=self._torch.bfloat16, low_cpu_mem_usage=True
        ).to(device)
        self._unnorm_key = use_statistics(self._model, self._checkpoint, unnorm_key)
        self._decoder = self._load_decoder()

    def _load_decoder(self) -> Any:
        """Build the decoder: attention pooling of the latents, started by the pooled picture, then one layer."""
        torch = self._torch
        pool = need("prismatic.models.policy.transformer_utils", UNIVLA_INSTALL).MAPBlock
        module = torch.nn.Module()
        module.latent_action_pool = pool(n_latents=1, vis_dim=4096, embed_dim=512, n_heads=8)
        module.visual_pool = pool(n_latents=1, vis_dim=4096, embed_dim=512, n_heads=8)
        module.proj = torch.nn.Sequential(torch.nn.Linear(512, 7 * self._window), torch.nn.Tanh())
        module.load_state_dict(torch.load(self._decoder_path, map_location="cpu", weights_only=True), strict=True)
        return module.to(self._device).eval()

    def facts(self) -> dict[str, Any]:
        """Return checkpoint, decoder, key, window and crop."""
        return {
            "checkpoint": self._checkpoint,
            "decoder": self._decoder_path,
            "unnorm_key": self._unnorm_key,
            "window": self._window,
            "center_crop": self._center_crop,
        }

    def remember(self, instruction: str, episode: Any) -> Any:
        """Start with no chunks and no history."""
        return _Memory(instruction, episode, self._window)

    def predict(self, memory: Any, observation: Any) -> Any:
        """Return one action, averaged over the chunks so far."""
        from PIL import Image

        picture = Image.fromarray(openvla_image(self.image(observation, "agentview"), self._center_crop))
        inputs = self._processor(univla_prompt(memory.instruction, memory.history), picture)
        inputs = inputs.to(self._device, dtype=self._torch.bfloat16)
        self._torch.manual_seed((memory.seed * 100_003 + int(observation.step)) % 2**63)
        with self._torch.inference_mode():
            latent, visual, tokens = self._model.predict_latent_action(
                **inputs, unnorm_key=self._unnorm_key, do_sample=True, temperature=0.75, top_p=0.9
            )
            chunk = self._decode(latent.float(), visual.float())
        memory.history = latent_text(tokens[0])
        return gripper_from_open(
            unnormalise(memory.ensemble.add(chunk), self._model.get_action_stats(self._unnorm_key))
        )

    def _decode(self, latent: Any, visual: Any) -> Any:
        net = self._decoder
        pooled = net.latent_action_pool(latent[:, -4:], init_embed=net.visual_pool(visual))
        return net.proj(pooled).reshape(self._window, 7).cpu().numpy()
