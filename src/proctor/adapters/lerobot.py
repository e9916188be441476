"""LeRobot policies (ACT, Diffusion, SmolVLA, X-VLA): a checkpoint folder examined as LeRobot itself would run it.

This file stands alone: it needs numpy and, when a policy is built, lerobot (written against 0.4.4) and its torch. It is
served from LeRobot's own virtual environment (``proctor serve proctor.adapters.lerobot:SmolVLA --policy-arg
checkpoint=FOLDER``) or joined into a single file by ``proctor serve --template``.

What a session receives is what LeRobot's ``select_action`` would give a lone episode after ``torch.manual_seed(seed)``:
observations pass the checkpoint's own preprocessor, all sessions that wait share one forward pass, actions pass its own
postprocessor, and every session draws its noise from a generator of its own, so an episode does not depend on who else
is being served.

- ACT, SmolVLA, X-VLA look at one observation: a whole chunk (``n_action_steps``) goes back and is executed on the
  environment's side.
- Diffusion (``n_obs_steps`` > 1) and ACT with temporal ensembling look at every control step: one action per request.

Pictures. Policies trained on LIBERO or VLA-Arena data saw renders whose rows come bottom first (OpenGL), turned by 180
degrees: a left-right mirror image of the upright picture that Proctor sends. ``orientation="libero"``, the default,
mirrors; ``"upright"`` is for checkpoints trained on pictures as Proctor shows them; ``"raw"`` turns rows bottom first.
Gripper. LIBERO's and ours agree: -1 opens, +1 closes.
"""

from __future__ import annotations

import hashlib
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

STATE = "observation.state"
IMAGES = "observation.images."
# Names that checkpoints give to the two cameras, as found in LIBERO, VLA-Arena and LeRobot datasets.
KNOWN_CAMERAS = {
    "agentview": ("image", "agentview", "agentview_image", "top", "front", "camera1"),
    "wrist": ("image2", "wrist_image", "wrist", "robot0_eye_in_hand_image", "eye_in_hand", "camera2"),
}
# What is done to an upright picture [H, W, 3].
ORIENTATIONS = {"libero": np.s_[:, ::-1], "upright": np.s_[:, :], "raw": np.s_[::-1]}
# gripper = slope * value + offset, in our terms: -1 opens, +1 closes.
GRIPPERS = {"plus_closes": (1, 0), "plus_opens": (-1, 0), "one_closes": (2, -1), "one_opens": (-2, 1)}


