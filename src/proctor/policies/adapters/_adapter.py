"""What all adapters share: sessions, the way from our observations to a model's, and from its numbers to our actions.

Our world has LIBERO's coordinates: the arm's base, the table's height, the camera ``agentview``, the state's layout and
the gripper's sign (-1 opens) are the same. Three things differ for a model that was trained on LIBERO data, and
``trained_on="libero"`` (the default) accounts for them; ``trained_on="proctor"``, for a model trained on runs recorded
here, changes nothing. Figures: ``benchmarks/robosuite_conventions.py``.

- *Pictures.* LIBERO's data is mirrored left-right (`_images.orient` says why). ``mirror`` and ``rotate`` override.
- *Motion.* Nominally both take +-1 for 0.05 m and 0.5 rad per step. But LIBERO's controller (robosuite's
  operational-space controller, kp 150, critically damped) sets its goal anew each step *from where the arm is* and gets
  only part of the way in 50 ms; ours arrives. In the steady state it covers 0.255 of the commanded way and, for small
  ones, 0.23 of the rotation, so actions are scaled by that. ``motion_scale`` overrides.
- *State.* LIBERO's axis-angle has its first component positive (a hand that points down is near [pi, 0, 0]); ours
  stays below pi and may jump to the other side. And its tool point lies 7 mm nearer to the palm. `libero_state`.

``examined_in="libero"``: the environment is LIBERO itself, so motion and state are already its own.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
from typing import Any

import numpy as np

from ._images import orient

OSC_TRANSLATION = 0.255
OSC_ROTATION = 0.23
TOOL_OFFSET_M = 0.0069
WORLDS = ("libero", "proctor")


def need(module: str, install: str) -> Any:
    """Import a model's library, or say in one line what is missing and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"cannot import {module} ({error}): {install}") from None


def check_checkpoint(checkpoint: str) -> str:
    """Return ``checkpoint``; a path that does not exist is an error (a name on a hub is left to its library)."""
    if not checkpoint:
        raise RuntimeError("no checkpoint: give checkpoint=PATH, or its name on the model's hub")
    path = os.path.expanduser(checkpoint)
    if path.startswith(("/", "./", "../")) and not os.path.exists(path):
        raise RuntimeError(
            f"there is no checkpoint {checkpoint}: give an existing path, or its name on the model's hub"
        )
    return path


def pick_unnorm_key(known: Any, wanted: str) -> str:
    """Return the key of the action statistics: ``wanted``, ``wanted_no_noops``, or the only one there is."""
    keys = sorted(known)
    for key in (wanted, f"{wanted}_no_noops"):
        if key in keys:
            return key
    if not wanted and len(keys) == 1:
        return str(keys[0])
    what = f"has no action statistics {wanted!r}" if wanted else "has action statistics of several data sets"
    raise RuntimeError(f"the checkpoint {what}: give unnorm_key= one of {', '.join(keys)}")


def libero_state(state: Any) -> Any:
    """Return our 8-D state as LIBERO would report it: other tool point, first component of the angle not negative."""
    state = np.array(state, dtype=np.float64)
    state[:3] -= TOOL_OFFSET_M * approach(state[3:6])
    if state[3] < 0.0:
        state[3:6] *= 1.0 - 2.0 * math.pi / float(np.linalg.norm(state[3:6]))
    return state


def approach(axis_angle: Any) -> Any:
    """Return where the tool's z axis points: Rodrigues' rotation of [0, 0, 1]."""
    angle = float(np.linalg.norm(axis_angle))
    z = np.array([0.0, 0.0, 1.0])
    if angle < 1e-9:
        return z
    axis = np.asarray(axis_angle) / angle
    return z * math.cos(angle) + np.cross(axis, z) * math.sin(angle) + axis * axis[2] * (1.0 - math.cos(angle))


def gripper_from_open(actions: Any) -> Any:
    """Map the gripper from [0, 1], 1 = open (RLDS data) to ours: above 0.5 -> -1 (open), below -> +1, 0.5 -> 0."""
    actions = np.array(actions, dtype=np.float64)
    actions[..., 6] = -np.sign(2.0 * actions[..., 6] - 1.0)
    return actions


