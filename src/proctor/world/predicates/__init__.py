"""Goal, init and cost predicates. One file each; the docstring is the rule.

A predicate is a function from a compiled scene and its arguments to a condition without arguments, built once per scene
and asked once per control step. ``compat="paper"`` selects the reference implementation's rule where it differs.
"""

# Importing a file registers its predicates.
from . import (  # noqa: F401
    checkdistance,
    checkforce,
    checkgrippercontact,
    checkgripperdistance,
    collide,
    constants,
    fall,
    in_,
    incontact,
    lifted,
    noton,
    on,
    opening,
    spilled,
    up,
)
from ._registry import Compiled, compile_atom, label_of, rule_of

__all__ = ["Compiled", "compile_atom", "label_of", "rule_of"]
