"""``place`` into a bay that is open to the front only, and ``pick`` out of it: the mug under the coffee machine.

A bay is a site called ``bay``; its front is its -x side. The mug is held by its handle, which is turned to the front,
so that the hand stays before the machine's head; it goes in level, is set down, and comes out level again.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from proctor.assets import Site
from proctor.sim import heading, yaw_matrix

from .._arm import Array, Doing, SkillError
from .._clearance import held_now
from .._hands import Hands
from .._travel import Path
from ._frame import skill

BAY = "bay"
# From how far before its place the mug goes in, and how high over the floor.
OUT_M, OVER_M = 0.17, 0.012
# How far below the floor the last move aims: it ends where the mug touches.
PRESS_M = 0.008
UP = np.array([0.0, 0.0, 1.0])
# How far the handle may be turned from the front.
TURNS_RAD = (0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)
# Where in the bay, from its middle: a mug is filled within 2 cm of the spout's axis.
SPOTS_M = ((0.0, 0.0), (-0.008, 0.0), (0.0, 0.008), (0.0, -0.008))


def _bay_of(hands: Hands, where: str) -> tuple[str, Site] | None:
    entity, _, part = where.partition("/")
    asset = hands.scene.assets.get(entity)
    site = asset.site(BAY) if asset is not None and part in ("", BAY) else None
    return None if site is None else (entity, site)


def _goes_in(hands: Hands, where: str) -> bool:
    return _bay_of(hands, where) is not None


def _stands_in(hands: Hands, name: str) -> bool:
    return _around(hands, name) is not None


def _around(hands: Hands, name: str) -> tuple[str, Site] | None:
    scene = hands.scene
    if name not in scene.movable:
        return None
    for entity, asset in scene.assets.items():
        site = asset.site(BAY)
        if site is not None and scene.in_site(scene.com(name), entity, site):
            return entity, site
    return None


@skill("place", needs="holding", when=_goes_in)
def place_in_bay(hands: Hands, where: str) -> Doing:
    """Put the held thing into a bay, level, its grasped side to the front."""
    name, bay = hands.holding, _bay_of(hands, where)
    assert name is not None
    assert bay is not None
    entity, site = bay
    try:
        upright, spot, path = _plan(hands, name, entity, site)
    except SkillError:
        yield from hands.traveller.home(held=held_now(hands.scene, name))
        upright, spot, path = _plan(hands, name, entity, site)
    yield from hands.traveller.follow(path, speed=0.4)
    arm = hands.arm
    yield from arm.move(*_tool(hands, name, spot + OVER_M * UP, upright), speed=0.2)
    down = _tool(hands, name, spot - PRESS_M * UP, upright)
    yield from arm.move(*down, speed=0.1, stop=lambda: arm.force(name, entity) > 0.3)
    yield from hands.placer.release()
    hands.holding = None


@skill("pick", needs="free", when=_stands_in)
def pick_from_bay(hands: Hands, name: str) -> Doing:
    """Grasp what stands in a bay and bring it out level."""
    bay = _around(hands, name)
    assert bay is not None
    _, frame = hands.scene.site_frame(*bay)
    yield from hands.picker.pick(name)
    hands.holding = name
    yield from hands.arm.shift(-OUT_M * frame[:, 0], speed=0.25)


def _plan(hands: Hands, name: str, entity: str, site: Site) -> tuple[Array, Array, Path]:
    """Return rotation and place of the thing in the bay, and the way to before the bay."""
    scene = hands.scene
    centre, frame = scene.site_frame(entity, site)
    held, blocked = held_now(scene, name), ""
    for (x, y), upright in itertools.product(SPOTS_M, _rotations(hands, name, frame)):
        spot = centre + frame @ np.array([x, y, -site.half[2]])
        over = spot + OVER_M * UP
        poses = [_tool(hands, name, at, upright) for at in (over - OUT_M * frame[:, 0], over)]
        path = hands.traveller.plan(poses, held=held, near=frozenset({entity}))
        if not isinstance(path, str):
            return upright, spot, path
        blocked = blocked or path
    raise SkillError(f"cannot put {name} into the bay of {entity}: {blocked} is in the way")


def _rotations(hands: Hands, name: str, frame: Array) -> Iterator[Array]:
    """Yield upright rotations that turn the hand's side of the thing to the front of the bay."""
    scene = hands.scene
    position, _ = scene.tcp()
    towards = (position - scene.origin(name))[:2]
    # Where on the thing the hand is, as an angle in the thing's own frame.
    side = math.atan2(towards[1], towards[0]) - heading(scene.rotation(name))
    front = heading(frame) + math.pi
    for turn in TURNS_RAD:
        yield yaw_matrix(front + turn - side)


def _tool(hands: Hands, name: str, spot: Array, upright: Array) -> tuple[Array, Array]:
    """Return the tool pose that has the held thing with its foot at a spot."""
    held = held_now(hands.scene, name)
    rotation = upright @ held.rotation.T
    return spot - rotation @ held.position, rotation
