"""``Held a``, ``Released a``, ``Still a``: instantaneous. ``NeverHeld a``: terminal.

``Held``: both fingers have pressed ``a`` with 0.2 N or more each, and nothing but the robot has carried as much as a
tenth of its weight, for 0.3 s. A wall that it leans on does not carry it. ``Released``: no link of the robot has
touched ``a`` for 0.3 s. ``Still``: its centre of mass has moved slower than 2 cm/s and it has turned slower than 0.3
rad/s for 0.5 s; what can hang (has a part ``loop``) and does not touch the table is also still while its mean speed
over 1.5 s is below 0.4 m/s. ``NeverHeld``: ``Held a`` has not been true since settling. Times count from settling on.
Source: vlabench spec, section 0.2.

``compat="paper"``: ``Held``: both fingers touch ``a`` at the end of the control step; ``Released``, ``Still``: always.
"""

from __future__ import annotations

from .. import _placing
from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate


@predicate("Held", "instantaneous")
def held(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that the hand holds ``a``."""
    name = posed(scene, a)
    return scene.held(name) if compat == "paper" else _placing.held(scene, name)


@predicate("Released", "instantaneous")
def released(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that the robot has let go of ``a``."""
    name = posed(scene, a)
    return (lambda: True) if compat == "paper" else _placing.released(scene, name)


@predicate("Still", "instantaneous")
def still(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is at rest."""
    name = posed(scene, a)
    return (lambda: True) if compat == "paper" else _placing.still(scene, name)


@predicate("NeverHeld", "terminal")
def never_held(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that the hand has not held ``a`` since settling."""
    ever = scene.touches.ever({"held": held(scene, a, compat=compat)})
    return lambda: not ever()
