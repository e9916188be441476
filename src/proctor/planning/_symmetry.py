"""Which names a goal does not tell apart.

Two names are **alike** if each ``Or`` of the goal offers one wherever it offers the other, in the same words, and they
stand nowhere else: any pocket of a table. Such names are scored as one. Names that can be swapped throughout the goal
without changing it, but not one by one (two trays that are to be sorted into), give further references.

Places of one thing are **free** if the conditions name only the thing: cards may go into any slots of a rack, each into
one of its own. Where the goal asks for an order, free places must keep it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._call import UNREAD, BoundCall
from ._meaning import atoms
from ._reference import ReferenceNode, ReferencePlan
from ._symbolic import Form, entity_of

MOST_REFERENCES = 64
_HOLDS = ("OnlyIn", "Inserted", "Placed", "In")
_NUMBERED = re.compile(r"(?P<stem>.*/\D*)(?P<number>\d+)$")


@dataclass(frozen=True, slots=True)
class FreePlaces:
    """Numbered places that stand for one another; if ``ordered``, only where their numbers rise alike."""

    places: frozenset[str] = frozenset()
    ordered: bool = False

    def settle(self, calls: Sequence[BoundCall], reference: ReferencePlan) -> list[BoundCall]:
        """Return ``calls`` with the reference's places for their own, each place standing for one and no more."""
        stands: dict[str, str] = {}
        settled = []
        for call in calls:
            wanted = self._place_in(reference, call)
            place = call.args[0][1] if call.args else ""
            if wanted is not None and (place in self.places or (place == entity_of(wanted) and not self.ordered)):
                if place in self.places and place not in stands and wanted not in stands.values():
                    stands[place] = wanted
                fits = place not in self.places or stands.get(place) == wanted
                # A place that is taken already must not pass for the one of the same name in the reference.
                settled_at = wanted if fits else UNREAD + place
                call = BoundCall(call.skill, call.held, ((call.args[0][0], settled_at),), call.unknown)
            settled.append(call)
        numbers = sorted((_number(place), _number(stood)) for place, stood in stands.items())
        rising = all(a[1] < b[1] for a, b in itertools.pairwise(numbers))
        return settled if rising or not self.ordered else list(calls)

    def _place_in(self, reference: ReferencePlan, call: BoundCall) -> str | None:
        """Return the free place into which the reference puts what ``call`` puts somewhere."""
        for node in reference.nodes:
            same = (node.call.skill, node.call.held) == (call.skill, call.held) and call.held is not None
            if same and node.call.args and node.call.args[0][1] in self.places:
                return node.call.args[0][1]
        return None


NO_FREE_PLACES = FreePlaces()


def free_places(reference: ReferencePlan, conditions: Iterable[Form], goal: Form, names: Iterable[str]) -> FreePlaces:
    """Return the places of ``reference`` that no condition names, and those of ``names`` numbered like them."""
    told = {str(arg) for form in conditions for atom in atoms(form) for arg in _flat(atom[1:])}
    held_by = {str(arg) for atom in atoms(goal) if atom[0] in _HOLDS for arg in _flat(atom[1:])}
    used = [value for node in reference.nodes if node.call.held for _, value in node.call.args]
    matches = [match for place in used if place not in told and (match := _NUMBERED.match(place))]
    stems = {match["stem"] for match in matches if entity_of(match["stem"]) in held_by}
    known = {name for name in names if (match := _NUMBERED.match(name)) and match["stem"] in stems}
    return FreePlaces(frozenset(known - told), any(atom[0] == "Ordered" for atom in atoms(goal)))


def _number(place: str) -> int:
    match = _NUMBERED.match(place)
    return int(match["number"]) if match else 0


