"""Policies of LeRobot (written against 0.4.4): a checkpoint folder, examined as LeRobot itself would run it.

What a session receives is what LeRobot's ``select_action`` would give a lone episode after ``torch.manual_seed``:
observations pass the checkpoint's own preprocessor, all sessions that wait share one forward pass, actions pass its own
postprocessor, and every session draws its noise from a generator of its own, so that an episode does not depend on who
else is being served.

Policies that look at one observation (ACT, SmolVLA, X-VLA) return ``n_action_steps`` actions, which are executed on the
environment's side. Those that look at every control step (``n_obs_steps`` above 1, temporal ensembling) are asked at
every step and return one action. LeRobot's LIBERO data has our gripper: -1 opens, +1 closes.

A checkpoint with six joints and six numbers of state is one for an SO-101 and goes to the real station (`_so101`): its
numbers pass as they are, in the unit that it was trained in.
"""

from __future__ import annotations

import hashlib
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from ._adapter import Adapter, AdapterSession, check_checkpoint, need
from ._so101 import BENCH_CAMERA_NAMES, SO101_JOINTS, checkpoint_unit, without_padding

LEROBOT_INSTALL = (
    "run this in LeRobot's environment (`make lerobot` in Proctor's checkout, or pip install lerobot==0.4.4)"
)
STATE_KEY = "observation.state"
IMAGE_KEY = "observation.images."
CHECKPOINT_FILES = ("config.json", "model.safetensors", "policy_preprocessor.json", "policy_postprocessor.json")
# Names that data sets for LIBERO, VLA-Arena and LeRobot's base models give to the two cameras.
CAMERA_NAMES = {
    "agentview": ("image", "agentview", "agentview_image", "top", "front", "camera1"),
    "wrist": ("image2", "wrist_image", "wrist", "robot0_eye_in_hand_image", "eye_in_hand", "camera2"),
}


