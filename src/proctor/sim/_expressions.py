"""Goal and cost expressions bound to a scene.

``And``, ``Or``, ``Not`` are what they say. ``Then g1 g2 ... gn`` remembers how far it has come: stage i is reached when
g_i *becomes* true after stage i-1 was reached, so doing the second thing first does not count; the whole is true while
g_n holds and every stage was reached. ``Once``, ``OnceAfter`` and ``Seq`` stay true once they have become so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from proctor.tasks.cbddl import And, Atom, Expr, Not, Once, OnceAfter, Or, Seq, Then

from ._scene import Scene
from .predicates import Compiled, compile_atom, pressing


class Node(Protocol):
    """A bound expression. ``update`` is called once per control step and leaves its result in ``value``."""

    label: str
    value: bool

    def update(self) -> bool:
        """Advance memory and return the value now."""
        ...

    def reset(self) -> None: ...

    def leaves(self) -> list[Compiled]: ...

    def memory(self) -> list[int]:
        """Return what must be saved to continue from here."""
        ...

    def recall(self, memory: list[int]) -> None:
        """Take back, from the front of ``memory``, what `memory` returned."""
        ...


class Leaf:
    """A single predicate."""

    def __init__(self, compiled: Compiled) -> None:
        self.label = compiled.name
        self.value = False
        self._compiled = compiled

    def update(self) -> bool:
        """Return the predicate's value."""
        self.value = self._compiled.holds()
        return self.value

    def reset(self) -> None:
        """Nothing to forget."""

    def leaves(self) -> list[Compiled]:
        return [self._compiled]

    def memory(self) -> list[int]:
        return []

    def recall(self, memory: list[int]) -> None:
        """A leaf remembers nothing."""


class Junction:
    """``And``, ``Or`` or ``Not`` over other nodes. All parts are updated, so that a ``Then`` inside never misses a
    step.
    """

    def __init__(self, word: str, parts: Sequence[Node]) -> None:
        self.label = f"{word} " + " ".join(f"({part.label})" for part in parts)
        self.value = False
        self.word = word
        self.parts = list(parts)

    def update(self) -> bool:
        values = [part.update() for part in self.parts]
        if self.word == "And":
            self.value = all(values)
        else:
            self.value = any(values) if self.word == "Or" else not values[0]
        return self.value

    def reset(self) -> None:
        for part in self.parts:
            part.reset()

    def leaves(self) -> list[Compiled]:
        return [leaf for part in self.parts for leaf in part.leaves()]

    def memory(self) -> list[int]:
        return [value for part in self.parts for value in part.memory()]

    def recall(self, memory: list[int]) -> None:
        """Hand the memory to the parts in order."""
        for part in self.parts:
            part.recall(memory)


class Ordered(Junction):
    """``Then``: stages in order."""

    def __init__(self, parts: Sequence[Node]) -> None:
        super().__init__("Then", parts)
        self.reached = 0
        self._armed = True

    def update(self) -> bool:
        """Advance at most one stage, and say whether the last one holds with all before it reached."""
        values = [part.update() for part in self.parts]
        if self.reached < len(values):
            if values[self.reached] and self._armed:
                self.reached += 1
                self._armed = self.reached < len(values) and not values[self.reached]
            elif not values[self.reached]:
                self._armed = True
        self.value = self.reached == len(values) and values[-1]
        return self.value

    def reset(self) -> None:
        """Start again at the first stage."""
        super().reset()
        self.reached, self._armed = 0, True

    def memory(self) -> list[int]:
        """Return the stage, whether the next one may begin, then the parts' memories."""
        return [self.reached, int(self._armed), *super().memory()]

    def recall(self, memory: list[int]) -> None:
        """Take back what `memory` returned."""
        self.reached, self._armed = memory.pop(0), bool(memory.pop(0))
        super().recall(memory)


class Remembered(Junction):
    """``Once p``: p was true at some step. ``OnceAfter p q``: p *became* true at a step at which q was true."""

    def __init__(self, parts: Sequence[Node]) -> None:
        super().__init__("Once" if len(parts) == 1 else "OnceAfter", parts)
        self._latched = self._was = False

    def update(self) -> bool:
        """Latch."""
        what, *condition = [part.update() for part in self.parts]
        risen = what and not (self._was and condition)
        self._latched = self._latched or (risen and all(condition))
        self._was = what
        self.value = self._latched
        return self.value

    def reset(self) -> None:
        super().reset()
        self._latched = self._was = False

    def memory(self) -> list[int]:
        """Return whether it has latched and the last value, then the parts' memories."""
        return [int(self._latched), int(self._was), *super().memory()]

    def recall(self, memory: list[int]) -> None:
        """Take back what `memory` returned."""
        self._latched, self._was = bool(memory.pop(0)), bool(memory.pop(0))
        super().recall(memory)


class InSequence(Junction):
    """``Seq``: the steps at which the parts first were true strictly increase; true once the last one was."""

    def __init__(self, parts: Sequence[Node]) -> None:
        super().__init__("Seq", parts)
        self._step = 0
        self._first = [-1] * len(parts)

    def update(self) -> bool:
        """Note the first step of each part."""
        for i, part in enumerate(self.parts):
            if part.update() and self._first[i] < 0:
                self._first[i] = self._step
        self._step += 1
        pairs = zip(self._first, self._first[1:], strict=False)
        self.value = self._first[0] >= 0 and all(earlier < later for earlier, later in pairs)
        return self.value

    def reset(self) -> None:
        super().reset()
        self._step, self._first = 0, [-1] * len(self.parts)

    def memory(self) -> list[int]:
        """Return the step and the first steps, then the parts' memories."""
        return [self._step, *self._first, *super().memory()]

    def recall(self, memory: list[int]) -> None:
        """Take back what `memory` returned."""
        self._step = memory.pop(0)
        self._first = [memory.pop(0) for _ in self.parts]
        super().recall(memory)


def bind(expr: Expr, scene: Scene, compat: str) -> Node:
    """Bind an expression of the task file to a scene."""
    match expr:
        case Atom():
            return Leaf(compile_atom(expr, scene, compat))
        case And(items):
            return Junction("And", [bind(item, scene, compat) for item in items])
        case Or(items):
            return Junction("Or", [bind(item, scene, compat) for item in items])
        case Not(item):
            return Junction("Not", [bind(item, scene, compat)])
        case Then(items):
            return Ordered([bind(item, scene, compat) for item in items])
        case Once(item):
            return Remembered([bind(item, scene, compat)])
        case OnceAfter(item, after):
            return Remembered([_moment(item, scene, compat), bind(after, scene, compat)])
        case Seq(items):
            return InSequence([bind(item, scene, compat) for item in items])


def _moment(expr: Expr, scene: Scene, compat: str) -> Node:
    """Bind what is to happen at a moment. ``Pressed`` is remembered; here each press counts, not the first alone."""
    if isinstance(expr, Atom) and expr.predicate == "Pressed":
        return Leaf(pressing(scene, expr))
    return bind(expr, scene, compat)


def subgoals(node: Node) -> list[Node]:
    """Return the parts that are reported as sub-goals: the conjuncts or stages of the goal, or the goal itself."""
    if isinstance(node, Junction) and node.word in ("And", "Then"):
        return [leaf for part in node.parts for leaf in subgoals(part)]
    return [node]
