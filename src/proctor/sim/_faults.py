"""Collateral faults: what must not happen on the way to the goal.

Remembered: an object more than 5 cm below the table top (``below_table``), a press of a button that neither goal, sub-
goals nor plan name (``wrong_press``, which ends the episode), more than 30 % of a vessel's content beside its receiver
(``spill``), more than 10 % of a vessel that is not to be poured in a receiver (``wrong_pour``). So long as it is so: an
object that the task does not name in or on a receptacle of the goal, where it was not at the start (``intruder``; of a
billiard table, in any pocket), and the task's own ``:faults`` (``task``). Source: vlabench spec,
section 0.3. ``compat="paper"`` has no faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from proctor.core import Event, Fault
from proctor.tasks.cbddl import Atom, Task, atoms_of

from ._expressions import Node, bind
from ._receptacles import in_or_on
from ._scene import Scene
from ._scenery import TABLE_Z
from .predicates import button_of

BELOW_M = 0.05
SPILL_SHARE = 0.3
WRONG_SHARE = 0.1
BILLIARD_TABLE = "billiard_table"
# Where the goal's receptacle stands among a predicate's arguments.
_RECEPTACLE = {"In": 1, "On": 1, "Placed": 1, "Inserted": 1, "Consistent": 1, "OnlyIn": 0}
FaultsState: TypeAlias = tuple[tuple[Fault, ...], tuple[bool, ...], tuple[int, ...]]


class Faults:
    """The faults of one scene; `update` after every control step, `standing` when the goal is reached or at the end."""

    def __init__(self, scene: Scene, compat: str) -> None:
        self._scene = scene
        task = scene.task
        self._off = compat == "paper"
        self._own: list[Node] = [bind(expr, scene, compat) for expr in task.faults]
        self._right_buttons = frozenset(_buttons(scene))
        self._right_pours = {(str(a.args[0]), str(a.args[1])) for a in _atoms(task) if a.predicate == "Poured"}
        named = set(_names(task))
        strangers = [name for name in scene.movable if name not in named]
        self._intruders = {
            (name, where): in_or_on(scene, name, where) for where in receptacles(scene) for name in strangers
        }
        self.begin()

    def begin(self) -> None:
        """Start an episode: nothing has gone wrong; what is in a receptacle now may stay there."""
        self._seen: list[Fault] = []
        self._at_start = [self._scene.references != {} and there() for there in self._intruders.values()]
        for node in self._own:
            node.reset()

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended; return an event for each fault that is new and remembered."""
        if self._off:
            return []
        for node in self._own:
            node.update()
        known = {(fault.kind, fault.name) for fault in self._seen}
        new = [Fault(kind, name, time_s) for kind, name in self._happened() if (kind, name) not in known]
        self._seen += new
        return [Event(step, time_s, "fault", f"{fault.kind} {fault.name}") for fault in new]

    def _happened(self) -> Iterator[tuple[str, str]]:
        scene, flow = self._scene, self._scene.flow.now
        for name in scene.movable:
            if scene.data.xipos[scene.body(name), 2] < TABLE_Z - BELOW_M:
                yield "below_table", name
        for name in scene.buttons.first_of():
            if name not in self._right_buttons:
                yield "wrong_press", name
        for name, share in flow.spilled.items():
            if share > SPILL_SHARE:
                yield "spill", name
        for (source, receiver), share in flow.received.items():
            if share > WRONG_SHARE and (source, receiver) not in self._right_pours:
                yield "wrong_pour", source

    @property
    def ended(self) -> bool:
        """Whether a fault has ended the episode."""
        return any(fault.kind == "wrong_press" for fault in self._seen)

    def standing(self, time_s: float) -> tuple[Fault, ...]:
        """Return the faults that are remembered, and those that are so now."""
        if self._off:
            return ()
        found = list(self._seen)
        for (name, where), there, before in zip(self._intruders, self._intruders.values(), self._at_start, strict=True):
            if not before and there():
                found.append(Fault("intruder", f"{name} {where}", time_s))
        found += [Fault("task", node.label, time_s) for node in self._own if node.value]
        return tuple(found)

    def state(self) -> FaultsState:
        """Return everything remembered, for exact restore."""
        memory = [value for node in self._own for value in node.memory()]
        return tuple(self._seen), tuple(self._at_start), (*memory, *(int(node.value) for node in self._own))

    def restore(self, state: FaultsState) -> None:
        """Restore what `state` returned."""
        self._seen, self._at_start = list(state[0]), list(state[1])
        memory = list(state[2])
        for node in self._own:
            node.recall(memory)
        for node, value in zip(self._own, memory, strict=True):
            node.value = bool(value)


def receptacles(scene: Scene) -> tuple[str, ...]:
    """Return what the goal wants things in or on, the table left out; of a billiard table, all pockets."""
    found: list[str] = []
    for atom in atoms_of(scene.task.goal):
        if atom.predicate not in _RECEPTACLE:
            continue
        where = str(atom.args[_RECEPTACLE[atom.predicate]])
        place = scene.place(where)
        if place.entity not in scene.assets:
            continue
        asset = scene.assets[place.entity]
        pockets = asset.sites if asset.category == BILLIARD_TABLE else ()
        found += [f"{place.entity}/{site.name}" for site in pockets if site.kind == "contain"] or [where]
    return tuple(dict.fromkeys(found))


def _atoms(task: Task) -> Iterator[Atom]:
    for expr in (task.goal, *(subgoal.expr for subgoal in task.subgoals)):
        yield from atoms_of(expr)


def _names(task: Task) -> Iterator[str]:
    """Yield every entity that goal, sub-goals, plan or intent name."""
    for atom in _atoms(task):
        for argument in atom.args:
            for word in argument if isinstance(argument, tuple) else (argument,):
                yield str(word).partition("/")[0]
    for call in task.plan:
        yield from (str(argument).partition("/")[0] for argument in call.args)
    yield from (name.partition("/")[0] for name in task.intent)


def _buttons(scene: Scene) -> Iterator[str]:
    task = scene.task
    for atom in _atoms(task):
        if atom.predicate in ("Pressed", "PressedOnly"):
            yield button_of(scene, str(atom.args[0]))
    for call in task.plan:
        if call.skill == "press":
            yield button_of(scene, str(call.args[0]))
