"""The symbolic world that a reference implies, for cases of a bank that do not bring their own.

The goal is what the reference leaves behind: things where it last put them or drawn out of where they stood, doors as
it last left them, everything poured, pressed, turned, hung or driven. A door that is opened for the sake of what comes
after must have been open once; what is picked up right after that and not put in there is behind it. What the reference
puts, pours or turns in an order must happen in that order, and a button must be pressed while what comes before it
holds. Whatever is no target, door or button can be moved, and what no reference puts into a receptacle of the goal does
not belong there. Copies that are moved are things of their own: any of them will do, each for one.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ._call import BoundCall
from ._meaning import atoms
from ._reference import Reference
from ._symbolic import Form, SymbolicWorld

_AJAR = (0.5, 3.0)
_SHUT = (-0.05, 0.1)
_MOST_COPIES = 5
_EVENTS = ("place", "insert", "pour", "flip", "hang", "hammer", "strike")
"""Skills whose order in a reference is part of what is wanted; doors and buttons have their own rules."""


def implied_world(
    references: Sequence[Reference], things: Collection[str], copies: Mapping[str, str] | None = None
) -> SymbolicWorld:
    """Return the world in which ``references`` are the right plans; ``things`` are the names of its marks.

    ``copies`` maps each of several equal things that are moved (see `moved_copies`) to the one that references name.
    """
    told = [variant for reference in references for variant in _with_copies(reference, copies or {})]
    calls = [node.call for reference in told for node in reference.nodes]
    goals = list(dict.fromkeys(_goal(reference) for reference in told))
    goal = goals[0] if len(goals) == 1 else ("Or", *goals)
    only_buttons = all(call.skill == "press" for call in calls)
    buttons = _named(calls, "press") | {name for name in things if only_buttons or "button" in name.casefold()}
    joints = _named(calls, "open", "close", "hammer")
    moved = _named(calls, "pick", "flip", "strike") | {call.held for call in calls if call.held is not None}
    fixed = {value for call in calls for _, value in call.args} | buttons
    objects = tuple(name for name in things if name in moved or name not in fixed)
    return SymbolicWorld(
        goal=goal,
        objects=objects,
        where=_behind_doors(told),
        joints=frozenset(joints),
        open_joints=frozenset(_open_at_the_start(calls)),
        buttons=frozenset(buttons),
        vessels=None if any(call.skill == "pour" for call in calls) else frozenset(),
        faults=tuple(_out_of_place(goal, calls, objects)),
    )


def moved_copies(references: Sequence[Reference], same: Mapping[str, str]) -> dict[str, str]:
    """Return those of ``same`` (name to representative) that stand for something that is picked up, one for each pick.

    A representative that is picked more often than it has copies is one thing, picked again.
    """
    found: dict[str, str] = {}
    for one in set(same.values()):
        times = [sum(node.call == _pick(one) for node in reference.nodes) for reference in references]
        members = dict.fromkeys({*(name for name, stood in same.items() if stood == one), one}, one)
        if 0 < max(times) <= len(members) <= _MOST_COPIES:
            found |= members
    return found


def _with_copies(reference: Reference, copies: Mapping[str, str]) -> Iterator[Reference]:
    """Yield ``reference`` with every choice of copies, each for one pick and what is done with it until the next."""
    picks = [(k, node.call.args[0][1]) for k, node in enumerate(reference.nodes) if node.call.skill == "pick"]
    asked = {one: [k for k, name in picks if name == one] for one in dict.fromkeys(copies.values())}
    choices = [
        [dict(zip(ks, names, strict=True)) for names in itertools.permutations(_members(copies, one), len(ks))]
        for one, ks in asked.items()
    ]
    for choice in itertools.product(*choices):
        chosen = {k: name for part in choice for k, name in part.items()}
        now: dict[str, str] = {}
        nodes = []
        for k, node in enumerate(reference.nodes):
            if k in chosen:
                now[node.call.args[0][1]] = chosen[k]
            args = tuple((role, now.get(name, name)) for role, name in node.call.args)
            held = None if node.call.held is None else now.get(node.call.held, node.call.held)
            nodes.append(replace(node, call=replace(node.call, held=held, args=args)))
        yield replace(reference, nodes=tuple(nodes))


def _members(copies: Mapping[str, str], one: str) -> list[str]:
    return sorted(name for name, stood in copies.items() if stood == one)


def _pick(name: str) -> BoundCall:
    return BoundCall("pick", None, (("object", name),))


def _behind_doors(references: Sequence[Reference]) -> dict[str, str | None]:
    """Return the door behind which each thing stands that is picked right after its opening, to be put elsewhere."""
    behind: dict[str, str | None] = {}
    for reference in references:
        for k, node in enumerate(reference.nodes):
            if node.call.skill != "pick":
                continue
            name = node.call.args[0][1]
            put = {other.call.args[0][1] for other in reference.nodes if other.call.held == name and other.call.args}
            doors = [reference.nodes[j].call for j in node.after if reference.nodes[j].call.skill == "open"]
            earlier = any(other.call == node.call for other in reference.nodes[:k])
            if len(doors) == 1 and doors[0].args[0][1] not in put and not earlier:
                behind[name] = doors[0].args[0][1]
    return behind


def _out_of_place(goal: Form, calls: Sequence[BoundCall], objects: Sequence[str]) -> Iterator[Form]:
    """Yield the faults that what the goal names itself may be: things in a receptacle where no reference puts them."""
    put = {(call.held, call.args[0][1]) for call in calls if call.skill in ("place", "insert", "hang") and call.args}
    receptacles = {str(atom[2]) for atom in atoms(goal) if atom[0] in ("Placed", "Inserted")}
    for receptacle in sorted(receptacles):
        for name in objects:
            if (name, receptacle) not in put and name != receptacle:
                yield ("In", name, receptacle)


def _goal(reference: Reference) -> Form:
    required = [(k, reference.nodes[k].call) for k in reference.required]
    before = {k: _before(reference, k) for k, _ in required}
    means = {j for earlier in before.values() for j in earlier if reference.nodes[j].call.skill == "open"}
    wanted = list(_left_behind([call for _, call in required], {reference.nodes[j].call for j in means}))
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


def _left_behind(calls: Sequence[BoundCall], means: Collection[BoundCall] = ()) -> Iterator[Form]:
    """Yield what holds after ``calls``, but for buttons; of doors opened as ``means``, that they were open once."""
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
            last.pop(("pull", call.held), None)
            held = None
        elif call.skill in ("open", "close") and effect is not None:
            last["door", call.args[0][1]] = ("Once", effect) if call in means else effect
        elif call.skill == "pull" and call.held is not None and effect is not None:
            last["pull", call.held] = effect
        elif call.skill != "press" and effect is not None:
            last[call.skill, str(effect)] = effect
        if call.skill == "lift" and call.held is not None:
            last["lift", call.held] = ("LiftedBy", call.held, 0.1)
    # What is drawn out may be kept or put down; what is only picked up is to be held.
    done = any(call.skill in ("pour", "hammer", "strike", "push") for call in calls)
    if held is not None and not done and ("pull", held) not in last:
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
    if call.skill == "pull":
        return ("Moved", call.held, 0.02)
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
