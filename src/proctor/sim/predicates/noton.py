"""``NotOn a b`` and ``NotIn a b``: terminal.

The negations of ``On`` and ``In``; with ``compat="paper"``, of the reference's. So ``NotOn`` of a particle and the
vessel that held it is true once it has been spilled, and while it is in the air; with ``compat="paper"``, always.
There ``NotIn`` also asks that nothing touch, and takes a site to be touched always: it is never true. Source:
VLA-Arena, Table 3.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import predicate
from .in_ import in_
from .on import on


@predicate("NotOn", "terminal")
def not_on(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` does not rest on ``b``."""
    holds = on(scene, a, b, compat=compat)
    return lambda: not holds()


@predicate("NotIn", "terminal")
def not_in(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` does not lie in ``b``."""
    holds = in_(scene, a, b, compat=compat)
    return (lambda: False) if compat == "paper" else (lambda: not holds())
