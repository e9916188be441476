"""Goal, init and cost predicates. One file each; the docstring is the rule.

A predicate is a function from a compiled scene and its arguments to a condition without arguments, built once per scene
and asked once per control step. ``compat="paper"`` selects the reference implementation's rule where it differs.
"""

# Importing a file registers its predicates.
from . import (  # noqa: F401
    above,
    attached,
    checkdistance,
    checkforce,
    checkgrippercontact,
    checkgripperdistance,
    collide,
    constants,
    facing,
    fall,
    held,
    hung,
    in_,
    incontact,
    inserted,
    joint,
    lifted,
    near,
    noton,
    on,
    opening,
    ordered,
    placed,
    poured,
    pressed,
    spilled,
    tools,
    up,
)
from ._registry import Compiled, compile_atom, label_of, rule_of
from .pressed import button_of, pressing

__all__ = ["Compiled", "button_of", "compile_atom", "label_of", "pressing", "rule_of"]
