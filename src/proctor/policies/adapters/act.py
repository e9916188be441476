"""ACT, the Action Chunking Transformer (arXiv 2304.13705), through LeRobot.

One observation, ``n_action_steps`` actions; with temporal ensembling one action per control step. `_lerobot` says how.
"""

from __future__ import annotations

from ._lerobot import LeRobotAdapter


class ACT(LeRobotAdapter):
    """A checkpoint of kind ``act``; arguments as in `LeRobotAdapter`."""

    kind = "act"
