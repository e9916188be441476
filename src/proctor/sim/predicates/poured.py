"""``Poured a b f``: terminal. ``Filled a x``: instantaneous.

``Poured``: ``b`` has taken the share ``f`` of the content of ``a``. Content is virtual: while ``a`` leans by more than
70 degrees it runs out, at a rate that rises linearly to 0.5 per second at 85 degrees; into ``b`` if the spout of ``a``
lies in the upright prism over a mouth of ``b`` and less than 25 cm above it, beside it otherwise, which is spilled.
``Filled``: ``a`` is at least half full of what the machine ``x_machine`` gives: for 2 s after each press of its button,
into what stands with its middle within 2 cm of the axis of the machine's spout; it is full after 2 s, and runs out
again if ``a`` leans. Severity: the share poured, the level. Source: vlabench spec, section 0.2.

``compat="paper"``: ``Poured``: at one instant ``a`` leans by more than 90 degrees and is above ``b``.
"""

from __future__ import annotations

from .._contacts import Condition, Graded
from .._errors import SceneError
from .._scene import Scene
from ._registry import posed, predicate
from .above import above

FULL_ENOUGH = 0.5
PAPER_LEAN_DEG = 90.0
_ROUNDING = 1e-9


@predicate("Poured", "terminal")
def poured(scene: Scene, a: str, b: str, share: float, *, compat: str) -> Condition:
    """Build the condition that ``share`` of ``a`` has been poured into ``b``."""
    name, flow = posed(scene, a), scene.flow
    if scene.assets[name].spout is None or name not in scene.movable:
        raise SceneError(f"nothing can be poured out of {a!r}; name a bottle, a tube or another vessel with a spout")
    if compat == "paper":
        over = above(scene, a, b, compat=compat)
        return scene.touches.ever({"poured": lambda: flow.lean_deg(name) > PAPER_LEAN_DEG and over()})
    return Graded(lambda: flow.received(name, b) >= share - _ROUNDING, lambda: flow.received(name, b), "share")


@predicate("Filled", "instantaneous")
def filled(scene: Scene, a: str, x: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is full of ``x``."""
    name = posed(scene, a)
    if not any(scene.assets[machine].category.startswith(x) for machine in scene.flow.machines):
        raise SceneError(f"nothing in the scene gives {x}: add a machine such as coffee_machine_1 - coffee_machine")

    def level() -> float:
        return scene.flow.now.filled.get(name, 0.0)

    return Graded(lambda: level() >= FULL_ENOUGH - _ROUNDING, level, "share")
