"""Carry a plan out in a symbolic world: which calls can be done, and whether the goal is reached without harm.

A call whose precondition fails is skipped and counted. A plan **runs** if no call was skipped, the goal holds at the
end and there is no collateral fault: a thing of no concern in a receptacle of the goal or poured into its vessel, a
wrong button where the goal is about buttons, or what the task itself lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ._call import UNREAD, SkillCall, read_args, unknown_args
from ._meaning import Meaning, atoms
from ._names import Names
from ._skills import SKILLS
from ._symbolic import Form, SymbolicState, SymbolicWorld, entity_of, is_in

_SLOT = re.compile(r"/slot\d+$")
"""A place that takes one thing."""


@dataclass(frozen=True, slots=True)
class CallAttempt:
    """One call, and why it could not be made ("" if it was)."""

    call: str
    why_not: str = ""

    @property
    def done(self) -> bool:
        return not self.why_not


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of a plan."""

    attempts: tuple[CallAttempt, ...]
    reached: bool
    faults: tuple[str, ...]
    progress: float

    @property
    def skipped(self) -> int:
        """How many calls could not be made."""
        return sum(not attempt.done for attempt in self.attempts)

    @property
    def runs(self) -> bool:
        """Whether every call was made, the goal is reached and nothing else was harmed."""
        return self.reached and not self.faults and not self.skipped


class _CannotError(Exception):
    """The precondition of a call fails; the text says which."""


def execute(calls: Sequence[SkillCall], world: SymbolicWorld, names: Names) -> Execution:
    """Carry ``calls`` out from the start of ``world``."""
    state = SymbolicState.of(world)
    conditions = [world.goal, *world.faults, *(sub.condition for sub in world.subgoals)]
    meaning = Meaning(state, *conditions)
    meaning.observe()
    latched: set[str] = set()
    faults: set[str] = set()
    attempts = []
    for call in calls:
        state.now.clear()
        why = ""
        try:
            _do(state, call, names)
        except _CannotError as error:
            why = str(error)
        attempts.append(CallAttempt(str(call), why))
        meaning.observe()
        _latch(world, meaning, latched)
    state.now.clear()
    faults.update(_collateral(state))
    faults.update(_text(fault) for fault in world.faults if meaning.holds(fault))
    reached = meaning.holds(world.goal)
    total = sum(sub.weight for sub in world.subgoals)
    done = sum(sub.weight for sub in world.subgoals if sub.name in latched)
    progress = 1.0 if reached and not faults else done / total if total else 0.0
    return Execution(tuple(attempts), reached, tuple(sorted(faults)), progress)


def _latch(world: SymbolicWorld, meaning: Meaning, latched: set[str]) -> None:
    """Latch what holds now, until nothing more does: a sub-goal may latch at the instant of its predecessor."""
    growing = True
    while growing:
        fresh = {
            sub.name
            for sub in world.subgoals
            if sub.name not in latched and latched.issuperset(sub.after) and meaning.holds(sub.condition)
        }
        latched |= fresh
        growing = bool(fresh)


def _do(state: SymbolicState, call: SkillCall, names: Names) -> None:
    skill = SKILLS.get(call.skill)
    if skill is None:
        raise _CannotError(f"there is no skill {call.skill!r}")
    if unknown := unknown_args(call):
        raise _CannotError(f"{call.skill} takes no {unknown[0]!r}")
    given = dict(read_args(call, names))
    for role in skill.roles:
        if role not in given:
            raise _CannotError(f"{call.skill} needs {role!r}")
        if given[role].startswith(UNREAD):
            raise _CannotError(f"{given[role][1:]!r} names nothing in the scene")
    if skill.needs == "free" and state.hand is not None:
        raise _CannotError(f"the hand holds {state.hand}")
    if skill.needs == "holding" and state.hand is None:
        raise _CannotError("the hand is empty")
    _EFFECTS[call.skill](state, *(given[role] for role in skill.roles))


def _pick(state: SymbolicState, name: str) -> None:
    if name not in state.where:
        raise _CannotError(f"{name} cannot be picked up")
    if (joint := state.shut(state.where[name])) is not None:
        raise _CannotError(f"{joint} is shut")
    state.hand = name
    state.ever_held.add(name)
    state.hung.pop(name, None)


def _target(state: SymbolicState, target: str) -> str:
    """Return the held thing, after a look at where it is to go."""
    held = state.hand
    assert held is not None
    if target == held:
        raise _CannotError(f"{held} cannot go into itself")
    if (joint := state.shut(target)) is not None:
        raise _CannotError(f"{joint} is shut")
    state.now.add(("over", held, target))
    return held


def _release(state: SymbolicState, held: str, place: str | None) -> None:
    state.hand = None
    state.where[held] = place
    state.lifted.discard(held)
    state.laid.add(held)
    state.moved.add(held)


def _place(state: SymbolicState, target: str) -> None:
    _release(state, _target(state, target), target)


def _insert(state: SymbolicState, target: str) -> None:
    held = _target(state, target)
    holes = state.world.holes
    if holes is not None and target not in holes:
        raise _CannotError(f"{target} has no hole")
    if _SLOT.search(target):
        for name, place in state.where.items():
            if place == target and name != held:
                raise _CannotError(f"{name} is in {target} already")
    if entity_of(target) in state.where:
        state.attached.add((held, entity_of(target)))
    _release(state, held, target)
    state.laid.discard(held)


