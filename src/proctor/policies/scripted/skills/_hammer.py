"""``hammer``: drive a nail in with the front of what is held, along the nail's own way.

The tool is pushed, not swung: force along the handle cannot twist it out of the fingers. What it drives with is the end
of its stem. Pushed again a little deeper until the joint says that the nail is in.
"""

from __future__ import annotations

from .._arm import Array, Doing, SkillError
from .._clearance import held_now
from .._hands import Hands
from .._travel import Path
from ._frame import skill
from ._nails import ends_of
from ._stem import tool_for
from ._target import target_of

BEFORE_M, TOUCH_M, BACK_M = 0.04, 0.003, 0.05
SPEED_M_S = 0.06
# Share of the nail's travel that counts as in, and how much deeper each push aims.
DRIVEN = 0.93
DEEPER_M = (0.002, 0.008, 0.014, 0.020)


@skill("hammer", needs="holding")
def hammer(hands: Hands, nail: str) -> Doing:
    """Push the nail in with the held tool."""
    name = hands.holding
    assert name is not None
    scene = hands.scene
    target = target_of(scene, nail)
    joint = f"{target.entity}/{target.part}"
    if scene.assets[name].stem is None:
        raise SkillError(f"{name} is no tool to hammer with")
    way = scene.data.joint(joint).xaxis.copy()
    travel = float(scene.model.joint(joint).range[1])

    def driven() -> bool:
        return float(scene.data.joint(joint).qpos[0]) >= DRIVEN * travel

    head = _head(hands, name)
    yield from hands.traveller.follow(_plan(hands, name, head, nail, way, target.entity))
    for deeper in DEEPER_M:
        left = travel - float(scene.data.joint(joint).qpos[0])
        goal, rotation = tool_for(hands, head, ends_of(hands, nail, way)[0] + way * (left + deeper), way)
        yield from hands.arm.move(goal, rotation, speed=SPEED_M_S, stop=driven, settle=8)
        if driven():
            break
    yield from hands.arm.shift(-BACK_M * way, speed=0.2)
    if not driven():
        raise SkillError(f"{nail} did not go in")


def _head(hands: Hands, name: str) -> str:
    """Return what drives: the held thing, or what has become one with it and goes first."""
    for a, b in hands.scene.welds.closed_pairs():
        if name in (a, b):
            return b if a == name else a
    return name


def _plan(hands: Hands, name: str, head: str, nail: str, way: Array, entity: str) -> Path:
    face = ends_of(hands, nail, way)[0]
    poses = [tool_for(hands, head, face - gap * way, way) for gap in (BEFORE_M, TOUCH_M)]
    held = held_now(hands.scene, name)
    path = hands.traveller.plan(poses, held=held, near=frozenset({entity}), ignore=frozenset({head}) - {name})
    if isinstance(path, str):
        raise SkillError(f"{nail} cannot be reached with {name}: {path} is in the way")
    return path
