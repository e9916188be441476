"""Held, let go, at rest, in or on a receptacle: what a hand does to a thing, as several predicates and scores mean it.

Held, let go, at rest: what a hand does to a thing, as several predicates and scores mean it.

Each is built once per scene and thing and then shared.
"""

from __future__ import annotations

from collections.abc import Iterable

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import Site

from ._contacts import Condition, geom_force
from ._rotation import Array
from ._scene import ROBOT_NAMES, Place, Scene

GRIP_N = 0.2
"""Least force of each finger by which a thing is held."""
HELD_S = 0.3
RELEASED_S = 0.3
STILL_S = 0.5
STILL_M_S = 0.02
STILL_RAD_S = 0.3
SWING_S = 1.5
SWING_M_S = 0.4
"""What hangs on a nail swings for seconds: it rests if its mean speed over `SWING_S` is below this."""
CARRIES = 0.3
"""Least vertical part of a contact's normal by which one thing carries another."""
CARRIED_SHARE = 0.1
"""Share of its weight from which on something else carries a thing."""
GRAVITY_M_S2 = 9.81


def held(scene: Scene, name: str) -> Condition:
    """Return a condition: for 0.3 s both fingers have pressed ``name`` with 0.2 N and nothing else has carried it."""
    return scene.shared(("held", name), lambda: scene.lasting.lasts(gripped(scene, name), HELD_S))


def gripped(scene: Scene, name: str) -> Condition:
    """Return a condition: both fingers press ``name`` with 0.2 N or more each and nothing else carries it, now."""
    touching = scene.held(name)
    mine = frozenset(scene.geoms(name).tolist())
    fingers = [frozenset(geoms.tolist()) for geoms in scene.finger_geoms]

    def grips() -> bool:
        if not touching():
            return False
        pressed = all(geom_force(scene.model, scene.data, finger, mine) >= GRIP_N for finger in fingers)
        return pressed and not carried(scene, name)

    return scene.shared(("gripped", name), lambda: grips)


def carried(scene: Scene, name: str, but: frozenset[int] = frozenset()) -> bool:
    """Whether things other than the robot (and the geoms ``but``) carry a tenth of the weight of ``name`` now."""
    mine = frozenset(scene.geoms(name).tolist())
    robot, buffer, contacts = scene.robot_geoms, np.zeros(6), scene.data.contact
    lifted_n = 0.0
    for index, ((a, b), up) in enumerate(zip(contacts.geom.tolist(), contacts.frame[:, 2].tolist(), strict=True)):
        if (a in mine) == (b in mine):
            continue
        other = b if a in mine else a
        # A contact's normal points from its first geom to its second.
        rise = -up if a in mine else up
        if other in robot or other in but or rise <= CARRIES:
            continue
        mujoco.mj_contactForce(scene.model, scene.data, index, buffer)
        lifted_n += rise * float(buffer[0])
    weight_n = float(scene.model.body_subtreemass[scene.body(name)]) * GRAVITY_M_S2
    return lifted_n >= CARRIED_SHARE * weight_n


def released(scene: Scene, name: str) -> Condition:
    """Return a condition: no link of the robot has touched ``name`` for 0.3 s."""

    def build() -> Condition:
        touching = scene.contacts.now(scene.geoms(ROBOT_NAMES[0]), scene.geoms(name))
        return scene.lasting.lasts(lambda: not touching(), RELEASED_S)

    return scene.shared(("released", name), build)


def still(scene: Scene, name: str) -> Condition:
    """Return a condition: ``name`` has been slower than 2 cm/s and 0.3 rad/s for 0.5 s, or hangs and swings."""

    def build() -> Condition:
        def slow() -> bool:
            speed, turn = speeds(scene, name)
            return speed < STILL_M_S and turn < STILL_RAD_S

        rests = scene.lasting.lasts(slow, STILL_S)
        if not scene.has_part(name, "loop"):
            return rests
        lies = scene.contacts.now(scene.geoms(name), scene.geoms(scene.workspace))
        mean = scene.lasting.mean(lambda: speeds(scene, name)[0], SWING_S)

        def swings() -> bool:
            average = mean()
            return average is not None and average < SWING_M_S and not lies()

        return lambda: rests() or swings()

    return scene.shared(("still", name), build)


