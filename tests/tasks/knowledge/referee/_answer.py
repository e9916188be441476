"""What is wanted: which things are to be where, in which order, in which company. Read from a goal, or from words.

A wish is a thing with the places any of which will do; a thing that is only to be taken or pressed has no place. Of
doors, lids and screens the wish is ``closed`` or ``open``, of nails ``driven``. What goals add about how a process runs
(a button after a lid, rest and release) is not said in words and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from proctor.core import ProctorError
from proctor.tasks.cbddl import And, Atom, Expr, Or, Seq

Wish: TypeAlias = tuple[str, frozenset[str]]
Groups: TypeAlias = frozenset[frozenset[str]]
# Predicates whose first argument shall be where the second says.
_AT = frozenset({"Attached", "Hung", "In", "Inserted", "On", "Placed", "Poured"})
# Predicates whose first argument is what is asked for, wherever it goes.
_TAKEN = frozenset({"Held", "Out", "Pressed", "PressedOnly", "Taken"})
_SILENT = frozenset(
    {"DrivenBy", "FacedCamera", "LiftedBy", "NeverHeld", "Ordered", "Released", "Still", "StruckBy", "Upright"}
)
# A door, lid or screen that may end up beyond this (rad) is meant to be open.
_AJAR = 0.5


@dataclass(frozen=True, slots=True)
class Answer:
    """Wishes, an order (left to right as the robot sees it, or in time) and groups that share a place."""

    wishes: frozenset[Wish]
    order: tuple[str, ...] = ()
    groups: Groups = frozenset()

    def meets(self, label: Answer) -> bool:
        """Return whether this reading is what ``label`` asks for; where a label names no place, any will do."""
        mine, wanted = dict(self.wishes), dict(label.wishes)
        if (self.order, self.groups) != (label.order, label.groups) or mine.keys() != wanted.keys():
            return False
        return all(not places or mine[thing] == places for thing, places in wanted.items())

    def __str__(self) -> str:
        wishes = [
            f"{thing} -> {'|'.join(sorted(places))}" if places else thing for thing, places in sorted(self.wishes)
        ]
        order = [f"order {' '.join(self.order)}"] if self.order else []
        groups = [f"groups {' / '.join(sorted(' '.join(sorted(g)) for g in self.groups))}"] if self.groups else []
        return ", ".join([*wishes, *order, *groups])


def wish(thing: str, *places: str) -> Wish:
    """Return the wish that a thing be at one of some places."""
    return thing, frozenset(place.removesuffix("/top") for place in places)


def answer(*wishes: Wish, order: Iterable[str] = (), groups: Iterable[Iterable[str]] = ()) -> Answer:
    """Return an answer from its parts."""
    return Answer(frozenset(wishes), tuple(order), frozenset(map(frozenset, groups)))


def labels_of(goal: Expr) -> tuple[Answer, ...]:
    """Return what a goal accepts; raises where it says something that no instruction of the bench says.

    Several answers are several orders that all will do: copies of a digit may change places.
    """
    if isinstance(goal, Or) and all(isinstance(item, And) for item in goal.items):
        return (_grouped(goal),)
    parts = list(_flat(goal))
    orders = [part for part in parts if _says_orders(part)]
    rest = [part for part in parts if part not in orders]
    found = _label(rest)
    ways = [_from_the_left(way) for part in orders for way in part.items]
    return tuple(Answer(found.wishes, way) for way in ways) if ways else (found,)


def _says_orders(part: Expr) -> TypeGuard[Or]:
    return isinstance(part, Or) and all(isinstance(way, Atom) and way.predicate == "Ordered" for way in part.items)


def _label(parts: Sequence[Expr]) -> Answer:
    wishes: dict[str, frozenset[str]] = {}
    order: tuple[str, ...] = ()
    for item in parts:
        if isinstance(item, Seq):
            order = tuple(thing for part in item.items for thing, _ in _wishes(part))
        if isinstance(item, Atom) and item.predicate == "Ordered":
            order = _from_the_left(item)
        for thing, places in _wishes(item):
            wishes[thing] = wishes.get(thing, frozenset()) | places
    return Answer(frozenset(wishes.items()), order)


def _flat(goal: Expr) -> Iterator[Expr]:
    if isinstance(goal, And):
        for item in goal.items:
            yield from _flat(item)
    else:
        yield goal


def _wishes(item: Expr) -> list[Wish]:
    if isinstance(item, Or):
        return _any_of(item)
    if isinstance(item, Seq):
        return [found for part in item.items for found in _wishes(part)]
    return _of_atom(item) if isinstance(item, Atom) else []


def _any_of(item: Or) -> list[Wish]:
    """Return the one wish of ``(Or (In ball left_top) (In ball right_top))``."""
    parts = [found for one in item.items for found in _wishes(one)]
    things = {thing for thing, _ in parts}
    if len(things) != 1:
        raise ProctorError(f"{item.span}: the referee reads no goal in which one of several things will do")
    return [(things.pop(), frozenset().union(*(places for _, places in parts)))]


def _of_atom(atom: Atom) -> list[Wish]:
    name, args = atom.predicate, atom.args
    if name in _AT:
        return [wish(str(args[0]), str(args[1]))]
    if name in _TAKEN:
        return [wish(str(args[0]))]
    if name == "OnlyIn":
        return [wish(str(thing), str(args[0])) for thing in _list(args[1])]
    if name == "Joint":
        return [wish(str(args[0]), _state(str(args[0]), float(str(args[2]))))]
    if name == "Filled":
        return [wish(str(args[0]), str(args[1]))]
    if name in _SILENT:
        return []
    raise ProctorError(f"{atom.span}: the referee does not read {name}")


def _state(part: str, high: float) -> str:
    """Return what a range of a joint is called in words."""
    if "/nail" in part:
        return "driven"
    return "open" if high > _AJAR else "closed"


def _from_the_left(atom: Expr) -> tuple[str, ...]:
    assert isinstance(atom, Atom)
    names = tuple(str(thing) for thing in _list(atom.args[1]))
    return names if atom.args[0] == "y-" else names[::-1]


def _list(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _grouped(goal: Or) -> Answer:
    """Return the answer of ``(Or (And (In a t1) (In b t2)) (And (In a t2) (In b t1)))``."""
    ways = [dict(_label(list(_flat(item))).wishes) for item in goal.items]
    places = frozenset().union(*(where for way in ways for where in way.values()))
    parts = {
        frozenset(frozenset(thing for thing, where in way.items() if where == one) for one in set(way.values()))
        for way in ways
    }
    if len(parts) != 1:
        raise ProctorError(f"{goal.span}: the ways of the goal group the things differently")
    return Answer(frozenset((thing, places) for thing in ways[0]), groups=parts.pop())
