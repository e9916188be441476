"""What a knowledge task scores besides success: progress, intention, collateral faults.

Only tasks that have ``:subgoals`` or a ``:plan`` are scored so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from proctor.core import Event, Fault
from proctor.tasks.cbddl import Atom, Subgoal, Task, atoms_of

from ._expressions import Node, bind
from ._intention import SURFACE_M, Intention, IntentionState
from ._placing import in_or_on
from ._room import TABLE_Z
from ._scene import Scene
from .predicates import button_of

# How far a task has come: sub-goals that latch in the order of their graph.
#
# A sub-goal latches at the first control step at whose end its condition holds while all sub-goals that it comes after
# have latched, be it with that step. Progress is the latched share of all weights, and 1 on success. ``final`` is the
# share of those whose condition holds at the end, order and memory left out. Progress 1 is not success: faults, and
# undoing what was done, do not take progress back. A goal with alternatives has them inside its sub-goals (``Or``), so
# that its progress is the best of them. Source: vlabench spec, section 4.3.
#
# ``compat="paper"``: (parts of the goal that hold at the end + targets ever touched) / (parts + targets).

ProgressState: TypeAlias = tuple[tuple[bool, ...], tuple[int, ...]]


class Progress:
    """The sub-goals of one scene."""

    def __init__(self, scene: Scene, subgoals: Sequence[Subgoal], compat: str) -> None:
        self._subgoals = tuple(subgoals)
        self._nodes: list[Node] = [bind(subgoal.expr, scene, compat) for subgoal in subgoals]
        names = [subgoal.name for subgoal in subgoals]
        self._before = [[names.index(name) for name in subgoal.after] for subgoal in subgoals]
        self._total = sum(subgoal.weight for subgoal in subgoals)
        self.begin()

    def __bool__(self) -> bool:
        return bool(self._subgoals)

    def begin(self) -> None:
        """Start an episode: nothing has latched."""
        self._latched = [False] * len(self._nodes)
        for node in self._nodes:
            node.reset()

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended; return an event, with the share, for each that latched."""
        events = []
        for i, (node, subgoal) in enumerate(zip(self._nodes, self._subgoals, strict=True)):
            true_now = node.update()
            # Sub-goals stand after those that they come after, so these have had their turn.
            if true_now and not self._latched[i] and all(self._latched[k] for k in self._before[i]):
                self._latched[i] = True
                events.append(Event(step, time_s, "progress", subgoal.name, self.share))
        return events

    @property
    def share(self) -> float:
        return self._share(self._latched)

    @property
    def final(self) -> float:
        """The share of the weights of those that held at the last look."""
        return self._share([node.value for node in self._nodes])

    def _share(self, flags: Sequence[bool]) -> float:
        got = sum(subgoal.weight for subgoal, flag in zip(self._subgoals, flags, strict=True) if flag)
        return got / self._total

    def state(self) -> ProgressState:
        """Return everything remembered, for exact restore."""
        memory = tuple(value for node in self._nodes for value in node.memory())
        return tuple(self._latched), (*memory, *(int(node.value) for node in self._nodes))

    def restore(self, state: ProgressState) -> None:
        latched, values = state
        self._latched = list(latched)
        memory = list(values)
        for node in self._nodes:
            node.recall(memory)
        for node, value in zip(self._nodes, memory, strict=True):
            node.value = bool(value)


# Collateral faults: what must not happen on the way to the goal.
#
# Remembered: an object more than 5 cm below the table top (``below_table``), a press of a button that neither goal,
# sub- goals nor plan name (``wrong_press``, which ends the episode), more than 30 % of a vessel's content beside its
# receiver (``spill``), more than 10 % of a vessel that is not to be poured in a receiver (``wrong_pour``). So long as
# it is so: an object that the task does not name in or on a receptacle of the goal, where it was not at the start
# (``intruder``; of a billiard table, in any pocket), and the task's own ``:faults`` (``task``). Source: vlabench
# spec, section 0.3. ``compat="paper"`` has no faults.

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


ScoreState: TypeAlias = tuple[ProgressState, IntentionState, FaultsState]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of an episode; None where the task does not say what to score."""

    progress: float | None = None
    progress_final: float | None = None
    intention: float | None = None
    intention_first: float | None = None
    intention_paper: float | None = None
    faults: tuple[Fault, ...] = ()
    intention_eps_m: float | None = None

    def named(self) -> dict[str, Any]:
        """Return the values by name, as an `Outcome` takes them."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def is_scored(task: Task) -> bool:
    """Whether a task is one of the knowledge suites."""
    return bool(task.subgoals or task.plan)


class Score:
    """Progress, intention and faults of one scene, followed together."""

    def __init__(self, scene: Scene, compat: str) -> None:
        self._paper = compat == "paper"
        self._progress = Progress(scene, scene.task.subgoals, compat)
        self._intention = Intention(scene, scene.task.intent)
        self._faults = Faults(scene, compat)

    def begin(self) -> None:
        self._progress.begin()
        self._intention.begin()
        self._faults.begin()

    def update(self, step: int, time_s: float) -> list[Event]:
        """Look at the control step that has just ended."""
        events = self._progress.update(step, time_s)
        if self._intention:
            events += self._intention.update(step, time_s)
        return events + self._faults.update(step, time_s)

    def faults(self, time_s: float) -> tuple[Fault, ...]:
        return self._faults.standing(time_s)

    @property
    def ended(self) -> bool:
        return self._faults.ended

    def result(self, success: bool, time_s: float, parts: int, parts_true: int) -> Scores:
        """Return the scores at the end; ``parts`` of the goal, of which ``parts_true`` hold."""
        progress, intention = self._progress, self._intention
        share = None
        if progress:
            share = 1.0 if success else progress.share
        if self._paper:
            targets = len(intention.targets)
            share = (parts_true + intention.touched) / (parts + targets)
        return Scores(
            progress=share,
            progress_final=progress.final if progress else None,
            intention=intention.surface if intention else None,
            intention_first=intention.first if intention else None,
            intention_paper=intention.paper if intention else None,
            faults=self.faults(time_s),
            intention_eps_m=SURFACE_M if intention else None,
        )

    def state(self) -> ScoreState:
        """Return everything remembered, for exact restore."""
        return self._progress.state(), self._intention.state(), self._faults.state()

    def restore(self, state: ScoreState) -> None:
        self._progress.restore(state[0])
        self._intention.restore(state[1])
        self._faults.restore(state[2])
