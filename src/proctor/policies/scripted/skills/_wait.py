"""``wait``: hold still for so many seconds, with or without something in the hand."""

from __future__ import annotations

from proctor.sim import CONTROL_DT

from .._arm import Doing, SkillError
from .._hands import Hands
from ._frame import skill

LONGEST_S = 60.0


@skill("wait")
def wait(hands: Hands, seconds: float | str = 1.0) -> Doing:
    """Hold still."""
    if isinstance(seconds, str) or not 0.0 <= seconds <= LONGEST_S:
        raise SkillError(f"wait takes 0 to {LONGEST_S:g} seconds, not {seconds}")
    yield from hands.arm.wait(round(seconds / CONTROL_DT))
