"""``insert``: put what is held into a hole: a tube into a stand, a flower into a vase, a card into a slot, a book.

The thing is brought over the hole in the hole's own frame, measured again there, and lowered along the hole's axis
until it stands on the ground of it. What has a face keeps it to the front; what has none may have any yaw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from proctor.assets import Site
from proctor.sim import heading, matrix, yaw_matrix

from .._arm import Array, Doing, SkillError
from .._clearance import held_now
from .._hands import Hands
from .._pick import MAX_WRIST_RAD, wrist_turn
from .._travel import Path
from ._frame import skill
from ._target import Holder, Target, holder_of, target_of
from ._turn import shortest

OVER_M = 0.015
GAP_M = 0.002
# Contact before this share of the way in is an edge, not the ground.
DEEP = 0.75
STUCK_N, GROUND_N = 12.0, 0.5
# Steps sideways [m] after the first try met an edge.
TRIES_M = ((0.0, 0.0), (0.002, 0.0), (-0.002, 0.0), (0.0, 0.002), (0.0, -0.002))
DOWN = np.array([0.0, 0.0, -1.0])
YAWS = tuple(k * math.pi / 6 for k in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6))


def has_holes(hands: Hands, where: str) -> bool:
    """Whether a target is a hole, or a thing that is nothing but holes, and what is held has a tip for one."""
    name = hands.holding
    if name is None or hands.scene.assets[name].stem is None:
        return False
    target = target_of(hands.scene, where)
    return bool(_holes(hands, target))


@skill("insert", needs="holding")
def insert(hands: Hands, where: str) -> Doing:
    """Put the held thing into the hole ``where``, or into the first free hole of ``where``."""
    name = hands.holding
    assert name is not None
    holes = _free(hands, name, _holes(hands, target_of(hands.scene, where)))
    if not holes:
        raise SkillError(f"{where} has no free hole for {name}")
    yield from put_into(hands, name, holes)


@skill("place", needs="holding", when=has_holes)
def place_into(hands: Hands, where: str) -> Doing:
    """Place into slots is to insert."""
    yield from insert(hands, where)


def put_into(hands: Hands, name: str, holes: Sequence[Holder], yaw: float | None = None) -> Doing:
    """Put what is held into the first of ``holes`` that can be reached, with a yaw in the hole's frame if asked."""
    hole, turn, path = _plan(hands, name, holes, yaw)
    yield from hands.traveller.follow(path)
    yield from _lower(hands, name, hole, turn)
    yield from hands.placer.release()
    hands.holding = None


def _holes(hands: Hands, target: Target) -> list[Holder]:
    """Return the holes that a target stands for, each once: itself, those in it (a layer), or all of an entity."""
    asset = hands.scene.assets.get(target.entity)
    if asset is None:
        return []
    found: dict[tuple[float, ...], Holder] = {}
    for site in asset.sites:
        if site.kind == "hole" and (target.site is None or _within(hands, target, site)):
            found.setdefault(site.pos, Holder(target.entity, site, *hands.scene.site_frame(target.entity, site)))
    return list(found.values())


def _within(hands: Hands, target: Target, hole: Site) -> bool:
    """Whether a hole is the target's site or has its middle in it."""
    assert target.site is not None
    if target.site.kind == "hole":
        return hole.name == target.site.name
    middle, _ = hands.scene.site_frame(target.entity, hole)
    return hands.scene.in_site(middle, target.entity, target.site)


def _free(hands: Hands, name: str, holes: Sequence[Holder]) -> list[Holder]:
    taken = [holder_of(hands.scene, other) for other in hands.scene.movable if other != name]
    used = {(holder.entity, holder.site.pos) for holder in taken if holder is not None}
    return [hole for hole in holes if (hole.entity, hole.site.pos) not in used]


def _plan(hands: Hands, name: str, holes: Sequence[Holder], yaw: float | None) -> tuple[Holder, Array, Path]:
    blocked = ""
    for hole in holes:
        for turn in _turns(hands, name, hole, yaw):
            over, into = _poses(hands, name, hole, turn)
            if abs(wrist_turn(over[1])) > MAX_WRIST_RAD:
                continue
            held = held_now(hands.scene, name)
            path = hands.traveller.plan([over, into], held=held, touch=_around(hands, hole.entity))
            if not isinstance(path, str):
                return hole, turn, path
            blocked = blocked or path
    raise SkillError(f"cannot put {name} into {holes[0].entity}: {blocked or 'the wrist'} is in the way")


def _around(hands: Hands, entity: str) -> frozenset[str]:
    """Return what may be touched on the way into a hole: its thing, and what that stands in."""
    movable = entity in hands.scene.movable
    return frozenset({entity}) | (hands.arm.supports(entity) if movable else frozenset())


def _turns(hands: Hands, name: str, hole: Holder, yaw: float | None) -> Iterator[Array]:
    """Yield rotations of the thing in the hole, those nearest to how it is held first."""
    asset = hands.scene.assets[name]
    if yaw is not None:
        yield hole.frame @ yaw_matrix(yaw)
    elif asset.face is not None:
        yield hole.frame
    else:
        inward = matrix(shortest(np.asarray(asset.stem.direction if asset.stem else DOWN), DOWN))
        now = heading(hole.frame.T @ hands.scene.rotation(name) @ inward.T)
        for step in YAWS:
            yield hole.frame @ yaw_matrix(now + step) @ inward


def _poses(hands: Hands, name: str, hole: Holder, turn: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the tool poses with the tip over the hole and on its ground, for the thing as it lies in the hand now."""
    scene = hands.scene
    stem = scene.assets[name].stem
    tip = turn @ np.asarray(stem.tip if stem is not None else (0.0, 0.0, 0.0))
    position, rotation = scene.tcp()
    change = turn @ scene.rotation(name).T
    arm = change @ (position - scene.origin(name))
    deep = hole.site.half[2]
    over = hole.position + (deep + OVER_M) * hole.out - tip + arm
    into = hole.position - (deep - GAP_M) * hole.out - tip + arm
    return (over, change @ rotation), (into, change @ rotation)


def _lower(hands: Hands, name: str, hole: Holder, turn: Array) -> Doing:
    """Lower along the axis; where an edge is met first, rise and try again a little beside."""
    arm = hands.arm
    for dx, dy in TRIES_M:
        over, into = _poses(hands, name, hole, turn)
        aside = hole.frame @ np.array([dx, dy, 0.0])
        yield from arm.move(over[0] + aside, over[1], speed=0.15)
        length = float(np.linalg.norm(over[0] - into[0]))

        def met(goal: Array = into[0] + aside, whole: float = length) -> bool:
            left = float(np.linalg.norm(arm.position - goal))
            return arm.force(name, hole.entity) > (GROUND_N if left < (1 - DEEP) * whole else STUCK_N)

        yield from arm.move(into[0] + aside, into[1], speed=0.12, stop=met, settle=6)
        if _depth(hands, name, hole) > DEEP * 2 * hole.site.half[2]:
            return


def _depth(hands: Hands, name: str, hole: Holder) -> float:
    scene = hands.scene
    stem = scene.assets[name].stem
    tip = scene.origin(name) + scene.rotation(name) @ np.asarray(stem.tip if stem else (0.0, 0.0, 0.0))
    return float(hole.site.half[2] - (tip - hole.position) @ hole.out)
