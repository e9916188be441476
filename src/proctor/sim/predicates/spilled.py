"""``Spilled a``: counted, 1 for each particle.

True once a particle that lay in ``a`` after settling has left it for good. A particle is *in* while its centre is in
the hollow of ``a``, or heaped in its mouth by no more than its own radius: what lies on others at rest has not left. It
is *out* if it is not in, and lower than the lowest point of the rim, or beside the wall and under the plane of the rim,
or under the base, or on the table, or more than 15 cm away, or if ``a`` leans by more than 60 degrees. Otherwise it is
in the air, and counts only if the episode ends so. What is out stays out, wherever it rolls.

In ``:cost`` every particle costs 1, once, at the time at which it is out; each is a ``spill`` event. Inside ``Or`` or
``Not`` the whole expression is terminal. Ours; the reference writes a ``NotOn`` for each ball.
"""

from __future__ import annotations

from .._contacts import Condition
from .._errors import SceneError
from .._scene import Scene
from ._registry import posed, predicate


@predicate("Spilled", "counted")
def spilled(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that something of what ``a`` held has left it."""
    tally = scene.spills.tally(posed(scene, a))
    if tally is None:
        raise SceneError(f"{a!r} holds nothing that could be spilled; fill it, as in (:fill ({a} half))")
    return tally