def _pour(state: SymbolicState, target: str) -> None:
    held = _target(state, target)
    vessels = state.world.vessels
    if vessels is not None and held not in vessels:
        raise _CannotError(f"{held} is no vessel")
    state.where[held] = None
    state.poured.add((held, target))


def _press(state: SymbolicState, name: str) -> None:
    buttons = state.world.buttons
    if buttons is not None and name not in buttons:
        own = [button for button in buttons if entity_of(button) == name]
        if len(own) != 1:
            raise _CannotError(f"{name} is no button")
        name = own[0]
    state.pressed.append(name)
    state.now.add(("pressed", name))
    state.filled.update(state.contents(entity_of(name)) if "/" in name else [])


def _out_of(state: SymbolicState) -> str:
    held = state.hand
    assert held is not None
    state.where[held] = None
    return held


def _pull(state: SymbolicState) -> None:
    state.moved.add(_out_of(state))


def _lift(state: SymbolicState) -> None:
    state.lifted.add(_out_of(state))


def _push(state: SymbolicState, target: str) -> None:
    if (joint := state.world.joint_of(target)) is not None:
        state.open_joints.discard(joint)
    state.moved.add(target)
    state.now.add(("push", target))


def _open(state: SymbolicState, name: str) -> None:
    joint = state.world.joint_of(name)
    if joint is None:
        raise _CannotError(f"{name} cannot be opened")
    state.open_joints.add(joint)


def _close(state: SymbolicState, name: str) -> None:
    joint = state.world.joint_of(name)
    if joint is None:
        raise _CannotError(f"{name} cannot be closed")
    inside = state.where.get(state.hand) if state.hand is not None else None
    if inside is not None and state.world.gate(inside) == joint:
        raise _CannotError(f"the hand is in it, at {state.hand}")
    state.open_joints.discard(joint)


def _flip(state: SymbolicState, name: str) -> None:
    if name not in state.where:
        raise _CannotError(f"{name} cannot be turned")
    if (joint := state.shut(state.where[name])) is not None:
        raise _CannotError(f"{joint} is shut")
    state.turned ^= {name}
    state.ever_held.add(name)


def _hang(state: SymbolicState, target: str) -> None:
    held = _target(state, target)
    _release(state, held, target)
    state.hung[held] = target


def _hammer(state: SymbolicState, target: str) -> None:
    held = state.hand
    assert held is not None
    tools = state.world.tools
    if tools is not None and held not in tools:
        raise _CannotError(f"{held} is no hammer")
    joint = state.world.joint_of(target)
    if joint is None:
        raise _CannotError(f"{target} cannot be driven in")
    state.open_joints.add(joint)
    attached = next((b for a, b in state.attached if a == held), held)
    state.driven[entity_of(target)] = attached
    state.where[held] = None


def _strike(state: SymbolicState, name: str, target: str) -> None:
    held = state.hand
    assert held is not None
    if name not in state.where:
        raise _CannotError(f"{name} cannot be struck")
    # A cue ball passes the stroke on: what the goal wants struck by it goes where it was aimed at, and it stays.
    wanted = [atom for atom in atoms(state.world.goal) if atom[0] == "StruckBy"]
    passed_on = [str(atom[1]) for atom in wanted if isinstance(atom[2], tuple) and name in atom[2]]
    for ball in (name, *passed_on):
        state.struck[ball] = held
        state.moved.add(ball)
    for ball in passed_on or [name]:
        state.where[ball] = target


def _wait(state: SymbolicState, seconds: str) -> None:
    try:
        waited = float(seconds)
    except ValueError:
        raise _CannotError(f"{seconds!r} is no number of seconds") from None
    if not 0.0 <= waited <= 30.0:
        raise _CannotError("waits are 0 to 30 seconds")


_EFFECTS: dict[str, Callable[..., None]] = {
    "pick": _pick,
    "place": _place,
    "insert": _insert,
    "pour": _pour,
    "press": _press,
    "pull": _pull,
    "push": _push,
    "lift": _lift,
    "open": _open,
    "close": _close,
    "flip": _flip,
    "hang": _hang,
    "hammer": _hammer,
    "strike": _strike,
    "wait": _wait,
}

_RECEIVES = {"In": 1, "On": 1, "Placed": 1, "Inserted": 1, "Consistent": 1, "Hung": 1, "OnlyIn": 0}


def _collateral(state: SymbolicState) -> list[str]:
    """Return the faults that hold for every task."""
    goal = list(atoms(state.world.goal))
    named = {str(part) for atom in goal for arg in atom[1:] for part in (arg if isinstance(arg, tuple) else (arg,))}
    receptacles = {str(atom[1 + _RECEIVES[str(atom[0])]]) for atom in goal if atom[0] in _RECEIVES}
    faults = [
        f"{name} is in {receptacle}"
        for receptacle in sorted(receptacles)
        for name in state.contents(receptacle)
        if name not in named and not is_in(state.world.where.get(name), receptacle)
    ]
    vessels = {str(atom[2]) for atom in goal if atom[0] == "Poured"}
    faults += [
        f"{name} was poured into {into}" for name, into in sorted(state.poured) if into in vessels and name not in named
    ]
    if any(atom[0] in ("Pressed", "PressedOnly") for atom in goal):
        faults += [f"{button} was pressed" for button in dict.fromkeys(state.pressed) if button not in named]
    return faults


def _text(form: Form) -> str:
    parts = (part if isinstance(part, tuple) else str(part) for part in form)
    return "(" + " ".join(_text(part) if isinstance(part, tuple) else part for part in parts) + ")"
