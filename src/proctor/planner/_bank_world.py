"""The symbolic world that a reference implies, for cases of a bank that do not bring their own.

The goal is what the reference leaves behind: things where it last put them, doors as it last left them, everything
poured, pressed, turned, hung or driven. What the reference puts, pours or turns in an order must happen in that order,
and a button must be pressed while what comes before it holds. Whatever is no target, door or button can be moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ._call import BoundCall
from ._reference import Reference
from ._symbolic import Form, SymbolicWorld

_AJAR = (0.5, 3.0)
_SHUT = (-0.05, 0.1)
_EVENTS = ("place", "insert", "pour", "flip", "hang", "hammer", "strike")
"""Skills whose order in a reference is part of what is wanted; doors and buttons have their own rules."""


def implied_world(references: Sequence[Reference], things: Collection[str]) -> SymbolicWorld:
    """Return the world in which ``references`` are the right plans; ``things`` are the names of its marks."""
    calls = [node.call for reference in references for node in reference.nodes]
    goals = list(dict.fromkeys(_goal(reference) for reference in references))
    only_buttons = all(call.skill == "press" for call in calls)
    buttons = _named(calls, "press") | {name for name in things if only_buttons or "button" in name.casefold()}
    joints = _named(calls, "open", "close", "hammer")
    moved = _named(calls, "pick", "flip", "strike") | {call.held for call in calls if call.held is not None}
    fixed = {value for call in calls for _, value in call.args} | buttons
    return SymbolicWorld(
        goal=goals[0] if len(goals) == 1 else ("Or", *goals),
        objects=tuple(name for name in things if name in moved or name not in fixed),
        joints=frozenset(joints),
        open_joints=frozenset(_open_at_the_start(calls)),
        buttons=frozenset(buttons),
        vessels=None if any(call.skill == "pour" for call in calls) else frozenset(),
    )


def _goal(reference: Reference) -> Form:
    required = [(k, reference.nodes[k].call) for k in reference.required]
    wanted = list(_left_behind([call for _, call in required]))
    before = {k: _before(reference, k) for k, _ in required}
    if all(call.skill == "press" for _, call in required) and len(required) == 1:
        return ("PressedOnly", required[0][1].args[0][1])
    for k, call in required:
        if call.skill == "press":
            meanwhile = [_effect(reference.nodes[j].call) for j in sorted(before[k])]
            kept = [effect for effect in meanwhile if effect is not None and effect in wanted]
            wanted.append(("OnceAfter", _effect(call), ("And", *kept)) if kept else ("Pressed", call.args[0][1]))
    events = [(k, call) for k, call in required if call.skill in _EVENTS]
    for k, call in events:
        for j, earlier in events:
            if j in before[k]:
                wanted.append(("Seq", _effect(earlier), _effect(call)))
    return ("And", *dict.fromkeys(wanted))


def _before(reference: Reference, k: int) -> set[int]:
    """Return every required node that must come before node ``k``, however indirectly."""
    found: set[int] = set()
    left = list(reference.required_before(k))
    while left:
        j = left.pop()
        if j not in found:
            found.add(j)
            left.extend(reference.required_before(j))
    return found


def _left_behind(calls: Sequence[BoundCall]) -> Iterator[Form]:
    """Yield what holds after ``calls``, but for buttons."""
    last: dict[tuple[str, str], Form] = {}
    held: str | None = None
    for call in calls:
        effect = _effect(call)
        if call.skill == "pick":
            held = call.args[0][1]
            last.pop(("place", held), None)
        elif call.skill in ("place", "insert", "hang") and call.held is not None and effect is not None:
            last["place", call.held] = effect
            last.pop(("lift", call.held), None)
            held = None
        elif call.skill in ("open", "close") and effect is not None:
            last["door", call.args[0][1]] = effect
        elif call.skill != "press" and effect is not None:
            last[call.skill, str(effect)] = effect
        if call.skill == "lift" and call.held is not None:
            last["lift", call.held] = ("LiftedBy", call.held, 0.1)
    if held is not None and not any(call.skill in ("pour", "hammer", "strike", "push") for call in calls):
        yield ("Held", held)
    yield from last.values()


def _effect(call: BoundCall) -> Form | None:
    """Return what a call brings about; None for calls that only lead to others."""
    values = [value for _, value in call.args]
    if call.skill in ("open", "close"):
        return ("Joint", values[0], *(_AJAR if call.skill == "open" else _SHUT))
    if call.skill == "hammer":
        return ("DrivenBy", values[0], call.held, 0.8)
    if call.skill in ("strike", "push"):
        return ("Moved", values[0], 0.02)
    names = {"place": "Placed", "insert": "Inserted", "pour": "Poured", "hang": "Hung"}
    if call.skill in names:
        return (names[call.skill], call.held, values[0])
    named = {"press": "Pressed", "flip": "FaceUp"}
    return (named[call.skill], values[0]) if call.skill in named else None


def _named(calls: Sequence[BoundCall], *skills: str) -> set[str]:
    """Return the first argument of every call of ``skills``."""
    return {call.args[0][1] for call in calls if call.skill in skills and call.args}


def _open_at_the_start(calls: Sequence[BoundCall]) -> set[str]:
    first: dict[str, str] = {}
    for call in calls:
        if call.skill in ("open", "close"):
            first.setdefault(call.args[0][1], call.skill)
    return {name for name, skill in first.items() if skill == "close"}
