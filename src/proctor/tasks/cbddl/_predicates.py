"""The predicates of the language, as data: spelling, arguments, when they are evaluated, where they may stand.

Sources: VLA-Arena, Table 3 (cost predicates and their type) and the reference implementation (the rest).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

ArgumentKind: TypeAlias = Literal[
    "thing", "place", "toucher", "number", "parts", "part", "signed", "names", "axis", "word"
]
Block: TypeAlias = Literal["init", "goal", "cost"]

ROBOT_NAMES = frozenset({"gripper", "gripper0", "robot", "robot0"})
CONNECTIVES = {
    "and": "And",
    "or": "Or",
    "not": "Not",
    "then": "Then",
    "once": "Once",
    "onceafter": "OnceAfter",
    "seq": "Seq",
}
AXES = ("x+", "x-", "y+", "y-", "z+", "z-")

KIND_NAMES: dict[ArgumentKind, str] = {
    "thing": "an object or fixture",
    "place": "a region, object or fixture",
    "toucher": "an object, a fixture or the robot (gripper, robot)",
    "number": "a number",
    "parts": "a list of parts such as (blade)",
    "part": "an object, a fixture, a part of one such as fridge_1/door, or the robot",
    "signed": "a number",
    "names": "a list of objects or fixtures such as (apple_1 pear_1)",
    "axis": f"a direction ({', '.join(AXES)})",
    "word": "a word",
}


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate's contract.

    ``signatures`` lists the allowed argument kinds, one tuple per arity. ``timing`` says how a true value in ``:cost``
    counts: ``instantaneous`` adds 1 per control step, ``terminal`` adds 10 once, at the end of the episode, ``counted``
    adds 1 for each thing that it happens to, once.
    """

    name: str
    signatures: tuple[tuple[ArgumentKind, ...], ...]
    timing: Literal["instantaneous", "terminal", "counted"]
    blocks: frozenset[Block]
    aliases: tuple[str, ...] = ()


_STATE: frozenset[Block] = frozenset({"goal", "cost"})
_INIT: frozenset[Block] = frozenset({"init", "goal", "cost"})

_ALL = (
    Predicate("On", (("thing", "place"),), "instantaneous", _INIT),
    Predicate("In", (("thing", "place"),), "terminal", _INIT),
    Predicate("Open", (("place",),), "terminal", _INIT),
    Predicate("Close", (("place",),), "terminal", _INIT),
    Predicate("TurnOn", (("thing",),), "terminal", _INIT),
    Predicate("TurnOff", (("thing",),), "terminal", _INIT),
    Predicate("InContact", (("toucher", "toucher"),), "instantaneous", _STATE),
    Predicate("InContactPart", (("thing", "thing", "parts", "parts"),), "instantaneous", _STATE),
    Predicate("CheckForce", (("toucher", "toucher", "number"), ("toucher", "number")), "instantaneous", _STATE),
    Predicate("CheckDistance", (("toucher", "toucher", "number"),), "instantaneous", _STATE),
    Predicate("CheckGripperDistance", (("thing", "number"),), "instantaneous", _STATE, ("CheckGripperDist",)),
    Predicate(
        "CheckGripperDistancePart",
        (("thing", "parts", "number"),),
        "instantaneous",
        _STATE,
        ("CheckGripperDistPart",),
    ),
    Predicate("CheckGripperContact", (("thing",),), "instantaneous", _STATE),
    Predicate("CheckGripperContactPart", (("thing", "parts"),), "instantaneous", _STATE),
    Predicate("Collide", (("thing",),), "terminal", _STATE),
    Predicate("Fall", (("thing",),), "terminal", _STATE),
    Predicate("NotOn", (("thing", "place"),), "terminal", _STATE),
    Predicate("NotIn", (("thing", "place"),), "terminal", _STATE),
    Predicate("Spilled", (("thing",),), "counted", _STATE),
    Predicate("Up", (("thing",),), "instantaneous", _STATE),
    Predicate("Lifted", (("thing",),), "terminal", _STATE),
    Predicate("Stack", (("thing", "thing"),), "instantaneous", _STATE),
    # Of the knowledge suites (spec section 0.2). What has once happened stays true, so in :cost it counts at the end.
    Predicate("Held", (("thing",),), "instantaneous", _STATE),
    Predicate("Released", (("thing",),), "instantaneous", _STATE),
    Predicate("Still", (("thing",),), "instantaneous", _STATE),
    Predicate("Placed", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("Taken", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("Out", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("LiftedBy", (("thing", "number"),), "instantaneous", _STATE),
    Predicate("Above", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("AboveRim", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("Near", (("part", "part", "number"),), "instantaneous", _STATE),
    Predicate("Pressed", (("part",),), "terminal", _STATE),
    Predicate("PressedOnly", (("part",),), "terminal", _STATE),
    Predicate("Poured", (("thing", "place", "number"),), "terminal", _STATE),
    Predicate("Inserted", (("thing", "place"),), "instantaneous", _STATE),
    Predicate("Hung", (("thing", "part"),), "instantaneous", _STATE),
    Predicate("Joint", (("part", "signed", "signed"),), "instantaneous", _STATE),
    Predicate("DrivenBy", (("part", "part", "number"),), "terminal", _STATE),
    Predicate("StruckBy", (("thing", "names"),), "terminal", _STATE),
    Predicate("NeverHeld", (("thing",),), "terminal", _STATE),
    Predicate("Moved", (("thing", "number"),), "instantaneous", _STATE),
    Predicate("Attached", (("thing", "thing"),), "instantaneous", _STATE),
    Predicate("Filled", (("thing", "word"),), "instantaneous", _STATE),
    Predicate("FaceUp", (("thing",),), "instantaneous", _STATE),
    Predicate("FacedCamera", (("thing",),), "instantaneous", _STATE),
    Predicate("Upright", (("thing",),), "instantaneous", _STATE),
    Predicate("Ordered", (("axis", "names", "number"),), "instantaneous", _STATE),
    Predicate("OnlyIn", (("place", "names"),), "instantaneous", _STATE),
    Predicate("Consistent", (("thing", "place", "names"),), "instantaneous", _STATE),
    Predicate("True", ((),), "terminal", _STATE),
    Predicate("False", ((),), "terminal", _STATE),
)

PREDICATES: dict[str, Predicate] = {predicate.name: predicate for predicate in _ALL}

_BY_SPELLING = {spelling.lower(): predicate for predicate in _ALL for spelling in (predicate.name, *predicate.aliases)}


def find_predicate(spelling: str) -> Predicate | None:
    """Return the predicate written as ``spelling``, in any case, or None."""
    return _BY_SPELLING.get(spelling.lower())


def canonical_head(spelling: str) -> str:
    """Return the canonical spelling of a predicate or connective; other words come back unchanged."""
    predicate = find_predicate(spelling)
    return predicate.name if predicate else CONNECTIVES.get(spelling.lower(), spelling)