def speeds(scene: Scene, name: str) -> tuple[float, float]:
    """Return the speed of the centre of mass [m/s] and of turning [rad/s]; both 0 for what is fixed."""
    if name not in scene.movable:
        return 0.0, 0.0
    velocity = scene.data.qvel[scene.free_dofs(name)]
    spin: Array = scene.rotation(name) @ velocity[3:]
    linear = velocity[:3] + np.cross(spin, scene.com(name) - scene.origin(name))
    return float(np.linalg.norm(linear)), float(np.linalg.norm(spin))


# Whether a thing is in or on a receptacle, held or not: what ``Placed``, ``Out``, ``OnlyIn`` and faults are made of.
#
# In: its centre of mass lies in the box of a ``contain`` site, and so do at least 5 of the 8 points that stand for
# its shape (see `proctor.sim._shapes`). On: it touches the receptacle, its centre of mass lies over the rectangle of
# one of its ``place`` or ``contain`` sites and above that site's bottom; of what has no site, over its box and above
# its middle.

LEAST_INSIDE = 0.6


def in_or_on(scene: Scene, name: str, where: str) -> Condition:
    return scene.shared(("in_or_on", name, where), lambda: _in_or_on(scene, name, where))


def _in_or_on(scene: Scene, name: str, where: str) -> Condition:
    place = scene.place(where)
    touching = scene.contacts.now(scene.geoms(name), scene.geoms(place.entity))
    if place.entity == scene.workspace:
        rects = place.region.ranges if place.region else ()

        def on_table() -> bool:
            x, y, _ = scene.origin(name)
            within = not rects or any(r.x_min <= x <= r.x_max and r.y_min <= y <= r.y_max for r in rects)
            return within and touching()

        return on_table
    volumes = _sites(scene, place, ("contain",))
    tops = _sites(scene, place, ("place", "contain"))

    def holds() -> bool:
        if any(_within(scene, name, place.entity, site) for site in volumes):
            return True
        return touching() and _over(scene, scene.com(name), place.entity, tops)

    return holds


def out(scene: Scene, name: str, where: str) -> Condition:
    """Return a condition: no point of ``name`` is in ``where``; of what has no volume, that they do not touch."""
    place = scene.place(where)
    volumes = _sites(scene, place, ("contain", "hole"))
    if not volumes:
        touching = scene.contacts.now(scene.geoms(name), scene.geoms(place.entity))
        return lambda: not touching()
    return lambda: not any(bool(_inside(scene, name, place.entity, site).any()) for site in volumes)


def _sites(scene: Scene, place: Place, kinds: Iterable[str]) -> tuple[Site, ...]:
    if place.site is not None:
        return (place.site,) if place.site.kind in kinds else ()
    asset = scene.assets.get(place.entity)
    return tuple(site for site in asset.sites if site.kind in kinds) if asset else ()


def _inside(scene: Scene, name: str, entity: str, site: Site) -> NDArray[np.bool_]:
    """Return which of the points of ``name`` lie in a site's box."""
    position, rotation = scene.site_frame(entity, site)
    points = scene.origin(name) + scene.solid(name).points @ scene.rotation(name).T
    return np.asarray(np.all(np.abs((points - position) @ rotation) <= site.half, axis=1))


def _within(scene: Scene, name: str, entity: str, site: Site) -> bool:
    if not scene.in_site(scene.com(name), entity, site):
        return False
    return bool(_inside(scene, name, entity, site).mean() >= LEAST_INSIDE)


def _over(scene: Scene, point: Array, entity: str, sites: tuple[Site, ...]) -> bool:
    if not sites:
        solid = scene.solid(entity)
        local = scene.rotation(entity).T @ (point - scene.origin(entity)) - solid.centre
        return bool(np.all(np.abs(local[:2]) <= solid.half[:2]) and local[2] >= 0.0)
    for site in sites:
        position, rotation = scene.site_frame(entity, site)
        local = rotation.T @ (point - position)
        if bool(np.all(np.abs(local[:2]) <= site.half[:2]) and local[2] >= -site.half[2]):
            return True
    return False
