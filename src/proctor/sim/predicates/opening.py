"""``Open r`` and ``Close r``, ``TurnOn f`` and ``TurnOff f``: goal and init; terminal in a cost block.

``Open``: the joint of the drawer or door behind site ``r`` is beyond its ``open_above`` value (white cabinet: 14 cm).
``Close``: below its ``closed_below`` value (5 mm). Between the two it is neither. ``TurnOn`` / ``TurnOff``: the same
for a fixture whose asset has an opening on a site called ``switch``.
"""

from __future__ import annotations

from proctor.assets import Opening

from .._contacts import Condition
from .._errors import SceneError
from .._scene import Scene
from ._registry import predicate


@predicate("Open", "terminal")
def open_(scene: Scene, where: str, *, compat: str) -> Condition:
    """Build the condition that ``where`` is open."""
    fixture, opening = _opening(scene, where)
    return lambda: scene.joint(fixture, opening.joint) >= opening.open_above


@predicate("Close", "terminal")
def close(scene: Scene, where: str, *, compat: str) -> Condition:
    """Build the condition that ``where`` is closed."""
    fixture, opening = _opening(scene, where)
    return lambda: scene.joint(fixture, opening.joint) <= opening.closed_below


def _opening(scene: Scene, where: str) -> tuple[str, Opening]:
    place = scene.place(where)
    if place.site is None or place.site.opening is None:
        raise SceneError(f"{where!r} cannot be opened; name a drawer or a door")
    return place.entity, place.site.opening


@predicate("TurnOn", "terminal")
def turn_on(scene: Scene, fixture: str, *, compat: str) -> Condition:
    """Build the condition that ``fixture`` is switched on."""
    opening = _switch(scene, fixture)
    return lambda: scene.joint(fixture, opening.joint) >= opening.open_above


@predicate("TurnOff", "terminal")
def turn_off(scene: Scene, fixture: str, *, compat: str) -> Condition:
    """Build the condition that ``fixture`` is switched off."""
    opening = _switch(scene, fixture)
    return lambda: scene.joint(fixture, opening.joint) <= opening.closed_below


def _switch(scene: Scene, fixture: str) -> Opening:
    asset = scene.assets.get(fixture)
    site = asset.site("switch") if asset else None
    if site is None or site.opening is None:
        raise SceneError(f"{fixture!r} has no switch")
    return site.opening
