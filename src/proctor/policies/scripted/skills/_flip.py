"""``flip``: turn something by half a turn about the vertical and put it back where it was, face to the other side."""

from __future__ import annotations

import math

import numpy as np

from proctor.sim import yaw_matrix

from .._arm import Doing
from .._hands import Hands
from .._pick import wrist_turn
from ._frame import perform, skill
from ._insert import put_into
from ._target import holder_of

RISE_M = 0.04


@skill("flip", needs="free")
def flip(hands: Hands, name: str) -> Doing:
    """Pick, turn, and put back: into the slot it came from, or onto the spot it stood on."""
    scene, arm = hands.scene, hands.arm
    holder = holder_of(scene, name)
    turned = holder is not None and float((holder.frame.T @ scene.rotation(name))[0, 0]) < 0.0
    spot, below = scene.origin(name), arm.supports(name) - {name}
    yield from perform(hands, "pick", name)
    # Half a turn has no shorter side: through the middle of the wrist's range, by two quarters.
    side = -math.copysign(1.0, wrist_turn(arm.rotation))
    yield from arm.shift(np.array([0.0, 0.0, RISE_M]))
    for _ in range(2):
        yield from arm.move(arm.position.copy(), yaw_matrix(side * math.pi / 2) @ arm.rotation)
    if holder is not None:
        yield from put_into(hands, name, [holder], 0.0 if turned else math.pi)
        return
    support = next(iter(sorted(below)), scene.workspace)
    yield from hands.placer.place(name, support, [spot])
    hands.holding = None
