"""When a condition of the task language holds in a symbolic state.

Geometry has no place here, so what a plan cannot bring about on purpose holds: things come to rest, stay upright, and
a lift is as high as the goal asks. ``Above`` and ``Near`` hold in the moment of the call that goes there. ``Pressed``
is remembered, except inside ``Once``, ``OnceAfter``, ``Seq`` and ``Then``, which ask for the moment.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from proctor.core import ProctorError

from ._symbolic import Form, SymbolicState, entity_of, is_in

_DIGITS = re.compile(r"(\d+)")
_SIDES = {"left": -1, "middle": 0, "centre": 0, "center": 0, "right": 1}


class Meaning:
    """Evaluates conditions over the course of a plan; ``observe`` after every call keeps what must be remembered."""

    def __init__(self, state: SymbolicState, *conditions: Form) -> None:
        self._state = state
        self._memory: dict[Form, Any] = {}
        self._time = 0
        self._temporal = [form for condition in conditions for form in _all(condition) if form[0] in _REMEMBERED]

    def observe(self) -> None:
        """Take note of the present moment, inner conditions first."""
        self._time += 1
        for form in reversed(self._temporal):
            kind, items = form[0], [item for item in form[1:] if isinstance(item, tuple)]
            if kind == "Once":
                self._memory[form] = self._memory.get(form, False) or self._true(items[0], moment=True)
            elif kind == "OnceAfter":
                both = self._true(items[0], moment=True) and self._true(items[1], moment=False)
                self._memory[form] = self._memory.get(form, False) or both
            else:
                times: list[int | None] = self._memory.setdefault(form, [None] * len(items))
                for k, item in enumerate(items):
                    if times[k] is None and self._true(item, moment=True):
                        times[k] = self._time

    def holds(self, form: Form) -> bool:
        return self._true(form, moment=False)

    def _true(self, form: Form, *, moment: bool) -> bool:
        kind = str(form[0])
        items = [item for item in form[1:] if isinstance(item, tuple)]
        if kind == "And":
            return all(self._true(item, moment=moment) for item in items)
        if kind == "Or":
            return any(self._true(item, moment=moment) for item in items)
        if kind == "Not":
            return not self._true(items[0], moment=moment)
        if kind in ("Once", "OnceAfter"):
            return bool(self._memory.get(form, False))
        if kind in ("Seq", "Then"):
            times = self._memory.get(form, [None] * len(items))
            in_order = None not in times and all(a < b for a, b in itertools.pairwise(times))
            return in_order and (kind == "Seq" or self._true(items[-1], moment=False))
        if kind == "Pressed" and moment:
            return ("pressed", str(form[1])) in self._state.now
        try:
            test = _ATOMS[kind]
        except KeyError:
            raise ProctorError(f"the symbolic executor does not know the predicate {kind}") from None
        return test(self._state, form[1:])


_REMEMBERED = ("Once", "OnceAfter", "Seq", "Then")


def _all(form: Form) -> Iterator[Form]:
    yield form
    for item in form[1:]:
        if isinstance(item, tuple) and item and form[0] in (*_REMEMBERED, "And", "Or", "Not"):
            yield from _all(item)


def atoms(form: Form) -> Iterator[Form]:
    """Yield the predicates of a condition."""
    return (part for part in _all(form) if part[0] not in (*_REMEMBERED, "And", "Or", "Not"))


def _in(state: SymbolicState, args: Form) -> bool:
    return is_in(state.where.get(str(args[0])), str(args[1]))


def _free(state: SymbolicState, name: str) -> bool:
    return state.hand != name


def _placed(state: SymbolicState, args: Form) -> bool:
    return _in(state, args) and _free(state, str(args[0]))


def _out(state: SymbolicState, args: Form) -> bool:
    return not _in(state, args)


def _joint(state: SymbolicState, args: Form) -> bool:
    """An interval that holds 0 asks for a shut joint, any other for an open or driven one."""
    joint = state.world.joint_of(str(args[0])) or str(args[0])
    low, high = float(str(args[1])), float(str(args[2]))
    return (joint not in state.open_joints) if low <= 0.0 <= high else (joint in state.open_joints)


def _open(state: SymbolicState, args: Form) -> bool:
    return (state.world.joint_of(str(args[0])) or str(args[0])) in state.open_joints


def _same(a: str, b: str) -> bool:
    return a == b or entity_of(a) == entity_of(b)


def _pressed_only(state: SymbolicState, args: Form) -> bool:
    return state.pressed[:1] == [args[0]] and set(state.pressed) == {args[0]}


def _ordered(state: SymbolicState, args: Form) -> bool:
    """Places of one thing are in the order of the numbers or sides in their names."""
    names = args[1] if isinstance(args[1], tuple) else ()
    places = [state.where.get(str(name)) for name in names]
    if any(place is None for place in places):
        return False
    keys = [_place_key(str(place)) for place in places]
    return all(a < b for a, b in itertools.pairwise(keys))


def _place_key(place: str) -> tuple[int, ...]:
    part = place.rpartition("/")[2] if "/" in place else ""
    side = _SIDES.get(part.casefold())
    numbers = tuple(int(digits) for digits in _DIGITS.findall(part))
    return (side if side is not None else 0, *numbers)


def _only_in(state: SymbolicState, args: Form) -> bool:
    wanted = set(args[1]) if isinstance(args[1], tuple) else {args[1]}
    inside = set(state.contents(str(args[0])))
    return inside == wanted and state.hand not in wanted


def _consistent(state: SymbolicState, args: Form) -> bool:
    others = args[2] if len(args) > 2 and isinstance(args[2], tuple) else ()
    return _placed(state, args) and not any(_in(state, (other, args[1])) for other in others)


_ATOMS: dict[str, Callable[[SymbolicState, Form], bool]] = {
    "In": _in,
    "On": _placed,
    "Out": _out,
    "Placed": _placed,
    "Inserted": lambda state, args: _placed(state, args) and str(args[0]) not in state.laid,
    "Taken": _out,
    "Held": lambda state, args: state.hand == args[0],
    "Released": lambda state, args: _free(state, str(args[0])),
    "Still": lambda state, args: True,
    "Upright": lambda state, args: True,
    "LiftedBy": lambda state, args: str(args[0]) in state.lifted,
    "Above": lambda state, args: ("over", str(args[0]), str(args[1])) in state.now,
    "AboveRim": lambda state, args: True,
    "Near": lambda state, args: any(str(arg) in event for event in state.now for arg in args[:2]),
    "Pressed": lambda state, args: args[0] in state.pressed,
    "PressedOnly": _pressed_only,
    "Poured": lambda state, args: (str(args[0]), str(args[1])) in state.poured,
    "Hung": lambda state, args: state.hung.get(str(args[0])) == args[1],
    "Joint": _joint,
    "Open": _open,
    "Close": lambda state, args: not _open(state, args),
    "DrivenBy": lambda state, args: _same(state.driven.get(entity_of(str(args[0])), ""), str(args[1])),
    "StruckBy": lambda state, args: bool(state.struck.get(str(args[0]))),
    "NeverHeld": lambda state, args: str(args[0]) not in state.ever_held,
    "Moved": lambda state, args: str(args[0]) in state.moved,
    "Attached": lambda state, args: (
        (str(args[0]), str(args[1])) in state.attached or (str(args[1]), str(args[0])) in state.attached
    ),
    "Filled": lambda state, args: str(args[0]) in state.filled,
    "FaceUp": lambda state, args: str(args[0]) in state.turned,
    "FacedCamera": lambda state, args: str(args[0]) in state.turned,
    "Ordered": _ordered,
    "OnlyIn": _only_in,
    "Consistent": _consistent,
}

KNOWN_PREDICATES = frozenset(_ATOMS)