class LeRobot:
    """Any LeRobot policy with ``predict_action_chunk``; the subclasses fix the kind.

    ``checkpoint`` is a folder (or a repository id, which is downloaded). ``cameras`` maps our camera to the name in the
    checkpoint (``agentview=image,wrist=wrist_image``; known names are found by themselves). ``chunk`` is the number of
    actions per request, 0 for the checkpoint's ``n_action_steps``. ``image_size`` 0 takes the checkpoint's.
    """

    kind = ""

    def __init__(
        self,
        checkpoint: str,
        device: str = "cpu",
        cameras: Any = "",
        orientation: Any = "libero",
        gripper: str = "plus_closes",
        chunk: int = 0,
        image_size: int = 0,
        seed: int = 0,
    ) -> None:
        """Load weights and processors; what does not fit is a ValueError of one line."""
        import torch
        from lerobot.configs.policies import PreTrainedConfig
        from lerobot.policies.factory import get_policy_class, make_pre_post_processors

        folder = _folder(checkpoint)
        config = PreTrainedConfig.from_pretrained(folder)
        if self.kind and config.type != self.kind:
            raise ValueError(f"{folder}: the checkpoint is a {config.type!r}, not a {self.kind!r}")
        if gripper not in GRIPPERS:
            raise ValueError(f"gripper={gripper!r}: choose one of {', '.join(GRIPPERS)}")
        config.device = device
        self._torch: Any = torch
        self._config: Any = config
        self._cameras = _camera_names(cameras, list(config.image_features))
        self._orientation = _orientations(orientation, self._cameras)
        self._gripper, self._seed, self._device = GRIPPERS[gripper], seed, device
        self._policy: Any = get_policy_class(config.type).from_pretrained(folder, config=config)
        self._policy.to(device).eval()
        self._pre, self._post = make_pre_post_processors(
            config, pretrained_path=str(folder), preprocessor_overrides={"device_processor": {"device": device}}
        )
        self._coefficient = getattr(config, "temporal_ensemble_coeff", None)
        self._every_step = config.n_obs_steps > 1 or self._coefficient is not None
        self._horizon = _horizon(config, chunk)
        self._image_size = image_size or max(feature.shape[-1] for feature in config.image_features.values())
        self._fingerprint = _fingerprint(folder)
        self._sessions: dict[str, _Session] = {}
        self._check_features()

    def spec(self) -> dict[str, Any]:
        """Return the keys of a PolicySpec."""
        return {
            "name": self._config.type,
            "cameras": tuple(self._cameras),
            "image_size": self._image_size,
            "chunk": 1 if self._every_step else self._horizon,
            "fingerprint": self._fingerprint,
        }

    def begin(self, session: str, instruction: str, episode: Any) -> None:
        """Begin an episode: an empty history, and noise that depends on the episode's seed alone."""
        given = episode.get("seed", 0) if hasattr(episode, "get") else episode.seed
        seed = _policy_seed(int(given), self._seed)
        generator = self._torch.Generator(device=self._device).manual_seed(seed)
        self._sessions[session] = _Session(generator, self._config.n_obs_steps)
        if self._coefficient is not None:
            from lerobot.policies.act.modeling_act import ACTTemporalEnsembler

            self._sessions[session].ensembler = ACTTemporalEnsembler(self._coefficient, self._config.chunk_size)

    def act_batch(self, sessions: Any, observations: Any) -> list[np.ndarray]:
        """Return a chunk for each session; one forward pass for all that need one."""
        states = [self._sessions[session] for session in sessions]
        with self._torch.inference_mode():
            batch = self._pre(self._batch(observations))
            if self._config.n_obs_steps > 1:
                self._remember(states, batch)
            due = [row for row, state in enumerate(states) if not state.queue]
            if due:
                for row, actions in zip(due, self._forward(states, batch, due), strict=True):
                    states[row].queue.extend(self._actions(states[row], observations[row], actions))
        count = 1 if self._every_step else self._horizon
        return [np.stack([state.queue.popleft() for _ in range(count)]) for state in states]

    def end(self, session: str) -> None:
        """Forget ``session``."""
        self._sessions.pop(session, None)

    def _batch(self, observations: Any) -> dict[str, Any]:
        batch: dict[str, Any] = {"task": [observation.instruction for observation in observations]}
        for camera, key in self._cameras.items():
            turn = ORIENTATIONS[self._orientation[camera]]
            pictures = np.stack([observation.images[camera][turn] for observation in observations])
            tensor = self._torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous()
            batch[key] = tensor.to(self._torch.float32) / 255
        if STATE in self._config.input_features:
            rows = np.stack([self._state(observation) for observation in observations])
            batch[STATE] = self._torch.from_numpy(rows.astype(np.float32))
        return batch

    def _forward(self, states: list[_Session], batch: dict[str, Any], due: list[int]) -> np.ndarray:
        """Return actions [B, T, D] of the checkpoint's own kind for the rows that are due, unnormalised."""
        rows = {key: self._rows(value, due) for key, value in batch.items()}
        if self._config.n_obs_steps > 1:
            # predict_action_chunk reads histories from the policy's queues: hand it those of these sessions.
            histories = [states[row].history for row in due]
            rows = dict.fromkeys(histories[0][0])
            self._policy._queues = {
                key: [self._torch.stack([history[t][key] for history in histories]) for t in range(len(histories[0]))]
                for key in rows
            }
        with _row_noise(self._torch, [states[row].generator for row in due]):
            actions = self._policy.predict_action_chunk(rows)
        if self._coefficient is not None:
            ensembled = [states[row].ensembler.update(actions[i : i + 1]) for i, row in enumerate(due)]
            actions = self._torch.stack(ensembled, dim=0)
        actions = actions[:, : self._horizon]
        count, length, width = actions.shape
        # Postprocessors are written for [B, D].
        values = self._post(actions.reshape(count * length, width)).to(self._torch.float64).cpu().numpy()
        return np.asarray(values.reshape(count, length, -1))

    def _rows(self, value: Any, due: list[int]) -> Any:
        if self._torch.is_tensor(value) and value.ndim:
            return value[due]
        return [value[row] for row in due] if isinstance(value, list) else value

    def _remember(self, states: list[_Session], batch: dict[str, Any]) -> None:
        """Append this control step to each history; the first step fills it, as LeRobot does."""
        for row, state in enumerate(states):
            step = {key: batch[key][row] for key in (STATE, "observation.environment_state") if key in batch}
            step["observation.images"] = self._torch.stack([batch[key][row] for key in self._config.image_features])
            state.history.append(step)
            while len(state.history) < self._config.n_obs_steps:
                state.history.append(step)

    def _state(self, observation: Any) -> np.ndarray:
        return np.asarray(observation.state, dtype=np.float64)

    def _actions(self, state: _Session, observation: Any, actions: np.ndarray) -> np.ndarray:
        slope, offset = self._gripper
        actions[:, 6] = slope * actions[:, 6] + offset
        return actions

    def _check_features(self, state: int = 8, action: int = 7) -> None:
        config = self._config
        found = config.output_features["action"].shape[0]
        if found != action:
            raise ValueError(f"the checkpoint's actions have {found} numbers, this adapter expects {action}")
        if STATE in config.input_features and config.input_features[STATE].shape[0] != state:
            found = config.input_features[STATE].shape[0]
            raise ValueError(f"the checkpoint's {STATE} has {found} numbers, this adapter gives {state}")


