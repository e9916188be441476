"""Grasps that would not do are refused before the hand moves: what is lifted must have room to be lifted."""

from __future__ import annotations

import numpy as np

from proctor.expert import LIFT_M, TIGHT_M, Arm, Candidate, Clearance, Held, Picker, Traveller
from proctor.world import HOME_Q

from ._traveller import PlannedTraveller


class CarefulPicker(Picker):
    """Refuses grasps whose lift, with the object in the hand, touches something.

    What slips while it is lifted is put aside by `Picker.pick`, which then takes the next best grasp.
    """

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller, *, avoid: bool) -> None:
        super().__init__(arm, clearance, traveller, avoid=avoid)
        self._scene, self._ways, self._checks = arm.scene, traveller, clearance
        self._supports = arm.supports

    def refuses(self, name: str, grasp: Candidate) -> str | None:
        """Return what the lift would touch; what the object stands on or in may be touched."""
        scene = self._scene
        inverse = grasp.rotation.T
        lying = Held(name, inverse @ (scene.origin(name) - grasp.position), inverse @ scene.rotation(name))
        q, _ = self._checks.solve(grasp.position, grasp.rotation, HOME_Q)
        lifted = grasp.position + np.array([0.0, 0.0, LIFT_M])
        found = self._checks.path_hit(
            [(grasp.position, grasp.rotation), (lifted, grasp.rotation)],
            q,
            held=lying,
            ignore=self._supports(name) | {scene.workspace, "table"},
            margin_m=TIGHT_M,
            finger_m=grasp.width_m / 2,
        )
        if found is not None and isinstance(self._ways, PlannedTraveller):
            self._ways.effort.refused_grasps += 1
        return found
