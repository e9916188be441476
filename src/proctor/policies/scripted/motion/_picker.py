"""Grasps that would not do are refused before the hand moves: what is lifted must have room to be lifted."""

from __future__ import annotations

from proctor.policies.scripted import Arm, Candidate, Clearance, Picker, Traveller

from ._traveller import PlannedTraveller


class CarefulPicker(Picker):
    """Refuses grasps whose lift, with the object in the hand, touches something.

    What slips while it is lifted is put aside by `Picker.pick`, which then takes the next best grasp.
    """

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller, *, avoid: bool) -> None:
        super().__init__(arm, clearance, traveller, avoid=avoid)
        self._ways = traveller

    def refuses(self, name: str, grasp: Candidate) -> str | None:
        """Return what the lift would touch; what the object stands on or in may be touched."""
        found = self.lift_hit(name, grasp)
        if found is not None and isinstance(self._ways, PlannedTraveller):
            self._ways.effort.refused_grasps += 1
        return found
