"""Stand-ins for the models' libraries, with the surface that the adapters call and nothing behind it.

The models cannot run here (billions of weights, a GPU, no network to fetch them), so this is the one place where a mock
is allowed. What the fakes check is what the real code would refuse: names of arguments, shapes, types. What they answer
depends on everything they are given, so that two sessions that were mixed up would be noticed.
"""

from __future__ import annotations

import contextlib
import enum
import sys
import types
from typing import Any

import numpy as np
import pytest

KEY = "libero_spatial_no_noops"
STATISTICS = {KEY: {"action": {"q01": [-0.7] * 6 + [0.0], "q99": [0.9] * 6 + [1.0], "mask": [True] * 6 + [False]}}}


def digest(*things: Any) -> float:
    """A number in [0, 1) that depends on every byte."""
    total = 0.0
    for number, thing in enumerate(things):
        values = np.frombuffer(thing.encode(), np.uint8) if isinstance(thing, str) else np.asarray(thing)
        total += (number + 1) * float(np.sum(values.astype(np.float64).ravel() * (1 + np.arange(values.size) % 17)))
    return (total * 0.6180339887) % 1.0


class Tensor:
    """What the adapters do with a tensor of torch."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        return self

    def float(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> Any:
        return self.values

    def view(self, *shape: int) -> Tensor:
        return Tensor(self.values.reshape(shape))

    def reshape(self, *shape: int) -> Tensor:
        return Tensor(self.values.reshape(shape))

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.values[index])


class Inputs(dict):  # type: ignore[type-arg]
    """What a processor of transformers returns."""

    def to(self, device: Any, dtype: Any = None) -> Inputs:
        return self


class Recorder:
    """Keeps the last arguments that the model was called with."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.seeds: list[int] = []


