"""``strike``: set a ball rolling with the end of a held stick, so that it, or the ball it meets, goes into a pocket.

Aim: the ball that lies between must leave towards the pocket, so the struck one has to arrive where it touches that
ball on the far side from the pocket. The stick meets the ball a little above its middle, so that block and fingers
stay over the cushions, and is drawn back once the ball runs.
"""

from __future__ import annotations

import math

import numpy as np

from .._arm import Array, Doing, SkillError
from .._clearance import held_now
from .._hands import Hands
from ._frame import skill
from ._stem import tool_for
from ._target import Target, target_of

BEFORE_M, PUSH_M, BACK_M, RAISED_M = 0.030, 0.050, 0.06, 0.08
ABOVE_M = 0.006
SPEED_M_S, ACCELERATION = 0.45, 5.0
NEAR_M, ASIDE_RAD = 0.16, math.radians(25.0)
UP = np.array([0.0, 0.0, 1.0])


@skill("strike", needs="holding")
def strike(hands: Hands, ball: str, pocket: str) -> Doing:
    """Strike ``ball`` with what is held, so that it or the ball before it runs into ``pocket``."""
    name = hands.holding
    assert name is not None
    scene = hands.scene
    if scene.assets[name].stem is None:
        raise SkillError(f"{name} is no tool to strike with")
    if ball not in scene.movable:
        raise SkillError(f"{ball} cannot be struck")
    target = target_of(scene, pocket)
    radius = scene.assets[ball].radius_m
    centre = _centre(hands, ball)
    way = _aim(hands, ball, centre, target)
    contact = centre + ABOVE_M * UP
    start = contact - (radius + BEFORE_M) * way
    poses = [tool_for(hands, name, at, way) for at in (start + RAISED_M * UP, start)]
    path = hands.traveller.plan(poses, held=held_now(scene, name), near=frozenset({target.entity}))
    if isinstance(path, str):
        raise SkillError(f"{ball} cannot be struck with {name}: {path} is in the way")
    yield from hands.traveller.follow(path)
    yield from hands.arm.move(*tool_for(hands, name, start, way), speed=0.15, settle=8)
    through = tool_for(hands, name, contact + (PUSH_M - radius) * way, way)
    yield from hands.arm.move(*through, speed=SPEED_M_S, acceleration=ACCELERATION, settle=0)
    yield from hands.arm.shift(-BACK_M * way, speed=0.3)
    yield from hands.arm.wait(30)


def _centre(hands: Hands, name: str) -> Array:
    """Middle of a ball, however it has rolled."""
    geom = int(hands.scene.geoms(name)[0])
    return np.asarray(hands.scene.data.geom_xpos[geom].copy())


def _flat(vector: Array) -> Array:
    """Horizontal unit vector."""
    level = np.array([vector[0], vector[1], 0.0])
    return np.asarray(level / np.linalg.norm(level))


def _aim(hands: Hands, ball: str, centre: Array, target: Target) -> Array:
    """Return the way along which ``ball`` must run."""
    scene = hands.scene
    if target.site is None:
        raise SkillError(f"{target.entity} is no pocket; name one, as in billiard_table_1/left_top")
    goal = scene.site_frame(target.entity, target.site)[0]
    straight = _flat(goal - centre)
    between = []
    for other in scene.movable:
        if other == ball or scene.assets[other].category != scene.assets[ball].category:
            continue
        away = _centre(hands, other) - centre
        if np.linalg.norm(away) < NEAR_M and _flat(away) @ straight > math.cos(ASIDE_RAD):
            between.append((float(np.linalg.norm(away)), other))
    if not between:
        return straight
    met = _centre(hands, min(between)[1])
    meeting = met - (scene.assets[ball].radius_m + scene.assets[min(between)[1]].radius_m) * _flat(goal - met)
    return _flat(meeting - centre)