def alike(goal: Form) -> dict[str, str]:
    """Return, for each name that is one of several alike, the first of them."""
    offered: list[tuple[str, ...]] = []
    for choice in _choices(goal):
        offered.append(choice)
    groups = {group for group in offered if all(group == other or not set(group) & set(other) for other in offered)}
    named = [str(arg) for atom in atoms(goal) for arg in _flat(atom[1:])]
    same: dict[str, str] = {}
    for group in groups:
        times = offered.count(group)
        if all(named.count(name) == times for name in group):
            same |= dict.fromkeys(group, group[0])
    return same


def _choices(form: Form) -> Iterator[tuple[str, ...]]:
    """Yield the names that each ``Or`` offers, where its items are one predicate that differs in one argument only."""
    items = [item for item in form[1:] if isinstance(item, tuple)]
    if form[0] == "Or" and len(items) > 1 and len({(item[0], len(item)) for item in items}) == 1:
        differing = [k for k in range(1, len(items[0])) if len({item[k] for item in items}) > 1]
        if len(differing) == 1 and all(isinstance(item[differing[0]], str) for item in items):
            yield tuple(sorted({str(item[differing[0]]) for item in items}))
            return
    if form[0] in ("And", "Or", "Not", "Once", "OnceAfter", "Seq", "Then"):
        for item in items:
            yield from _choices(item)


def alternatives(reference: ReferencePlan, goal: Form, same: Mapping[str, str]) -> tuple[ReferencePlan, ...]:
    """Return ``reference`` and those that a swap of names, which the goal does not notice, makes of it."""
    names = sorted({str(n) for atom in atoms(goal) for n in _flat(atom[1:]) if isinstance(n, str)} - set(same))
    goal_key = _key(goal)
    swaps = [
        {a: b, b: a} for a, b in itertools.combinations(names, 2) if _key(_renamed(goal, {a: b, b: a})) == goal_key
    ]
    found = {_identity(reference): reference}
    fresh = [reference]
    while fresh and len(found) < MOST_REFERENCES:
        swapped = [_swapped(known, swap) for known in fresh for swap in swaps]
        fresh = []
        for candidate in swapped:
            if _identity(candidate) not in found and len(found) < MOST_REFERENCES:
                found[_identity(candidate)] = candidate
                fresh.append(candidate)
    return tuple(found.values())


def _swapped(reference: ReferencePlan, swap: Mapping[str, str]) -> ReferencePlan:
    nodes = [
        ReferenceNode(
            BoundCall(
                node.call.skill,
                swap.get(node.call.held, node.call.held) if node.call.held else None,
                tuple((role, swap.get(value, value)) for role, value in node.call.args),
            ),
            node.after,
            node.optional,
        )
        for node in reference.nodes
    ]
    return ReferencePlan(tuple(nodes), reference.paper_order)


def _identity(reference: ReferencePlan) -> frozenset[Any]:
    """Return a key that does not depend on the order in which the nodes are written."""
    nodes = reference.nodes
    return frozenset(
        (str(n.call), n.optional, frozenset(str(nodes[j].call) for j in n.after), _repeat(reference, k))
        for k, n in enumerate(nodes)
    )


def _repeat(reference: ReferencePlan, k: int) -> int:
    return sum(node.call == reference.nodes[k].call for node in reference.nodes[:k])


def _renamed(form: Form, swap: Mapping[str, str]) -> Form:
    return tuple(
        _renamed(part, swap) if isinstance(part, tuple) else swap.get(part, part) if isinstance(part, str) else part
        for part in form
    )


def _key(form: Any) -> Any:
    """Return a form in which the items of And, Or and sets of names have a fixed order."""
    if not isinstance(form, tuple):
        return form
    parts = tuple(_key(part) for part in form)
    head = form[0] if form else None
    if head in ("And", "Or"):
        return (head, *sorted(parts[1:], key=repr))
    if head in ("OnlyIn", "Consistent"):
        return tuple(tuple(sorted(part, key=repr)) if isinstance(part, tuple) else part for part in parts)
    return parts


def _flat(args: Form) -> Iterator[object]:
    for arg in args:
        if isinstance(arg, tuple):
            yield from arg
        else:
            yield arg
