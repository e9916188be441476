"""``pick``: grasp something by one of its annotated grasps and take it off what it stands on, or out of its slot."""

from __future__ import annotations

import numpy as np

from .._arm import Doing, SkillError
from .._hands import Hands
from .._spots import bottom_of, top_of
from .._travel import reach_z
from ._frame import skill
from ._target import holder_of

CLEAR_M = 0.012


@skill("pick", needs="free")
def pick(hands: Hands, name: str) -> Doing:
    """Grasp ``name`` and lift it; out of a slot along the slot's axis, until nothing of it is left inside."""
    scene = hands.scene
    if name not in scene.movable:
        raise SkillError(f"{name} cannot be picked up")
    holder = holder_of(scene, name)
    out = np.array([0.0, 0.0, 1.0]) if holder is None else holder.out
    yield from hands.picker.pick(name, out=out, narrow=True)
    hands.holding = name
    if holder is None:
        return
    rise = top_of(scene, holder.entity) + CLEAR_M - bottom_of(scene, name)
    rise = min(rise, reach_z(hands.arm.position) - float(hands.arm.position[2]))
    if rise > 0.0:
        yield from hands.arm.shift(rise * out / out[2], speed=0.3)
