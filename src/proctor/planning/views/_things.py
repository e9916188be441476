"""What of a scene gets a mark: every object and fixture, what opens, buttons, and the slots of what has several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Asset, Link, Site, links
from proctor.sim import Scene

# Sites that stand for the whole of their entity, or for the way into it.
_WHOLE = frozenset({"inside", "front", "top", "top_side", "spout", "bay", "screen", "bed"})
# Where scenes stand things at the start; no plan puts anything there by name.
_SPOT = "spot"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with a mark: the geoms that show it, or a ``point`` [m] of ``entity`` where it has none of its own.

    ``carries`` says that other things lie on or in it, so that their outlines may be drawn over it.
    """

    name: str
    entity: str
    geoms: frozenset[int]
    point: tuple[float, float, float] | None = None
    carries: bool = False


def things_of(scene: Scene) -> list[Thing]:
    """Return everything of a scene that can have a mark, entities first."""
    things: list[Thing] = []
    for name in (*scene.movable, *scene.fixed):
        carries = name in scene.fixed or bool(scene.assets[name].sites)
        things.append(Thing(name, name, _under(scene.model, scene.body(name)), carries=carries))
        things += _parts(scene, name, scene.assets[name])
    return things


def _parts(scene: Scene, name: str, asset: Asset) -> Iterator[Thing]:
    named: set[str] = set()
    moving = [(handle.joint, handle.link) for handle in asset.handles]
    moving += [(button.name, button.link) for button in asset.buttons]
    for part, link in moving:
        # The root link is the entity, which has its mark.
        if part not in named and link != asset.root.name and _has(asset, link):
            named.add(part)
            geoms = _under(scene.model, scene.model.body(f"{name}/{link}").id)
            yield Thing(f"{name}/{part}", name, geoms, carries=True)
    # What is put behind a door is put into the furniture: numbers of its places would stand on the shut door.
    sites = [site for site in distinct_sites(asset) if joint_before(scene, name, site) is None]
    for site in sites if len(sites) > 1 else []:
        position, _ = scene.site_frame(name, site)
        x, y, z = (float(value) for value in position)
        yield Thing(f"{name}/{site.name}", name, frozenset(), (x, y, z))


def distinct_sites(asset: Asset) -> list[Site]:
    """Return the sites that a plan may name apart from their entity; of several names for one place, the first."""
    named = [site for site in asset.sites if site.name not in _WHOLE and not site.name.startswith(_SPOT)]
    return list({(site.link, site.kind, site.pos, site.half): site for site in reversed(named)}.values())[::-1]


def joint_before(scene: Scene, name: str, site: Site) -> str | None:
    """Return the joint that a site lies behind: its own, or the only door's, if it is in what that shuts."""
    if site.opening is not None:
        return site.opening.joint
    asset = scene.assets[name]
    joints = {handle.joint for handle in asset.handles}
    middle = scene.site_frame(name, site)[0]
    within = any(room.kind == "contain" and scene.in_site(middle, name, room) for room in asset.sites)
    return next(iter(joints)) if len(joints) == 1 and within else None


def _has(asset: Asset, link: str) -> bool:
    found: list[Link] = [item for item in links(asset.root) if item.name == link]
    return bool(found)


def _under(model: mujoco.MjModel, body: int) -> frozenset[int]:
    bodies = {body}
    # A body comes after its parent.
    for other in range(body + 1, model.nbody):
        if int(model.body_parentid[other]) in bodies:
            bodies.add(other)
    owner: NDArray[np.int32] = model.geom_bodyid
    return frozenset(int(geom) for geom in range(model.ngeom) if int(owner[geom]) in bodies)
