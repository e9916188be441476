"""SmolVLA (arXiv 2506.01844), through LeRobot: flow matching on a small vision-language model.

Two cameras in [0, 1], 8-D state, the instruction as it is; a chunk of 50. `_lerobot` says how.
"""

from __future__ import annotations

from ._lerobot import LeRobotAdapter


class SmolVLA(LeRobotAdapter):
    """A checkpoint of kind ``smolvla``; arguments as in `LeRobotAdapter`."""

    kind = "smolvla"
