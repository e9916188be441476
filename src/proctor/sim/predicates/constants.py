"""``True`` and ``False``: always, never. For tests of task files."""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import predicate


@predicate("True", "terminal")
def true(scene: Scene, *, compat: str) -> Condition:
    """Build the condition that always holds."""
    return lambda: True


@predicate("False", "terminal")
def false(scene: Scene, *, compat: str) -> Condition:
    """Build the condition that never holds."""
    return lambda: False