class LeRobotAdapter(Adapter):
    """Base of the adapters; ``kind`` is LeRobot's name of the policy.

    ``checkpoint``: folder (``pretrained_model``) or hub name. ``camera_names``: our camera to the checkpoint's, as
    ``agentview=image,wrist=wrist_image``; the usual names are found without it. ``actions``: how many of a chunk to
    return, 0 for the checkpoint's ``n_action_steps``. ``size``: side of the pictures, 0 for the checkpoint's.
    ``seed``: another draw of the noise; the episode's seed is part of it anyway. ``unit`` and ``hz``, for checkpoints
    of an SO-101: what its joints are in, and how many actions follow each other in a second.
    """

    kind = ""
    widths = (8, 7)  # of the state and of an action, in the checkpoint

    def __init__(
        self,
        checkpoint: str = "",
        device: str = "cpu",
        camera_names: Any = "",
        actions: int = 0,
        size: int = 0,
        seed: int = 0,
        unit: str = "",
        hz: float = 30.0,
        **conventions: Any,
    ) -> None:
        """Load weights and processors."""
        super().__init__(**conventions)
        self._torch = need("torch", LEROBOT_INSTALL)
        factory = need("lerobot.policies.factory", LEROBOT_INSTALL)
        folder = checkpoint_folder(check_checkpoint(checkpoint))
        config = need("lerobot.configs.policies", LEROBOT_INSTALL).PreTrainedConfig.from_pretrained(folder)
        joints = config.output_features["action"].shape[0]
        self._unit, self._hz = "", hz
        if joints == SO101_JOINTS:
            self._unit = checkpoint_unit(folder, unit)
            self._see_as_it_is(conventions)
        elif unit:
            raise RuntimeError(f"unit={unit} is for the six joints of an SO-101; the actions of {folder} have {joints}")
        self._check_config(config, folder)
        config.device = device
        self._config, self._device, self._seed = config, device, seed
        known = BENCH_CAMERA_NAMES if self._unit else CAMERA_NAMES
        self._names = match_cameras(camera_names, list(config.image_features), known)
        self._policy = factory.get_policy_class(config.type).from_pretrained(folder, config=config)
        self._policy.to(device).eval()
        self._pre, self._post = factory.make_pre_post_processors(
            config, pretrained_path=str(folder), preprocessor_overrides={"device_processor": {"device": device}}
        )
        self._ensemble = getattr(config, "temporal_ensemble_coeff", None)
        self._returned = actions_returned(config, actions)
        self._hash = folder_hash(folder)
        self.name = config.type
        self.cameras = tuple(self._names)
        self.image_size = size or max(max(feature.shape[1:]) for feature in config.image_features.values())
        self.chunk = 1 if config.n_obs_steps > 1 or self._ensemble is not None else self._returned

    def _see_as_it_is(self, conventions: dict[str, Any]) -> None:
        """Leave out what makes our simulation look and move like LIBERO."""
        if conventions:
            raise RuntimeError(f"{', '.join(conventions)}: for checkpoints of LIBERO's arm, this one is for an SO-101")
        self.mirror, self.libero_state = False, False
        self.motion_scale = np.ones_like(self.motion_scale)

    def _check_config(self, config: Any, folder: Path) -> None:
        if self.kind and config.type != self.kind:
            raise RuntimeError(f"{folder} holds a policy of kind {config.type!r}, not {self.kind!r}")
        found = [(STATE_KEY, config.input_features.get(STATE_KEY)), ("action", config.output_features["action"])]
        widths = (SO101_JOINTS, SO101_JOINTS) if self._unit else self.widths
        for (key, feature), width in zip(found, widths, strict=True):
            if feature is not None and feature.shape[0] != width:
                raise RuntimeError(f"{folder}: its {key} has {feature.shape[0]} numbers, this adapter's has {width}")

    def facts(self) -> dict[str, Any]:
        """Return the checkpoint's content and the options."""
        facts = {"checkpoint": self._hash, "cameras": self._names, "actions": self._returned, "seed": self._seed}
        return {**facts, "unit": self._unit, "hz": self._hz} if self._unit else facts

    def spec(self) -> dict[str, Any]:
        """Return the values of a PolicySpec; for an SO-101 the unit is part of the control mode."""
        spec = super().spec()
        if self._unit:
            spec |= {"state_dim": SO101_JOINTS, "action_dim": SO101_JOINTS, "control_hz": self._hz}
            spec["control_mode"] = f"joint_{self._unit}_so101"
        return spec

    def image(self, observation: Any, camera: str) -> Any:
        """Return a camera's picture as the checkpoint knows it."""
        picture = super().image(observation, camera)
        if not self._unit:
            return picture
        _, height, width = self._config.image_features[self._names[camera]].shape
        return without_padding(picture, height, width)

    def remember(self, instruction: str, episode: Any) -> Any:
        """Start without history, with noise that depends on the episode's seed alone."""
        memory = LeRobotSession(instruction, episode, self._config.n_obs_steps)
        memory.generator = self._torch.Generator(device=self._device).manual_seed(noise_seed(memory.seed, self._seed))
        if self._ensemble is not None:
            from lerobot.policies.act.modeling_act import ACTTemporalEnsembler

            memory.ensembler = ACTTemporalEnsembler(self._ensemble, self._config.chunk_size)
        return memory

    def act_batch(self, sessions: Any, observations: Any) -> list[Any]:
        """Return a chunk for each session; one forward pass for all that need one."""
        memories = [self.memory(session) for session in sessions]
        with self._torch.inference_mode():
            batch = self._pre(self._batch(memories, observations))
            if self._config.n_obs_steps > 1:
                self._append_history(memories, batch)
            due = [row for row, memory in enumerate(memories) if not memory.queue]
            if due:
                for row, actions in zip(due, self._forward(memories, batch, due), strict=True):
                    memories[row].queue.extend(self.to_steps(memories[row], observations[row], actions))
        return [np.stack([memory.queue.popleft() for _ in range(self.chunk)]) for memory in memories]

    def to_steps(self, memory: Any, observation: Any, actions: Any) -> Any:
        """Return the model's actions [T, D] as ours: [T, 7], or six joints as they are."""
        if self._unit:
            return np.asarray(actions)
        actions = np.clip(actions, -1.0, 1.0)
        actions[:, :6] *= self.motion_scale
        return actions

    def _batch(self, memories: list[Any], observations: Any) -> dict[str, Any]:
        batch: dict[str, Any] = {"task": [memory.instruction for memory in memories]}
        for camera, key in self._names.items():
            pictures = np.stack([self.image(observation, camera) for observation in observations])
            # In this order LeRobot's evaluator gets the same bits.
            pixels = self._torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous()
            batch[key] = pixels.type(self._torch.float32) / 255
        if STATE_KEY in self._config.input_features:
            states = np.stack([self.state(observation) for observation in observations])
            batch[STATE_KEY] = self._torch.from_numpy(states).float()
        return batch

    def _forward(self, memories: list[Any], batch: dict[str, Any], due: list[int]) -> Any:
        """Return what the checkpoint means, actions [B, T, D], for the rows ``due``."""
        waiting = [memories[row] for row in due]
        rows = {key: take_rows(self._torch, value, due) for key, value in batch.items()}
        if self._config.n_obs_steps > 1:
            # predict_action_chunk reads the history from the policy's queues: hand it those of these sessions.
            rows = dict.fromkeys(waiting[0].history[0])
            steps = range(self._config.n_obs_steps)
            self._policy._queues = {
                key: [self._torch.stack([memory.history[step][key] for memory in waiting]) for step in steps]
                for key in rows
            }
        with noise_by_row(self._torch, [memory.generator for memory in waiting]):
            actions = self._policy.predict_action_chunk(rows)
        if self._ensemble is not None:
            actions = self._torch.stack(
                [memory.ensembler.update(actions[row : row + 1]) for row, memory in enumerate(waiting)]
            )
        actions = actions[:, : self._returned]
        # Postprocessors are written for [B, D].
        values = self._post(actions.reshape(-1, actions.shape[-1])).to(self._torch.float64).cpu().numpy()
        return values.reshape(len(due), actions.shape[1], -1)

    def _append_history(self, memories: list[Any], batch: dict[str, Any]) -> None:
        """Append this control step to each history; the first one fills it, as LeRobot does."""
        for row, memory in enumerate(memories):
            step = {"observation.images": self._torch.stack([batch[key][row] for key in self._config.image_features])}
            if STATE_KEY in batch:
                step[STATE_KEY] = batch[STATE_KEY][row]
            memory.history.append(step)
            while len(memory.history) < self._config.n_obs_steps:
                memory.history.append(step)