class AdapterSession:
    """What one client's episode needs to remember."""

    def __init__(self, instruction: str, episode: Any) -> None:
        get = episode.get if hasattr(episode, "get") else lambda key, default: getattr(episode, key, default)
        self.instruction = instruction
        self.seed = int(get("seed", 0) or 0)


class Adapter:
    """Base of the adapters; subclasses set the names below and define `predict` (or `act_batch` for a true batch)."""

    name = ""
    cameras: tuple[str, ...] = ("agentview",)
    chunk = 1
    image_size = 256

    def __init__(
        self,
        *,
        trained_on: str = "libero",
        examined_in: str = "proctor",
        mirror: bool | None = None,
        rotate: int = 0,
        motion_scale: Any = None,
    ) -> None:
        for what, world in (("trained_on", trained_on), ("examined_in", examined_in)):
            if world not in WORLDS:
                raise ValueError(f"{what} is {world!r}: it must be one of {', '.join(WORLDS)}")
        if rotate not in (0, 180):
            raise ValueError(f"rotate is {rotate!r}: it must be 0 or 180")
        foreign = trained_on == "libero" and examined_in == "proctor"
        self.mirror = trained_on == "libero" if mirror is None else bool(mirror)
        self.rotate = rotate
        self.libero_state = foreign
        if motion_scale is None:
            motion_scale = (OSC_TRANSLATION, OSC_ROTATION) if foreign else 1.0
        scale = np.broadcast_to(np.asarray(motion_scale, dtype=np.float64), (2,))
        if not (np.isfinite(scale).all() and (scale > 0.0).all() and (scale <= 1.0).all()):
            raise ValueError(f"motion_scale is {motion_scale!r}: it must be above 0 and at most 1, one number or two")
        self.motion_scale = np.repeat(scale, 3)
        self._sessions: dict[str, Any] = {}

    def facts(self) -> dict[str, Any]:
        """Return what else decides the actions: checkpoint, keys, options. Part of the fingerprint."""
        raise NotImplementedError

    def spec(self) -> dict[str, Any]:
        facts = {
            **self.facts(),
            "mirror": self.mirror,
            "rotate": self.rotate,
            "libero_state": self.libero_state,
            "motion_scale": [float(value) for value in self.motion_scale[::3]],
        }
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]
        return {
            "name": self.name,
            "cameras": tuple(self.cameras),
            "image_size": self.image_size,
            "state_dim": 8,
            "action_dim": 7,
            "control_mode": "delta_eef_axis_angle_gripper",
            "control_hz": 20.0,
            "chunk": self.chunk,
            "fingerprint": f"{self.name}:{digest}",
        }

    def remember(self, instruction: str, episode: Any) -> Any:
        return AdapterSession(instruction, episode)

    def begin(self, session: str, instruction: str, episode: Any) -> None:
        """Begin an episode; an earlier one of this session is forgotten."""
        self._sessions[session] = self.remember(instruction, episode)

    def end(self, session: str) -> None:
        self._sessions.pop(session, None)

    def memory(self, session: str) -> Any:
        if session not in self._sessions:
            raise RuntimeError(f"session {session!r} was asked to act before its episode began")
        return self._sessions[session]

    def act_batch(self, sessions: Any, observations: Any) -> list[Any]:
        """Return a chunk [H, 7] for each session; one call of the model each, unless the subclass can do better."""
        pairs = zip(sessions, observations, strict=True)
        return [self.to_actions(self.predict(self.memory(session), seen)) for session, seen in pairs]

    def predict(self, memory: Any, observation: Any) -> Any:
        """Return actions [H, 7] in the model's scale, with the gripper's sign already ours."""
        raise NotImplementedError

    def image(self, observation: Any, camera: str) -> Any:
        """Return a camera's picture the way round that the model knows."""
        return orient(np.asarray(observation.images[camera]), self.mirror, self.rotate)

    def state(self, observation: Any) -> Any:
        """Return the 8-D state as the model knows it."""
        state = np.array(observation.state, dtype=np.float64)
        return libero_state(state) if self.libero_state else state

    def to_actions(self, actions: Any) -> Any:
        """Clip to [-1, 1] as LIBERO's controller does, scale the motion, keep ``chunk`` actions."""
        actions = np.clip(np.atleast_2d(np.array(actions, dtype=np.float64))[: self.chunk, :7], -1.0, 1.0)
        actions[:, :6] *= self.motion_scale
        return actions