class ACT(LeRobot):
    """Action Chunking Transformer."""

    kind = "act"


class Diffusion(LeRobot):
    """Diffusion Policy; asked at every control step, because it looks at the last ``n_obs_steps`` of them."""

    kind = "diffusion"


class SmolVLA(LeRobot):
    """SmolVLA: flow matching on a small vision-language model."""

    kind = "smolvla"


class XVLA(LeRobot):
    """X-VLA, whose actions are poses: x, y, z, six numbers of a rotation, gripper; then a second arm's, unused.

    The state is such a pose with 0 for the gripper, and zeros. Targets become steps of our controller (0.05 m and 0.5
    rad per unit, relative to the pose last commanded, which the session keeps): one within reach of a step is met
    exactly, another is approached at full speed. Of LIBERO's pictures only agentview was turned for this model.
    """

    kind = "xvla"

    def __init__(self, checkpoint: str, orientation: Any = "agentview=libero,wrist=raw", **options: Any) -> None:
        """Load as `LeRobot` does."""
        super().__init__(checkpoint, orientation=orientation, **options)
        from lerobot.policies.xvla.processor_xvla import XVLAImageNetNormalizeProcessorStep as Normalize

        # LeRobot's evaluator normalises before the checkpoint's own steps, which therefore may leave it out.
        if not any(isinstance(step, Normalize) for step in self._pre.steps):
            self._pre.steps = [Normalize(), *self._pre.steps]

    def _check_features(self, state: int = 20, action: int = 20) -> None:
        super()._check_features(state, action)

    def _state(self, observation: Any) -> np.ndarray:
        rotation = _rotation(observation.state[3:6])
        return np.concatenate([observation.state[:3], rotation[:, 0], rotation[:, 1], np.zeros(11)])

    def _actions(self, state: _Session, observation: Any, actions: np.ndarray) -> np.ndarray:
        from lerobot.policies.xvla.utils import rotate6d_to_axis_angle
        from lerobot.utils.rotation import Rotation

        done = min(observation.step - state.asked_at, len(state.poses) - 1)
        measured = np.asarray(observation.state, dtype=np.float64)
        position, rotation = state.poses[done] if done > 0 else (measured[:3], _rotation(measured[3:6]))
        state.asked_at, state.poses = observation.step, [(position, rotation)]
        steps = np.empty((len(actions), 7))
        for row, target in enumerate(actions):
            turn = _rotation(rotate6d_to_axis_angle(target[3:9])) @ rotation.T
            steps[row, :3] = np.clip((target[:3] - position) / 0.05, -1, 1)
            steps[row, 3:6] = np.clip(Rotation.from_matrix(turn).as_rotvec() / 0.5, -1, 1)
            steps[row, 6] = 1.0 if target[9] > 0.5 else -1.0
            position, rotation = position + 0.05 * steps[row, :3], _rotation(0.5 * steps[row, 3:6]) @ rotation
            state.poses.append((position, rotation))
        return steps


class _Session:
    """What an episode needs to remember."""

    def __init__(self, generator: Any, steps: int) -> None:
        self.generator = generator
        self.history: deque[dict[str, Any]] = deque(maxlen=steps)
        self.queue: deque[np.ndarray] = deque()
        self.ensembler: Any = None
        self.poses: list[tuple[np.ndarray, np.ndarray]] = []
        self.asked_at = 0