class LeRobotSession(AdapterSession):
    """History of observations, actions that were computed and not yet asked for, and the source of noise."""

    def __init__(self, instruction: str, episode: Any, steps: int) -> None:
        super().__init__(instruction, episode)
        self.history: deque[dict[str, Any]] = deque(maxlen=steps)
        self.queue: deque[Any] = deque()
        self.generator: Any = None
        self.ensembler: Any = None


def noise_seed(episode: int, own: int) -> int:
    """Return 63 bits: Proctor's stream named ("policy", own) of the episode's seed."""
    text = f"{episode}\x1fpolicy\x1f{own}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def noise_by_row(torch: Any, generators: list[Any]) -> Any:
    """Return a context in which row i of a normal draw [B, ...] comes from generator i, as if it were drawn alone."""

    class ByRow(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if function is torch.randn:
                size = kwargs.pop("size", args[0] if len(args) == 1 else args)
                args = ()
            elif function is torch.normal and "size" in kwargs:
                size = kwargs.pop("size")
            else:
                return function(*args, **kwargs)
            row = (1, *size[1:])
            return torch.cat([function(*args, size=row, **{**kwargs, "generator": one}) for one in generators])

    return ByRow()


def take_rows(torch: Any, value: Any, rows: list[int]) -> Any:
    """Return ``rows`` of a tensor or a list; anything else as it is."""
    if torch.is_tensor(value) and value.ndim:
        return value[rows]
    return [value[row] for row in rows] if isinstance(value, list) else value


def checkpoint_folder(checkpoint: str) -> Path:
    """Return the folder of a checkpoint, downloaded if it is a hub name, with everything in it."""
    folder = Path(checkpoint)
    if not folder.is_dir():
        folder = Path(need("huggingface_hub", LEROBOT_INSTALL).snapshot_download(checkpoint))
    missing = [name for name in CHECKPOINT_FILES if not (folder / name).exists()]
    if missing:
        hint = ": LeRobot's migrate_policy_normalization writes it for older checkpoints" if "pro" in missing[0] else ""
        raise RuntimeError(f"{folder} is no LeRobot checkpoint: it has no {missing[0]}{hint}")
    return folder


def match_cameras(given: Any, features: list[str], known: Any = CAMERA_NAMES) -> dict[str, str]:
    """Return our camera -> the checkpoint's feature, for every feature that is not a placeholder."""
    pairs = given.items() if isinstance(given, dict) else (p.split("=", 1) for p in given.split(",") if "=" in p)
    names = {camera.strip(): IMAGE_KEY + name.strip().removeprefix(IMAGE_KEY) for camera, name in pairs}
    wanted = [key for key in features if not key.startswith(IMAGE_KEY + "empty_camera")]
    for key in wanted:
        if key in names.values():
            continue
        camera = next((ours for ours, theirs in known.items() if key.removeprefix(IMAGE_KEY) in theirs), "")
        if not camera or camera in names:
            raise RuntimeError(
                f"which camera shows {key}? The checkpoint sees {', '.join(wanted)}: give --policy-arg "
                f"camera_names={','.join(f'{ours}=NAME' for ours in known)}"
            )
        names[camera] = key
    unknown = [key for key in names.values() if key not in features]
    if unknown:
        raise RuntimeError(f"camera_names: the checkpoint has no {unknown[0]}; it sees {', '.join(wanted)}")
    return names


def actions_returned(config: Any, asked: int) -> int:
    """Return how many actions of a prediction are used."""
    if getattr(config, "temporal_ensemble_coeff", None) is not None:
        return 1
    most = config.n_action_steps if config.n_obs_steps > 1 else config.chunk_size
    if not 0 <= asked <= most:
        raise RuntimeError(f"actions={asked}: the checkpoint predicts {most}")
    return int(asked or config.n_action_steps)


def folder_hash(folder: Path) -> str:
    """Return a hash of weights, configuration and processors."""
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()[:16]
