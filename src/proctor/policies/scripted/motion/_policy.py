"""The expert with a motion planner: same skills, same actions, other ways."""

from __future__ import annotations

from typing import get_args

from proctor.core import PolicySpec, ProctorError, did_you_mean, policy_code
from proctor.policies.scripted import ExpertPolicy, Hands
from proctor.sim import SimEnv

from ._ompl import require
from ._picker import CarefulPicker
from ._traveller import Effort, PlannedTraveller, Travel

TRAVELS: tuple[str, ...] = get_args(Travel)


class PlanningExpert(ExpertPolicy):
    """The expert whose transfers are ``scripted``, ``planned`` in joint space, or ``both``: planned where need be.

    Grasps whose lift would touch something are refused. ``effort`` is what planning has taken in this episode.
    """

    name = "planner"

    def __init__(self, travel: str = "both") -> None:
        super().__init__()
        if travel not in TRAVELS:
            raise ProctorError(f"travel {travel!r} is none of {', '.join(TRAVELS)}{did_you_mean(travel, TRAVELS)}")
        if travel != "scripted":
            require()
        self.travel = travel
        self._traveller = type("_Traveller", (PlannedTraveller,), {"travel": travel})
        self.effort = Effort()

    def spec(self) -> PolicySpec:
        """As the expert's, under a fingerprint of its own."""
        fingerprint = f"{self.name}-{policy_code(type(self))}:{self.travel}"
        return PolicySpec(name=self.name, privileged=True, fingerprint=fingerprint)

    def hands(self, env: SimEnv) -> Hands:
        """Return hands that travel so and pick with care."""
        hands = Hands(env, traveller=self._traveller, picker=CarefulPicker)
        assert isinstance(hands.traveller, PlannedTraveller)
        self.effort = hands.traveller.effort
        return hands