def _row_noise(torch: Any, generators: list[Any]) -> Any:
    """Return a context in which row i of a normal draw [B, ...] comes from generator i, as if it were drawn alone."""

    class Rows(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if function is torch.randn:
                size = kwargs.pop("size", args[0] if len(args) == 1 else args)
            elif function is torch.normal and "size" in kwargs:
                size = kwargs.pop("size")
            else:
                return function(*args, **kwargs)
            kwargs["generator"] = None
            keep = args if function is torch.normal else ()
            rows = [function(*keep, size=(1, *size[1:]), **{**kwargs, "generator": one}) for one in generators]
            return torch.cat(rows)

    return Rows()


def _folder(checkpoint: str) -> Path:
    folder = Path(checkpoint).expanduser()
    if not folder.is_dir():
        if checkpoint.count("/") != 1 or checkpoint.startswith((".", "/", "~")):
            raise ValueError(
                f"no folder {checkpoint!r}: give a LeRobot checkpoint (pretrained_model) or a repository id"
            )
        from huggingface_hub import snapshot_download

        folder = Path(snapshot_download(checkpoint))
    for name in ("config.json", "model.safetensors", "policy_preprocessor.json", "policy_postprocessor.json"):
        if not (folder / name).exists():
            hint = (
                ": LeRobot's migrate_policy_normalization adds it to older checkpoints" if "processor" in name else ""
            )
            raise ValueError(f"{folder} has no {name}{hint}")
    return folder


def _pairs(value: Any, argument: str) -> dict[str, str]:
    if isinstance(value, dict):
        return {str(key): str(name) for key, name in value.items()}
    pairs = [part.strip().partition("=") for part in str(value).split(",") if part.strip()]
    if any(not (key and equals and name) for key, equals, name in pairs):
        raise ValueError(f"{argument}={value!r}: write camera=name,camera=name")
    return {key: name for key, _, name in pairs}


def _camera_names(given: Any, features: list[str]) -> dict[str, str]:
    """Return our camera -> the checkpoint's feature, for every feature that is not a placeholder."""
    wanted = [key for key in features if not key.startswith(IMAGES + "empty_camera")]
    cameras = {
        camera: name if name.startswith(IMAGES) else IMAGES + name for camera, name in _pairs(given, "cameras").items()
    }
    for key in [key for key in wanted if key not in cameras.values()]:
        camera = next((ours for ours, names in KNOWN_CAMERAS.items() if key.removeprefix(IMAGES) in names), "")
        if not camera or camera in cameras:
            raise ValueError(
                f"which camera shows {key}? The checkpoint wants {', '.join(wanted)}: give cameras=camera=name,..."
            )
        cameras[camera] = key
    unknown = [key for key in cameras.values() if key not in features]
    if unknown:
        raise ValueError(f"the checkpoint has no {unknown[0]}; it has {', '.join(features)}")
    return cameras


def _orientations(given: Any, cameras: dict[str, str]) -> dict[str, str]:
    plain = isinstance(given, str) and "=" not in given
    turns = (
        dict.fromkeys(cameras, given) if plain else {**dict.fromkeys(cameras, "libero"), **_pairs(given, "orientation")}
    )
    for camera, turn in turns.items():
        if turn not in ORIENTATIONS:
            raise ValueError(f"orientation={turn!r} of camera {camera!r}: choose one of {', '.join(ORIENTATIONS)}")
    return turns


def _horizon(config: Any, chunk: int) -> int:
    if getattr(config, "temporal_ensemble_coeff", None) is not None:
        return 1
    limit = config.n_action_steps if config.n_obs_steps > 1 else config.chunk_size
    if not 0 <= chunk <= limit:
        raise ValueError(f"chunk={chunk}: the checkpoint predicts {limit} actions")
    return int(chunk or config.n_action_steps)


def _fingerprint(folder: Path) -> str:
    """Return the library's version and a hash of the weights, their configuration and the processors."""
    from lerobot import __version__

    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    return f"lerobot-{__version__}-{digest.hexdigest()[:12]}"


def _policy_seed(episode: int, own: int) -> int:
    """Return 63 bits that depend on the episode's seed and the policy's own."""
    text = f"{episode}\x1fpolicy\x1f{own}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def _rotation(vector: np.ndarray) -> np.ndarray:
    """Return the matrix of axis times angle."""
    from lerobot.utils.rotation import Rotation

    return np.asarray(Rotation.from_rotvec(vector).as_matrix())
