"""From the function notation and the bindings of a draw to CBDDL.

A binding is a name (an entity, or ``entity/part``), several names (``pockets``, ``best5``) or a look-up from one entity
to another (``slot_of``). A name with several values is written as an alternative where a predicate takes one thing
(``in($t, pockets)`` holds for any pocket), as a list where it takes many (``only_in(rack, best5)``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ._errors import BenchError
from ._terms import Call, Listed, Term, read_term

Binding: TypeAlias = str | tuple[str, ...] | Mapping[str, str] | Mapping[str, tuple[str, ...]]
Bindings: TypeAlias = Mapping[str, Binding]

_PREDICATES = {
    "above": "Above",
    "above_rim": "AboveRim",
    "attached": "Attached",
    "consistent": "Consistent",
    "driven_by": "DrivenBy",
    "face_up": "FaceUp",
    "faced_camera": "FacedCamera",
    "filled": "Filled",
    "held": "Held",
    "hung": "Hung",
    "in": "In",
    "inserted": "Inserted",
    "joint": "Joint",
    "lifted": "LiftedBy",
    "moved": "Moved",
    "near": "Near",
    "never_held": "NeverHeld",
    "on": "On",
    "only_in": "OnlyIn",
    "ordered": "Ordered",
    "out": "Out",
    "placed": "Placed",
    "poured": "Poured",
    "pressed": "Pressed",
    "pressed_only": "PressedOnly",
    "released": "Released",
    "still": "Still",
    "struck_by": "StruckBy",
    "taken": "Taken",
    "upright": "Upright",
}
_CONNECTIVES = {"and": "And", "or": "Or", "once": "Once", "once_after": "OnceAfter", "seq": "Seq"}
_LOOKUPS = ("slot_of", "board_of")
# Where a predicate takes a list, counted from 0; everywhere else several names mean any of them.
_LISTS = {("only_in", 1), ("ordered", 1), ("consistent", 2), ("struck_by", 1)}
TOOL = "gripper"


def translate(text: str, bindings: Bindings) -> str:
    """Return the CBDDL expression of ``text`` under ``bindings``."""
    return _expression(read_term(text), bindings)


def translate_call(text: str, bindings: Bindings) -> str:
    """Return a skill call, as in ``(place plate_1)``."""
    term = read_term(text)
    if not isinstance(term, Call):
        raise BenchError(f"tasks.json: {text!r} is no skill call")
    return f"({' '.join([term.name, *(_one(arg, bindings) for arg in term.args)])})"


def resolve(name: str, bindings: Bindings) -> tuple[str, ...]:
    """Return the entities (or ``entity/part``) that a name of the table stands for."""
    return _names(name, bindings)


def _expression(term: Term, bindings: Bindings) -> str:
    if not isinstance(term, Call):
        raise BenchError(f"tasks.json: {term!r} is no predicate")
    if term.name in ("all", "any"):
        variable, domain, body = term.args
        assert isinstance(variable, str)
        items = [_expression(body, {**bindings, variable: name}) for name in _names(domain, bindings)]
        return _joined("And" if term.name == "all" else "Or", items)
    if term.name in _CONNECTIVES:
        return _joined(_CONNECTIVES[term.name], [_expression(arg, bindings) for arg in term.args])
    if term.name not in _PREDICATES:
        raise BenchError(f"tasks.json: unknown predicate {term.name!r}")
    return _predicate(term, bindings)


def _predicate(term: Call, bindings: Bindings) -> str:
    args = list(term.args)
    if term.name == "consistent":
        classes = bindings["others_of"]
        assert isinstance(classes, Mapping)
        args.append(Listed(tuple(classes[_one(args[0], bindings)])))
    for place, arg in enumerate(args):
        if (term.name, place) in _LISTS or isinstance(arg, float | Listed | Call):
            continue
        names = _names(arg, bindings)
        if len(names) > 1:
            options = [Call(term.name, (*args[:place], name, *args[place + 1 :])) for name in names]
            return _joined("Or", [_expression(option, bindings) for option in options])
    words = [_argument(term.name, place, arg, bindings) for place, arg in enumerate(args)]
    return f"({' '.join([_PREDICATES[term.name], *words])})"


def _argument(predicate: str, place: int, arg: Term, bindings: Bindings) -> str:
    if (predicate, place) in _LISTS:
        return f"({' '.join(_names(arg, bindings))})"
    return _one(arg, bindings)


def _joined(connective: str, items: list[str]) -> str:
    return items[0] if len(items) == 1 and connective in ("And", "Or") else f"({connective} {' '.join(items)})"


def _one(term: Term, bindings: Bindings) -> str:
    if isinstance(term, float):
        return f"{term:g}"
    names = _names(term, bindings)
    if len(names) != 1:
        raise BenchError(f"tasks.json: {term!r} stands for {len(names)} things where one is needed")
    return names[0]


def _names(term: Term, bindings: Bindings) -> tuple[str, ...]:
    if isinstance(term, Listed):
        return tuple(name for item in term.items for name in _names(item, bindings))
    if isinstance(term, Call):
        if term.name not in _LOOKUPS:
            raise BenchError(f"tasks.json: {term.name!r} is no look-up")
        table = bindings[term.name]
        assert isinstance(table, Mapping)
        found = table[_one(term.args[0], bindings)]
        return (found,) if isinstance(found, str) else found
    if isinstance(term, float):
        return (f"{term:g}",)
    if term in bindings:
        bound = bindings[term]
        assert not isinstance(bound, Mapping)
        return (bound,) if isinstance(bound, str) else tuple(bound)
    owner, dot, part = term.partition(".")
    if dot:
        return tuple(f"{name}/{part}" for name in _names(owner, bindings))
    if term == "tool":
        return (TOOL,)
    # Names that are already those of the scene stand for themselves.
    return (term,)
