"""What an argument of a skill stands for: an entity, one of its sites, or a region on the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from proctor.assets import Asset, Site
from proctor.sim import Scene, SceneError
from proctor.tasks.cbddl import Region

from .._arm import Array, SkillError
from .._hands import Hands

# How far beside or below a hole the tip of what is in it may be: things lean.
SLACK_M = np.array([0.002, 0.002, 0.01])


@dataclass(frozen=True, slots=True)
class Target:
    """An entity, and what of it is meant: a site, a named part (button, joint, geometry), a region of the table."""

    entity: str
    site: Site | None = None
    part: str = ""
    region: Region | None = None


def target_of(scene: Scene, name: str) -> Target:
    """Resolve ``entity`` or ``entity/part``; a part that is a site comes with it."""
    entity, _, part = name.partition("/")
    if part and entity in scene.assets:
        return Target(entity, scene.assets[entity].site(part), part)
    try:
        place = scene.place(name)
    except SceneError as error:
        raise SkillError(str(error)) from None
    return Target(place.entity, place.site, place.site.name if place.site else "", place.region)


def asset_of(hands: Hands, target: Target) -> Asset:
    """Return the asset of a target; the table has none."""
    asset = hands.scene.assets.get(target.entity)
    if asset is None:
        raise SkillError(f"{target.entity} is the table, not a thing")
    return asset


@dataclass(frozen=True, slots=True)
class Holder:
    """A site that something is in, with the site's place and frame in the world."""

    entity: str
    site: Site
    position: Array
    frame: Array

    @property
    def out(self) -> Array:
        """The direction in which a thing leaves the site."""
        return self.frame[:, 2]


def holder_of(scene: Scene, name: str) -> Holder | None:
    """Return the hole that something is in, or None: its stem's tip, or else its origin, is within the site."""
    stem = scene.assets[name].stem
    tip = scene.origin(name) + scene.rotation(name) @ np.asarray(stem.tip if stem else (0.0, 0.0, 0.0))
    for entity, asset in scene.assets.items():
        for site in asset.sites:
            if site.kind != "hole" or entity == name:
                continue
            position, frame = scene.site_frame(entity, site)
            local = np.abs(frame.T @ (tip - position))
            if np.all(local <= np.asarray(site.half) + SLACK_M):
                return Holder(entity, site, position, frame)
    return None
