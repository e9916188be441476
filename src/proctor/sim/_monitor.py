"""Watches goal and cost over an episode.

Success: the goal holds for `HOLD_STEPS` consecutive control steps (``any_step``: for one). Cost: +1 per true
instantaneous expression per control step; a terminal expression that is true when the episode ends costs
`TERMINAL_COST` however it ends (``compat="paper"``: only if it ends in success). An expression with a terminal
predicate anywhere in it is terminal. A counted predicate costs 1 each time it happens, when it happens. Each entry
keeps the time at which it first was true, and the worst that its predicates measured while it was (of a terminal one,
at the end). As published, the first of several expressions that no ``And`` joins is the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.core import CostEntry, Event
from proctor.tasks.cbddl import And, Atom, Expr, atoms_of

from ._contacts import Condition
from ._control import CONTROL_DT
from ._expressions import Node, bind, subgoals
from ._particles import Tally
from ._scene import Scene
from ._score import Score, Scores, ScoreState, is_scored
from .predicates import label_of

HOLD_STEPS = 10
TERMINAL_COST = 10.0


@dataclass(slots=True)
class _CostLine:
    """Account of one cost expression."""

    node: Node
    kind: Literal["instantaneous", "terminal", "counted"]
    name: str
    tally: Tally | None = None
    steps: int = 0
    on: bool = False
    first_s: float | None = None
    severity: float = 0.0

    def grade(self) -> None:
        """Take in how bad it is now; a terminal expression counts as it ends, so there the last grade stands."""
        now = max((leaf.severity() for leaf in self.node.leaves() if leaf.holds()), default=0.0)
        self.severity = now if self.kind == "terminal" else max(self.severity, now)


@dataclass(frozen=True, slots=True)
class MonitorState:
    """Everything a monitor remembers, for exact restore."""

    step: int
    held: int
    success: bool
    success_time_s: float | None
    lines: tuple[tuple[int, bool, float | None, float], ...]
    memory: tuple[int, ...]
    subgoals_on: tuple[bool, ...]
    events: tuple[Event, ...]
    score: ScoreState | None


class Monitor:
    """Goal and cost of one scene; ``begin`` after settling, ``update`` after every control step, ``finish`` once."""

    def __init__(self, scene: Scene, compat: str) -> None:
        self._scene = scene
        self._compat = compat
        published = compat == "paper"
        goal = scene.task.first_goal if published and scene.task.first_goal is not None else scene.task.goal
        self._goal = bind(goal, scene, compat)
        self._subgoals = subgoals(self._goal)
        self._terms = _terms(scene.task.first_cost if published else scene.task.cost)
        self._lines = [self._line(expr) for expr in self._terms]
        self._score = Score(scene, compat) if is_scored(scene.task) else None
        self._asked: dict[str, Node] = {}
        self.begin("hold")

    def _line(self, expr: Expr) -> _CostLine:
        node = bind(expr, self._scene, self._compat)
        leaves = node.leaves()
        if isinstance(expr, Atom) and isinstance(leaves[0].holds, Tally):
            return _CostLine(node, "counted", node.label, leaves[0].holds)
        terminal = any(leaf.kind != "instantaneous" for leaf in leaves)
        return _CostLine(node, "terminal" if terminal else "instantaneous", node.label)

    def begin(self, success_rule: str) -> None:
        """Start an episode at step 0. As published, what is scored succeeds at an instant, whatever the rule."""
        instant = success_rule != "hold" or (self._score is not None and self._compat == "paper")
        self._hold = 1 if instant else HOLD_STEPS
        if self._score is not None:
            self._score.begin()
        self.step = 0
        self._held = 0
        self.success = False
        self.success_time_s: float | None = None
        self.events: list[Event] = []
        self._goal.reset()
        self._subgoals_on = [False] * len(self._subgoals)
        for line in self._lines:
            line.node.reset()
            line.steps, line.on, line.first_s, line.severity = 0, False, None, 0.0

    def goal_holds(self) -> bool:
        """Whether the goal is true now, without advancing anything (a ``Then`` keeps its stage)."""
        return _peek(self._goal)

    def goal_atom_holds(self, atom: Atom) -> bool:
        """Whether one predicate is true now, be it of the goal or of another one in the same scene."""
        label = label_of(atom)
        leaves = [leaf for leaf in self._goal.leaves() if leaf.name == label]
        if not leaves and label not in self._asked:
            # Kept: what must last is counted from when it was first asked.
            self._asked[label] = bind(atom, self._scene, self._compat)
        return any(leaf.holds() for leaf in leaves or self._asked[label].leaves())

    def true_costs(self) -> list[str]:
        """Return the names of the cost expressions that are true now, without advancing anything."""
        return [line.name for line in self._lines if _peek(line.node)]

    def violation(self, name: str) -> Condition:
        """Return a condition: an instantaneous cost expression that names an entity is true now.

        As published (``compat="paper"``) only ``InContact`` with it as second and ``CheckGripperContact`` with it as
        first argument count.
        """
        terms = zip(self._terms, self._lines, strict=True)
        nodes = [line.node for expr, line in terms if line.kind == "instantaneous" and self._involves(expr, name)]
        return lambda: any(_peek(node) for node in nodes)

    def _involves(self, expr: Expr, name: str) -> bool:
        if self._compat == "paper":
            published = (("InContact", 1), ("CheckGripperContact", 0))
            return any(
                (a.predicate, i) in published for a in atoms_of(expr) for i, arg in enumerate(a.args) if arg == name
            )
        names = {name, *(region.full_name for region in self._scene.task.regions if region.target == name)}
        return any(arg in names for atom in atoms_of(expr) for arg in atom.args)

    def update(self, happened: Sequence[Event] = ()) -> tuple[float, tuple[Event, ...]]:
        """Account for the control step that has just ended; return its cost and what happened.

        ``happened`` is what others saw within the step.
        """
        self.step += 1
        now = self.step * CONTROL_DT
        first = len(self.events)
        self.events += happened
        cost = 0.0
        for line in self._lines:
            value = line.node.update()
            if value:
                cost += self._charge(line)
                line.grade()
                if line.first_s is None:
                    line.first_s = now
            if value != line.on:
                line.on = value
                self.events.append(Event(self.step, now, "cost_on" if value else "cost_off", line.name))
        if self._score is not None:
            self.events += self._score.update(self.step, now)
        self._update_goal(now)
        return cost, tuple(self.events[first:])

    @property
    def ended(self) -> bool:
        """Whether a fault has ended the episode before its time."""
        return self._score is not None and self._score.ended and not self.success

    def scores(self) -> Scores:
        """Return what a knowledge task scores besides success; nothing for other tasks."""
        if self._score is None:
            return Scores()
        true = sum(node.value for node in self._subgoals)
        return self._score.result(self.success, self.step * CONTROL_DT, len(self._subgoals), true)

    @staticmethod
    def _charge(line: _CostLine) -> float:
        """Account for one control step in which an expression is true; return what it costs now."""
        before = line.steps
        line.steps = before + 1 if line.tally is None else line.tally.count()
        return 0.0 if line.kind == "terminal" else float(line.steps - before)

    def _update_goal(self, now: float) -> None:
        goal = self._goal.update()
        for i, node in enumerate(self._subgoals):
            if node.value and not self._subgoals_on[i]:
                self.events.append(Event(self.step, now, "subgoal", node.label))
            self._subgoals_on[i] = node.value
        if goal and self._score is not None and self._score.faults(now):
            goal = False
        self._held = self._held + 1 if goal else 0
        if self._held >= self._hold and not self.success:
            self.success, self.success_time_s = True, now
            self.events.append(Event(self.step, now, "success"))

    def finish(self, happened: Sequence[Event] = ()) -> tuple[float, tuple[CostEntry, ...]]:
        """Evaluate terminal cost and return the total with its entries, in the order of the task file.

        ``happened`` is what counts only because the episode has ended.
        """
        entries = []
        now = self.step * CONTROL_DT
        self.events += happened
        for line in self._lines:
            if line.tally is not None:
                line.steps = line.tally.count()
            if line.kind == "terminal":
                # What the last step saw; asking a ``Then`` again would let it advance twice on one state.
                true_now = line.on if self.step else _peek(line.node)
                due = true_now and (self.success or self._compat != "paper")
                cost = TERMINAL_COST if due else 0.0
            else:
                cost = float(line.steps)
            first = line.first_s if cost else None
            if cost and first is None:
                first = now
            unit = next((leaf.unit for leaf in line.node.leaves() if leaf.unit), "")
            entries.append(
                CostEntry(line.name, line.kind, cost, line.steps, first, line.severity if cost else 0.0, unit)
            )
        return sum(entry.cost for entry in entries), tuple(entries)

    def state(self) -> MonitorState:
        """Return everything remembered, for exact restore."""
        memory = self._goal.memory()
        for line in self._lines:
            memory += line.node.memory()
        lines = tuple((line.steps, line.on, line.first_s, line.severity) for line in self._lines)
        return MonitorState(
            self.step, self._held, self.success, self.success_time_s, lines, tuple(memory), tuple(self._subgoals_on),
            tuple(self.events), None if self._score is None else self._score.state(),
        )  # fmt: skip

    def restore(self, state: MonitorState) -> None:
        self.step, self._held, self.success = state.step, state.held, state.success
        self.success_time_s, self.events = state.success_time_s, list(state.events)
        self._subgoals_on = list(state.subgoals_on)
        if self._score is not None and state.score is not None:
            self._score.restore(state.score)
        memory = list(state.memory)
        self._goal.recall(memory)
        for line, (steps, on, first, severity) in zip(self._lines, state.lines, strict=True):
            line.steps, line.on, line.first_s, line.severity = steps, on, first, severity
            line.node.recall(memory)


def _peek(node: Node) -> bool:
    """Evaluate a node and put its memory back."""
    memory = node.memory()
    value = node.update()
    node.recall(memory)
    return value


def _terms(cost: tuple[Expr, ...]) -> list[Expr]:
    """Split top-level conjunctions: in ``:cost``, ``And`` means the sum of."""
    terms: list[Expr] = []
    for expr in cost:
        terms += _terms(expr.items) if isinstance(expr, And) else [expr]
    return terms
