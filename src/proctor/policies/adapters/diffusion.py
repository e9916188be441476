"""Diffusion Policy (arXiv 2303.04137), through LeRobot.

It looks at the last ``n_obs_steps`` control steps, so it is asked at every one and predicts when its
``n_action_steps`` are used up. `_lerobot` says how.
"""

from __future__ import annotations

from ._lerobot import LeRobotAdapter


class Diffusion(LeRobotAdapter):
    """A checkpoint of kind ``diffusion``; arguments as in `LeRobotAdapter`."""

    kind = "diffusion"
