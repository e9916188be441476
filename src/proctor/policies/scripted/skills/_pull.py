"""``pull``: draw what is held out of the furniture it stands in, forwards and up, until nothing is left inside."""

from __future__ import annotations

import itertools

import numpy as np

from proctor.assets import Site
from proctor.sim import matrix

from .._arm import Array, Doing, SkillError
from .._clearance import TIGHT_M, held_now
from .._hands import Hands
from .._spots import box_of
from .._travel import Path
from ._frame import skill

CLEAR_M = 0.02
# Without furniture around it, a held thing is drawn towards the robot by this much.
BACK_M = 0.10
RISES_M = (0.02, 0.05, 0.09, 0.0, 0.13)
# Nearer to the base the hand can only be held steeper (vlabench spec, section 0.1).
# How far to the side on the way to the front: past an open door.
SLANTS = (0.0, 0.5, -0.5, 1.0, -1.0)
STEEPER_RAD = (0.0, 0.17, 0.35, 0.52, 0.70)


@skill("pull", needs="holding")
def pull(hands: Hands) -> Doing:
    name = hands.holding
    assert name is not None
    around = furniture_of(hands, name)
    out, length = (np.array([-1.0, 0.0, 0.0]), BACK_M) if around is None else _way_out(hands, name, *around)
    blocked = ""
    aside = np.array([-out[1], out[0], 0.0])
    for steeper, slant, rise in itertools.product(STEEPER_RAD, SLANTS, RISES_M):
        path = _path(hands, length * (out + slant * aside), rise, steeper)
        found = hands.clearance.path_hit(
            path,
            hands.env.controller.q,
            held=held_now(hands.scene, name),
            ignore=frozenset({name}),
            # What fills its shelf touches almost: neither it nor the furniture keeps a margin.
            near=frozenset() if around is None else frozenset({around[0], name}),
            margin_m=TIGHT_M,
            finger_m=max(hands.arm.measured_finger_m(), 0.0),
        )
        if found is None:
            yield from hands.traveller.follow(path, speed=0.3)
            return
        blocked = blocked or found
    raise SkillError(f"{name} cannot be pulled out: {blocked} is in the way")


def furniture_of(hands: Hands, name: str) -> tuple[str, Site] | None:
    """Return the fixture that something is in, with the site of its whole inside; None where it is in none."""
    scene = hands.scene
    for fixture in scene.fixed:
        site = scene.assets[fixture].site("inside")
        if site is not None and _deepest(hands, name, fixture, site) > 0.0:
            return fixture, site
    return None


def _deepest(hands: Hands, name: str, fixture: str, site: Site) -> float:
    """Return how far something reaches in behind a site's front, 0 where it is wholly beside, above or before it."""
    low, high = _extent(hands, name, fixture, site)
    half = np.asarray(site.half)
    if np.any(low > half) or np.any(high < -half):
        return 0.0
    return float(high[0] + half[0])


def _extent(hands: Hands, name: str, fixture: str, site: Site) -> tuple[Array, Array]:
    """Return the least and the greatest coordinates of something in a site's frame."""
    position, frame = hands.scene.site_frame(fixture, site)
    low, high = box_of(hands.scene, name)
    corners = np.array(list(itertools.product(*zip(low, high, strict=True))))
    local = (corners - position) @ frame
    return local.min(axis=0), local.max(axis=0)


def _way_out(hands: Hands, name: str, fixture: str, site: Site) -> tuple[Array, float]:
    """Return the direction to the front and how far to go in it."""
    _, frame = hands.scene.site_frame(fixture, site)
    return -frame[:, 0], _deepest(hands, name, fixture, site) + CLEAR_M


def _path(hands: Hands, back: Array, rise: float, steeper: float) -> Path:
    """Return the way: up, then back, the hand turned down meanwhile."""
    position, rotation = hands.arm.position.copy(), hands.arm.rotation.copy()
    closing = rotation[:, 1]
    turned = min((matrix(s * steeper * closing) @ rotation for s in (1.0, -1.0)), key=lambda frame: frame[2, 2])
    up = position + np.array([0.0, 0.0, rise])
    return [(position, rotation), (up, rotation), (up + back, turned)]
