"""The peer: robosuite's PickPlace with a Panda under its BASIC (operational space) controller at 20 Hz."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from side import serve, timed

logging.disable(logging.WARNING)

import mujoco  # noqa: E402
import robosuite  # noqa: E402
from robosuite.controllers import load_composite_controller_config  # noqa: E402

CAMERAS = ["agentview", "robot0_eye_in_hand"]
_ENVS: dict[tuple[bool, bool], Any] = {}
_RNG = np.random.default_rng(0)


def _env(cameras: bool, hard_reset: bool = True) -> Any:
    key = (cameras, hard_reset)
    if key not in _ENVS:
        seen = {"camera_names": CAMERAS, "camera_heights": 256, "camera_widths": 256} if cameras else {}
        _ENVS[key] = robosuite.make(
            "PickPlace",
            robots="Panda",
            controller_configs=load_composite_controller_config(controller="BASIC", robot="Panda"),
            has_renderer=False,
            has_offscreen_renderer=cameras,
            use_camera_obs=cameras,
            control_freq=20,
            ignore_done=True,
            hard_reset=hard_reset,
            **seen,
        )
        _ENVS[key].reset()
    return _ENVS[key]


def about() -> dict[str, Any]:
    """Say what is measured."""
    model = _env(False).sim.model
    return {"name": f"robosuite {robosuite.__version__} PickPlace", "mujoco": mujoco.__version__, "nv": int(model.nv)}


def steps(n: int, cameras: bool) -> dict[str, Any]:
    """Time ``n`` control steps of small random actions; robosuite's step returns its observation."""
    env = _env(cameras)
    env.reset()
    actions = 0.2 * _RNG.uniform(-1, 1, (n + 5, env.action_spec[0].size))
    for action in actions[:5]:
        env.step(action)
    return timed(lambda: [env.step(action) for action in actions[5:]], n)


def resets(n: int, hard_reset: bool) -> dict[str, Any]:
    """Time ``n`` resets; ``hard_reset`` (robosuite's default) builds the model anew each time."""
    env = _env(False, hard_reset)
    return timed(lambda: [env.reset() for _ in range(n)], n)


if __name__ == "__main__":
    serve({"about": about, "steps": steps, "resets": resets})