def module(patch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    """Make ``import name`` give a module with ``members``, with its parents."""
    parts = name.split(".")
    for end in range(1, len(parts)):
        parent = ".".join(parts[:end])
        if parent not in sys.modules:
            patch.setitem(sys.modules, parent, types.ModuleType(parent))
    made = types.ModuleType(name)
    for key, value in members.items():
        setattr(made, key, value)
    patch.setitem(sys.modules, name, made)


def install_torch(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class Module:
        def load_state_dict(self, values: Any, strict: bool) -> None:
            assert strict
            assert set(values) == set(vars(self))

        def to(self, device: str) -> Any:
            return self

        def eval(self) -> Any:
            return self

    class Linear:
        def __init__(self, inputs: int, outputs: int) -> None:
            self.inputs, self.outputs = inputs, outputs

        def __call__(self, x: Tensor) -> Tensor:
            assert x.values.shape[-1] == self.inputs
            return Tensor(np.sin(x.values.sum() + np.arange(self.outputs)))

    nn = types.SimpleNamespace(
        Module=Module,
        Linear=Linear,
        Tanh=lambda: lambda x: Tensor(np.tanh(x.values)),
        Sequential=lambda *layers: lambda x: layers[1](layers[0](x)),
    )
    module(
        patch,
        "torch",
        bfloat16="bfloat16",
        nn=nn,
        inference_mode=contextlib.nullcontext,
        manual_seed=recorder.seeds.append,
        from_numpy=Tensor,
        load=lambda path, map_location, weights_only: dict.fromkeys(("latent_action_pool", "visual_pool", "proj")),
    )


def install_openvla(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class Processor:
        @classmethod
        def from_pretrained(cls, checkpoint: str, trust_remote_code: bool) -> Processor:
            return cls()

        def __call__(self, prompt: str, image: Any) -> Inputs:
            return Inputs(input_ids=prompt, pixel_values=np.asarray(image))

    class Model:
        norm_stats = STATISTICS

        @classmethod
        def from_pretrained(cls, checkpoint: str, **options: Any) -> Model:
            assert options["torch_dtype"] == "bfloat16"
            return cls()

        def to(self, device: str) -> Model:
            return self

        def predict_action(self, input_ids: str, pixel_values: Any, unnorm_key: str, do_sample: bool) -> Any:
            recorder.calls.append({"prompt": input_ids, "image": pixel_values, "key": unnorm_key})
            assert pixel_values.dtype == np.uint8
            assert unnorm_key in self.norm_stats
            assert not do_sample
            said = digest(input_ids, pixel_values)
            return np.array([*(said - 0.1 * np.arange(6)), said])

        def get_action_stats(self, key: str) -> Any:
            return self.norm_stats[key]["action"]

        def predict_latent_action(self, input_ids: str, pixel_values: Any, **options: Any) -> Any:
            recorder.calls.append({"prompt": input_ids, "image": pixel_values, **options})
            said = digest(input_ids, pixel_values, [recorder.seeds[-1]])
            tokens = [32001 + int(said * 1000) % 32, 32032, 32001, 32010]
            return Tensor(np.full((1, 6, 512), said)), Tensor(np.full((1, 9, 512), -0.5 * said)), [tokens]

    install_torch(patch, recorder)
    module(patch, "transformers", AutoProcessor=Processor, AutoModelForVision2Seq=Model)
    module(patch, "prismatic.extern.hf.modeling_prismatic", OpenVLAForActionPrediction=Model)
    module(patch, "prismatic.extern.hf.processing_prismatic", PrismaticProcessor=Processor)

    class MAPBlock:
        def __init__(self, n_latents: int, vis_dim: int, embed_dim: int, n_heads: int) -> None:
            assert (n_latents, vis_dim, embed_dim, n_heads) == (1, 4096, 512, 8)

        def __call__(self, tokens: Tensor, init_embed: Any = None) -> Tensor:
            start = 0.0 if init_embed is None else float(init_embed.values.mean())
            assert init_embed is None or tokens.values.shape[1] == 4
            return Tensor(tokens.values.mean(axis=1) + start)

    module(patch, "prismatic.models.policy.transformer_utils", MAPBlock=MAPBlock)


def install_experiments(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class Model:
        norm_stats, llm_dim, version = STATISTICS, 896, ""

        def set_version(self, version: str) -> None:
            self.version = version

    def get_vla_action(
        cfg: Any,
        vla: Model,
        processor: str,
        obs: dict[str, Any],
        task_label: str,
        action_head: Any = None,
        proprio_projector: Any = None,
        noisy_action_projector: Any = None,
        use_film: bool = False,
        use_minivlm: bool = False,
    ) -> list[Any]:
        recorder.calls.append({"cfg": cfg, "version": vla.version, "prompt": task_label, **obs, "mini": use_minivlm})
        images = [obs["full_image"], *(obs[key] for key in obs if "wrist" in key)]
        assert len(images) == cfg.num_images_in_input
        assert cfg.unnorm_key in vla.norm_stats
        assert all(image.shape == (256, 256, 3) and image.dtype == np.uint8 for image in images)
        assert (proprio_projector is not None) == cfg.use_proprio
        assert action_head == ("head", 896)
        said = digest(task_label, *images, obs["state"])
        # The original overwrites the caller's state with the normalised one.
        obs["state"] = obs["state"] * 0.0
        steps = np.arange(cfg.num_open_loop_steps)[:, None]
        return list(np.concatenate([said - 0.1 * np.arange(6) - 0.01 * steps, (said + 0.1 * steps) % 1.0], axis=1))

    module(
        patch,
        "experiments.robot.openvla_utils",
        get_vla=lambda cfg: Model(),
        get_processor=lambda cfg: "processor",
        get_action_head=lambda cfg, llm_dim: ("head", llm_dim),
        get_proprio_projector=lambda cfg, llm_dim, proprio_dim: ("projector", llm_dim, proprio_dim),
        get_vla_action=get_vla_action,
    )


def install_openpi(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class Policy:
        def infer(self, obs: dict[str, Any]) -> dict[str, Any]:
            recorder.calls.append(obs)
            assert set(obs) == {"observation/image", "observation/wrist_image", "observation/state", "prompt"}
            said = digest(
                obs["prompt"], obs["observation/image"], obs["observation/wrist_image"], obs["observation/state"]
            )
            return {"actions": said * 0.9 - 0.1 * np.arange(7) - 0.01 * np.arange(10)[:, None], "policy_timing": {}}

    module(patch, "openpi.training.config", get_config=lambda name: ("config", name))
    module(patch, "openpi.policies.policy_config", create_trained_policy=lambda config, checkpoint: Policy())


def install_gr00t(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class EmbodimentTag(enum.Enum):
        LIBERO_PANDA = "libero_sim"
        GR1 = "gr1"

    names = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")
    language = "annotation.human.action.task_description"

    class Gr00tPolicy:
        def __init__(self, embodiment_tag: EmbodimentTag, model_path: str, *, device: str, strict: bool = True) -> None:
            assert embodiment_tag is EmbodimentTag.LIBERO_PANDA

        def get_modality_config(self) -> dict[str, Any]:
            return {"language": types.SimpleNamespace(modality_keys=[language], delta_indices=[0])}

        def get_action(self, observation: dict[str, Any], options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
            recorder.calls.append(observation)
            texts = observation["language"][language]
            for key in ("image", "wrist_image"):
                video = observation["video"][key]
                assert video.shape == (len(texts), 1, 256, 256, 3)
                assert video.dtype == np.uint8
            for key in names:
                state = observation["state"][key]
                assert state.shape == (len(texts), 1, 2 if key == "gripper" else 1)
                assert state.dtype == np.float32
            said = np.array(
                [
                    digest(text[0], *(observation["video"][key][i] for key in ("image", "wrist_image")))
                    + float(observation["state"]["z"][i, 0, 0])
                    for i, text in enumerate(texts)
                ]
            )
            chunk = said[:, None, None] % 1.0 - 0.01 * np.arange(16)[None, :, None]
            return {key: (chunk - 0.1 * n).astype(np.float32) for n, key in enumerate(names)}, {}

    class PolicyClient(Gr00tPolicy):
        def __init__(self, host: str, port: int, api_token: str | None) -> None:
            assert (host, port) == ("gpu1", 5555)

    module(patch, "gr00t.data.embodiment_tags", EmbodimentTag=EmbodimentTag)
    module(patch, "gr00t.policy.gr00t_policy", Gr00tPolicy=Gr00tPolicy)
    module(patch, "gr00t.policy.server_client", PolicyClient=PolicyClient)


def install_xiaomi(patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    class Processor:
        @classmethod
        def from_pretrained(cls, checkpoint: str, trust_remote_code: bool, use_fast: bool) -> Processor:
            return cls()

        def __call__(
            self, text: list[str], images: list[Any], videos: Any, padding: bool, return_tensors: str
        ) -> Inputs:
            assert len(text) == 1
            assert text[0].count("<|image_pad|>") == len(images)
            return Inputs(text=text[0], pictures=np.stack([np.asarray(image) for image in images]))

        def get_action_mask(self, robot_type: str) -> Tensor:
            assert robot_type == "libero_all"
            return Tensor(np.ones((1, 10, 32)))

        def decode_action(self, actions: Tensor, robot_type: str) -> Tensor:
            return actions

    class Model:
        device, dtype = "cuda:0", "bfloat16"

        @classmethod
        def from_pretrained(
            cls, checkpoint: str, trust_remote_code: bool, attn_implementation: str, dtype: str
        ) -> Model:
            return cls()

        def to(self, device: str) -> Model:
            return self

        def eval(self) -> Model:
            return self

        def __call__(self, text: str, pictures: Any, seed: int, state: Tensor, action_mask: Tensor) -> Any:
            recorder.calls.append({"text": text, "pictures": pictures, "seed": seed, "state": state.values})
            assert state.values.shape == (1, 1, 32)
            assert pictures.shape == (2, 256, 256, 3)
            said = digest(text, pictures, state.values, [seed])
            return types.SimpleNamespace(
                actions=Tensor(said - 0.05 * np.arange(32) - 0.01 * np.arange(10)[None, :, None])
            )

    install_torch(patch, recorder)
    module(patch, "transformers", AutoProcessor=Processor, AutoModel=Model)
