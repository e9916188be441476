"""The partial order behind a reference plan: which of its calls must come before which.

A plan is one line-up of its calls; others are as good. Calls are tied to the sub-goals they bring about, and come after
the calls of all earlier sub-goals. The hand adds its own order: what is done with a thing comes after it was picked up;
and since the hand is full from a pick to the release, what must be done before any call in between must be done before
the pick. A call that brings about no sub-goal follows the call before it. A sub-goal of weight below 1 counts for
progress only, so its call is optional; so is putting a thing back that the goal wants nowhere (a tube, once poured).
"""

from __future__ import annotations

from collections.abc import Sequence

from ._call import BoundCall, SkillCall, bind
from ._meaning import atoms
from ._names import Names
from ._reference import ReferenceNode, ReferencePlan
from ._skills import SKILLS
from ._symbolic import Form, SubGoal, entity_of

_BROUGHT_ABOUT = {
    "pick": ("Held",),
    "place": ("Placed", "In", "On", "Consistent"),
    "insert": ("Inserted", "Attached", "Placed", "In"),
    "pour": ("Poured",),
    "press": ("Pressed", "PressedOnly", "TurnOn", "TurnOff"),
    "pull": ("Out", "Taken"),
    "lift": ("LiftedBy", "Taken", "Out"),
    "open": ("Joint", "Open"),
    "close": ("Joint", "Close"),
    "flip": ("FaceUp", "FacedCamera"),
    "hang": ("Hung",),
    "hammer": ("Joint", "DrivenBy"),
    "strike": ("Moved", "StruckBy"),
    "wait": ("Filled",),
    "push": ("Moved", "Joint"),
}


_RELEASING = ("place", "insert")
_PUT = ("Placed", "In", "On", "Consistent", "Inserted", "Attached", "OnlyIn", "Hung", "Ordered")


def reference_of(
    calls: Sequence[SkillCall], subgoals: Sequence[SubGoal], names: Names, goal: Form | None = None
) -> ReferencePlan:
    """Return the partial order of a reference plan; without sub-goals it is the plan's own order."""
    bound = [item.call for item in bind(calls, names)]
    ties = _ties(bound, subgoals)
    before = _before(subgoals)
    after: list[set[int]] = []
    for k, call in enumerate(bound):
        tied = ties[k]
        earlier: set[int] = set()
        if tied is None or not subgoals:
            earlier |= {k - 1} if k else set()
        else:
            wanted = before[tied]
            earlier |= {j for j in range(len(bound)) if j != k and ties[j] is not None and ties[j] in wanted}
        if call.held is not None:
            earlier |= _picks_of(bound, k)
        after.append(earlier)
    closed = _close(after, _grips(bound))
    optional = {sub.name for sub in subgoals if sub.weight < 1.0} | _put_back(bound, ties, subgoals, goal)
    return ReferencePlan(
        tuple(
            ReferenceNode(call, tuple(sorted(closed[k])), optional=ties[k] in optional) for k, call in enumerate(bound)
        )
    )


def _put_back(
    bound: Sequence[BoundCall], ties: Sequence[str | None], subgoals: Sequence[SubGoal], goal: Form | None
) -> set[str]:
    """Return the sub-goals of putting a thing down that nothing depends on and the goal says nothing of."""
    if goal is None:
        return set()
    needed = {earlier for sub in subgoals for earlier in sub.after}
    put = {str(name) for atom in atoms(goal) if atom[0] in _PUT for arg in atom[1:] for name in _names(arg)}
    found = {tie for call, tie in zip(bound, ties, strict=True) if call.skill in _RELEASING and call.held not in put}
    return {tie for tie in found if tie is not None and tie not in needed}


def _names(argument: object) -> tuple[object, ...]:
    return argument if isinstance(argument, tuple) else (argument,)


def _ties(bound: Sequence[BoundCall], subgoals: Sequence[SubGoal]) -> list[str | None]:
    """Tie each call to the first sub-goal that it brings about and no earlier call was tied to."""
    taken: set[str] = set()
    ties: list[str | None] = []
    for call in bound:
        found = next((s.name for s in subgoals if s.name not in taken and _brings(call, s.condition)), None)
        ties.append(found)
        if found is not None:
            taken.add(found)
    return ties


def _brings(call: BoundCall, condition: Form) -> bool:
    return any(_brings_atom(call, atom) for atom in atoms(condition))


def _brings_atom(call: BoundCall, atom: Form) -> bool:
    if atom[0] not in _BROUGHT_ABOUT.get(call.skill, ()):
        return False
    if call.skill == "wait":
        return True
    first = str(atom[1])
    targets = [value for _, value in call.args]
    if call.held is not None and call.skill not in ("hammer", "strike", "push"):
        if first != call.held:
            return False
        # Where to is only asked of calls that have somewhere to go.
        return not targets or atom[0] == "Consistent" or _same(targets[0], str(atom[2]))
    if call.skill in ("open", "close", "hammer"):
        if not targets or not _same(targets[0], first):
            return False
        shut = atom[0] == "Close" or (atom[0] == "Joint" and float(str(atom[2])) <= 0.0 <= float(str(atom[3])))
        return shut == (call.skill == "close")
    return bool(targets) and targets[0] == first


def _same(a: str, b: str) -> bool:
    """Whether two names are the same thing, or one a part of the other."""
    return a == b or (entity_of(a) == entity_of(b) and "/" not in (a if len(a) < len(b) else b))


def _before(subgoals: Sequence[SubGoal]) -> dict[str, set[str]]:
    """Return every sub-goal's predecessors, direct or not."""
    known = {sub.name: sub.after for sub in subgoals}
    found: dict[str, set[str]] = {}

    def visit(name: str) -> set[str]:
        if name not in found:
            found[name] = set()
            for earlier in known.get(name, ()):
                found[name] |= {earlier} | visit(earlier)
        return found[name]

    for sub in subgoals:
        visit(sub.name)
    return found


def _picks_of(bound: Sequence[BoundCall], k: int) -> set[int]:
    """Return the pick with which the held thing of call ``k`` was taken up."""
    picks = [j for j in range(k) if bound[j].skill == "pick" and ("object", bound[k].held) in bound[j].args]
    return set(picks[-1:])


def _grips(bound: Sequence[BoundCall]) -> list[range]:
    """Return the calls from each pick to the release."""
    grips = []
    start: int | None = None
    for k, call in enumerate(bound):
        skill = SKILLS.get(call.skill)
        if call.skill == "pick" and start is None:
            start = k
        elif start is not None and skill is not None and skill.leaves == "free":
            grips.append(range(start, k + 1))
            start = None
    return [*grips, range(start, len(bound))] if start is not None else grips


def _close(after: list[set[int]], grips: list[range]) -> list[set[int]]:
    """Add what the hand implies, until nothing more follows."""
    closed = [set(earlier) for earlier in after]
    growing = True
    while growing:
        growing = False
        for k in range(len(closed)):
            more = set().union(*(closed[j] for j in closed[k])) - closed[k]
            if more - {k}:
                closed[k] |= more - {k}
                growing = True
        for grip in grips:
            outside = {j for k in grip[1:] for j in closed[k] if j not in grip}
            # What happens while something else is held is over when that is released.
            outside |= {other[-1] for other in grips if other != grip and outside & set(other)}
            if outside - closed[grip[0]]:
                closed[grip[0]] |= outside
                growing = True
    return closed
