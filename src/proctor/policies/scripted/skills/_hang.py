"""``hang``: bring the loop of what is held over a nail's head, let it down on the shaft, and let go.

The loop is the site ``loop`` of the held thing, whose z axis goes the way the nail does. It stops before the thing's
feet meet the board.
"""

from __future__ import annotations

import numpy as np

from proctor.sim import heading, yaw_matrix

from .._arm import Array, Doing, SkillError
from .._clearance import held_now
from .._hands import Hands
from ._frame import skill
from ._nails import ends_of
from ._target import target_of

LOOP = "loop"
# From how far before the nail's head the loop comes, and how far from the board the thing's back stays.
BEFORE_M, GAP_M = 0.025, 0.004
# How much lower than the shaft needs the loop is let down: it rests before.
LOWER_M = 0.004
UP = np.array([0.0, 0.0, 1.0])


@skill("hang", needs="holding")
def hang(hands: Hands, nail: str) -> Doing:
    name = hands.holding
    assert name is not None
    scene, target = hands.scene, target_of(hands.scene, nail)
    site = scene.assets[name].site(LOOP)
    if site is None:
        raise SkillError(f"{name} has no loop to hang it by")
    upright = yaw_matrix(heading(scene.rotation(target.entity)))
    way = upright[:, 0]
    face, foot = ends_of(hands, nail, way)
    deep = foot - (_behind(hands, name) + GAP_M) * way
    poses = [_tool(hands, name, at, upright) for at in (face - BEFORE_M * way, deep)]
    held, near = held_now(scene, name), frozenset({target.entity})
    path = hands.traveller.plan(poses, held=held, near=near)
    if isinstance(path, str):
        yield from hands.traveller.home(held=held)
        path = hands.traveller.plan(poses, held=held, near=near)
    if isinstance(path, str):
        raise SkillError(f"{name} cannot be brought to {nail}: {path} is in the way")
    yield from hands.traveller.follow(path, speed=0.35)
    yield from hands.arm.move(*_tool(hands, name, deep, upright), speed=0.12)
    down = deep - (site.half[0] + LOWER_M) * UP
    yield from hands.arm.move(
        *_tool(hands, name, down, upright), speed=0.05, stop=lambda: _rests(hands, name, target.entity)
    )
    yield from hands.placer.release()
    hands.holding = None


def _rests(hands: Hands, name: str, entity: str) -> bool:
    return hands.arm.force(name, entity) > 0.3


def _behind(hands: Hands, name: str) -> float:
    """Return how far the thing reaches beyond its loop's plane, along the loop's z axis."""
    scene = hands.scene
    site = scene.assets[name].site(LOOP)
    assert site is not None
    position, frame = scene.site_frame(name, site)
    reach = 0.0
    for geom in scene.geoms(name).tolist():
        axes, size = scene.data.geom_xmat[geom].reshape(3, 3), scene.model.geom_size[geom]
        middle = (scene.data.geom_xpos[geom] - position) @ frame[:, 2]
        reach = max(reach, float(middle + np.abs(axes.T @ frame[:, 2]) @ size))
    return reach


def _tool(hands: Hands, name: str, loop: Array, upright: Array) -> tuple[Array, Array]:
    """Return the tool pose that has the held thing upright and the middle of its loop at ``loop``."""
    scene = hands.scene
    site = scene.assets[name].site(LOOP)
    assert site is not None
    position, rotation = scene.tcp()
    change = upright @ scene.rotation(name).T
    middle, _ = scene.site_frame(name, site)
    return loop - change @ (middle - position), change @ rotation
