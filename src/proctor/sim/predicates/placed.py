"""``Placed a b``, ``Taken a b``, ``Out a b``, ``OnlyIn b (...)``, ``Consistent a b (...)``: instantaneous.

``Placed``: ``a`` is in or on ``b``, released and still. In: its centre of mass lies in the box of a ``contain`` site of
``b`` and so do at least 5 of 8 points of its shape. On: it touches ``b``, and its centre of mass lies over a site of
``b`` and above that site's bottom (over its box, where it has no site). On the table, or in a region of it: it touches
the table. ``Out``: none of the 8 points lies in a ``contain`` or ``hole`` site of ``b`` (they do not touch, where it
has none). ``Taken``: for 0.5 s ``a`` has been out of ``b`` and either held, or released, still and not touching ``b``.
``OnlyIn``: all of the listed objects and no other movable object is in or on ``b``, and all of them are released and
still. ``Consistent``: ``a`` is in or on ``b`` and none of the listed others is. Source: vlabench spec, section 0.2.

``compat="paper"``: in or on, at that instant, whether let go or not; ``Taken`` is ``Out``.
"""

from __future__ import annotations

from .. import _placing
from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate

TAKEN_S = 0.5


@predicate("Placed", "instantaneous")
def placed(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has been put into or onto ``b``."""
    name = posed(scene, a)
    there = _placing.in_or_on(scene, name, b)
    return there if compat == "paper" else _at_rest(scene, name, there)


def _at_rest(scene: Scene, name: str, there: Condition) -> Condition:
    released, still = _placing.released(scene, name), _placing.still(scene, name)
    return lambda: released() and still() and there()


@predicate("Out", "instantaneous")
def out(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is out of ``b``."""
    return _placing.out(scene, posed(scene, a), b)


@predicate("Taken", "instantaneous")
def taken(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has been taken out of ``b``."""
    name = posed(scene, a)
    outside = _placing.out(scene, name, b)
    if compat == "paper":
        return outside
    held = _placing.held(scene, name)
    touching = scene.contacts.now(scene.geoms(name), scene.geoms(scene.place(b).entity))
    rests = _at_rest(scene, name, lambda: not touching())
    return scene.shared(
        ("taken", name, b), lambda: scene.lasting.lasts(lambda: (held() or rests()) and outside(), TAKEN_S)
    )


@predicate("OnlyIn", "instantaneous")
def only_in(scene: Scene, b: str, names: tuple[int | str, ...], *, compat: str) -> Condition:
    """Build the condition that just ``names`` are in ``b``."""
    wanted = [posed(scene, name) for name in names]
    rest = [name for name in scene.movable if name not in (*wanted, scene.place(b).entity)]
    inside = [placed(scene, name, b, compat=compat) for name in wanted]
    others = [_placing.in_or_on(scene, name, b) for name in rest]
    return lambda: all(there() for there in inside) and not any(there() for there in others)


@predicate("Consistent", "instantaneous")
def consistent(scene: Scene, a: str, b: str, others: tuple[int | str, ...], *, compat: str) -> Condition:
    """Build the condition that ``a`` is in ``b`` without any of ``others``."""
    there = _placing.in_or_on(scene, posed(scene, a), b)
    mixed = [_placing.in_or_on(scene, posed(scene, name), b) for name in others]
    return lambda: there() and not any(other() for other in mixed)
