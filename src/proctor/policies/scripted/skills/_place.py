"""``place``: put what is held on or into something, on a region of the table, or anywhere on the table."""

from __future__ import annotations

import itertools
import math

import numpy as np

from proctor.assets import Site
from proctor.sim import Scene

from .._arm import Array, Doing
from .._hands import Hands
from .._place import RELEASE_HEIGHTS_M
from .._spots import AWAY, SPOTS, foot_radius, spots_in_site, spots_on_table, spots_on_top
from ._frame import skill
from ._target import Target, target_of

# Into a narrow bowl things are dropped from over its rim: a hand that opens has no room inside.
DROPS_M = (0.09, 0.11)
FRONT = "front"
# Where an arm pours with ease: a little beyond the middle of its reach.
POURED_XY = np.array([0.0, -0.02])


@skill("place", needs="holding")
def place(hands: Hands, where: str) -> Doing:
    """Put the held thing where ``where`` says and let go."""
    name = hands.holding
    assert name is not None
    target = target_of(hands.scene, where)
    spots, along = spots_for(hands, name, target)
    long = hands.scene.assets[name].elongated
    yield from hands.placer.place(
        name, target.entity, spots, along=along if long else None, heights_m=(*RELEASE_HEIGHTS_M, *DROPS_M)
    )
    hands.holding = None


def spots_for(hands: Hands, name: str, target: Target) -> tuple[list[Array], float | None]:
    """Return where the bottom of ``name`` may come to rest, best first, and the yaw of the place's long side.

    Of an entity its inside is meant, or its top where it has none; something too wide for a movable vessel goes on it.
    """
    scene = hands.scene
    if target.entity == scene.workspace:
        rect = target.region.ranges[0] if target.region is not None and target.region.ranges else AWAY
        spots = spots_on_table(scene, name, rect, limit=None)
        if _is_poured_into(scene, name):
            spots.sort(key=lambda spot: float(np.linalg.norm(spot[:2] - POURED_XY)))
        return spots[:SPOTS], None
    asset = scene.assets[target.entity]
    kinds = ("contain", "place")
    # Where a roof hangs over the back, there is a site before it.
    site = target.site or asset.site(FRONT) or next((s for kind in kinds for s in asset.sites if s.kind == kind), None)
    wide = site is not None and target.entity in scene.movable and foot_radius(scene, name) > min(site.half[:2])
    if site is None or wide:
        return spots_on_top(scene, target.entity), None
    spots, along = spots_in_site(scene, name, target.entity, site)
    # Furniture with a roof or drawers has its own order.
    cell = _cell(scene, name, target.entity, site) if target.site is None and asset.site(FRONT) is None else None
    if cell is not None:
        spots.sort(key=lambda spot: float(np.linalg.norm(spot[:2] - cell)))
    return spots, along


def _is_poured_into(scene: Scene, name: str) -> bool:
    """Whether the task's plan pours something into ``name``."""
    return any(call.skill == "pour" and call.args[0] == name for call in scene.task.plan)


def _cell(scene: Scene, name: str, support: str, site: Site) -> Array | None:
    """Return where on a site a thing leaves room for those that the plan puts there as well; None if there are none.

    The site is divided into as many cells, the farthest from the robot are filled first.
    """
    wheres = [str(call.args[0]) for call in scene.task.plan if call.skill == "place"]
    count = sum(where.partition("/")[0] == support for where in wheres)
    if count < 2:
        return None
    there = sum(
        scene.in_site(scene.com(other), support, site) for other in scene.movable if other not in (name, support)
    )
    half = np.asarray(site.half[:2])
    long = int(np.argmax(half))
    rows = max(1, round(math.sqrt(count * half[1 - long] / half[long])))
    columns = math.ceil(count / rows)
    centre, frame = scene.site_frame(support, site)
    cells = []
    for row, column in itertools.product(range(rows), range(columns)):
        local = np.zeros(3)
        local[long] = ((2 * column + 1) / columns - 1) * half[long]
        local[1 - long] = ((2 * row + 1) / rows - 1) * half[1 - long]
        cells.append((centre + frame @ local)[:2])
    cells.sort(key=lambda cell: (-round(float(cell[0]), 2), float(cell[1])))
    return cells[min(there, len(cells) - 1)]
