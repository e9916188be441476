"""GR00T N1.6 and N1.7, fine-tuned on LIBERO, through NVIDIA/Isaac-GR00T: its policy in this process or its server.

A server of its own that already runs can also be examined without an adapter: ``--policy gr00t://host:port``.

Conventions, from ``gr00t/eval/sim/LIBERO/libero_env.py``, ``gr00t/configs/data/embodiment_configs.py`` and
``gr00t/policy/gr00t_policy.py``: cameras ``agentview`` and ``wrist`` as ``image`` and ``wrist_image`` at 256 pixels,
not resized; state x, y, z, roll, pitch, yaw (which are the components of the axis-angle) and the two fingers as
``gripper``; one instruction per sample; actions under the same seven names, a horizon of 16 or 40, of which 8 are
executed; gripper [0, 1] with 1 = open. Arrays are [batch, time, ...], so all sessions are answered by one call.

Not verified here: the model. GR00T N1.5's keys (``video.image``, ``state.x``) are other ones and not served.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adapter import Adapter, check_checkpoint, gripper_from_open, need

GR00T_INSTALL = "run this in GR00T's environment (github.com/NVIDIA/Isaac-GR00T)"
GR00T_STATE = {"x": (0, 1), "y": (1, 2), "z": (2, 3), "roll": (3, 4), "pitch": (4, 5), "yaw": (5, 6), "gripper": (6, 8)}
GR00T_ACTION = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")


def gr00t_observation(images: Any, wrists: Any, states: Any, instructions: Any, language_key: str) -> dict[str, Any]:
    """Return GR00T's nested observation of a batch: [B, 1, H, W, 3] uint8, [B, 1, D] float32, [[text]]."""
    states = np.asarray(states, dtype=np.float32)[:, None, :]
    return {
        "video": {"image": np.stack(images)[:, None], "wrist_image": np.stack(wrists)[:, None]},
        "state": {key: states[..., first:last] for key, (first, last) in GR00T_STATE.items()},
        "language": {language_key: [[text] for text in instructions]},
    }


def gr00t_actions(answer: Any) -> Any:
    """Return GR00T's dictionary of [B, T, 1] as [B, T, 7]."""
    missing = [key for key in GR00T_ACTION if key not in answer]
    if missing:
        raise RuntimeError(f"GR00T answered without action {missing[0]!r}: its embodiment is not LIBERO's")
    return np.concatenate([np.asarray(answer[key], dtype=np.float64) for key in GR00T_ACTION], axis=-1)


class Gr00t(Adapter):
    """``checkpoint``: folder, or ``server``: host:port of its policy server; ``execute``: actions per call."""

    name = "gr00t"
    cameras = ("agentview", "wrist")

    def __init__(
        self,
        checkpoint: str = "",
        server: str = "",
        embodiment: str = "LIBERO_PANDA",
        execute: int = 8,
        device: str = "cuda:0",
        token: str = "",
        **conventions: Any,
    ) -> None:
        super().__init__(**conventions)
        self.chunk = execute
        self._where = server or check_checkpoint(checkpoint)
        self._embodiment = embodiment
        if server:
            host, _, port = server.rpartition(":")
            client = need("gr00t.policy.server_client", GR00T_INSTALL).PolicyClient
            self._policy = client(host=host, port=int(port), api_token=token or None)
        else:
            tags = need("gr00t.data.embodiment_tags", GR00T_INSTALL).EmbodimentTag
            if embodiment not in tags.__members__:
                raise RuntimeError(f"no embodiment {embodiment!r}: give one of {', '.join(tags.__members__)}")
            policy = need("gr00t.policy.gr00t_policy", GR00T_INSTALL).Gr00tPolicy
            self._policy = policy(embodiment_tag=tags[embodiment], model_path=self._where, device=device)
        self._language_key = self._policy.get_modality_config()["language"].modality_keys[0]

    def facts(self) -> dict[str, Any]:
        """Return checkpoint or server, embodiment and how much is executed."""
        return {"where": self._where, "embodiment": self._embodiment, "execute": self.chunk}

    def act_batch(self, sessions: Any, observations: Any) -> list[Any]:
        """Answer all sessions by one call of the model."""
        memories = [self.memory(session) for session in sessions]
        batch = gr00t_observation(
            [self.image(seen, "agentview") for seen in observations],
            [self.image(seen, "wrist") for seen in observations],
            [self.state(seen) for seen in observations],
            [memory.instruction for memory in memories],
            self._language_key,
        )
        answer, _ = self._policy.get_action(batch)
        return [self.to_actions(actions) for actions in gripper_from_open(gr00t_actions(answer))]
