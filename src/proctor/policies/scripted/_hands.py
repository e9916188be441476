"""What a skill works with: the arm, its ways of moving and grasping, and what it holds."""

from __future__ import annotations

from proctor.sim import Scene, SimEnv

from ._arm import OPEN, Arm, Array
from ._clearance import Clearance
from ._pick import Picker
from ._place import Placer
from ._travel import Traveller


class Hands:
    """The expert's hands in one episode; ``holding`` is what the last skill left between the fingers.

    Without ``avoid`` every motion is a straight line that looks at nothing but its end. Another ``traveller`` or
    ``picker`` finds other ways and grasps.
    """

    def __init__(
        self,
        env: SimEnv,
        *,
        avoid: bool = True,
        traveller: type[Traveller] = Traveller,
        picker: type[Picker] = Picker,
    ) -> None:
        self.env = env
        self.avoid = avoid
        self.arm = Arm(env)
        self.clearance = Clearance(env.scene)
        self.traveller = traveller(self.arm, self.clearance, avoid=avoid)
        self.picker = picker(self.arm, self.clearance, self.traveller, avoid=avoid)
        self.placer = Placer(self.arm, self.clearance, self.traveller, avoid=avoid)
        self.holding: str | None = None

    @property
    def scene(self) -> Scene:
        return self.env.scene

    def idle(self) -> Array:
        """Return the action that holds still: with an open hand, or with what a skill holds."""
        if self.holding is None:
            self.arm.grip = OPEN
        return self.arm.action()
