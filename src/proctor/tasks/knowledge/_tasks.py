"""The 100 tasks as data: goal, sub-goals and reference plan in terms of variables that a draw binds.

``tasks.json`` is the machine-readable twin of the specification (VLABench re-implementation, section 1). Names that
begin with ``$`` are drawn per episode; other names stand for the things of the scene.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from proctor.core import did_you_mean

from ._errors import KnowledgeError

# Difficulty = 100 (0.25 v + 0.40 s + 0.35 r) with v = log2(1 + V) / 12, s = S / 12, r = R / 6, each at most 1.
_WEIGHTS = (0.25, 0.40, 0.35)
_LEVELS = (25.0, 35.0, 50.0, 65.0)


@dataclass(frozen=True, slots=True)
class KnowledgeSubgoal:
    """One node of the progress graph: a predicate, what must come first, and the skill calls that bring it about."""

    id: str
    predicate: str
    after: tuple[str, ...]
    calls: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a task is to think about: variants, skill calls, reasoning steps, and the level they amount to."""

    variants: int
    calls: int
    reasoning: int

    @property
    def score(self) -> float:
        """Return 0 to 100 (specification, section 4.5)."""
        parts = (math.log2(1 + self.variants) / 12, self.calls / 12, self.reasoning / 6)
        return 100 * sum(weight * min(1.0, part) for weight, part in zip(_WEIGHTS, parts, strict=True))

    @property
    def level(self) -> int:
        """Return 1 to 5."""
        return 1 + sum(round(self.score, 1) >= bound for bound in _LEVELS)


@dataclass(frozen=True, slots=True)
class KnowledgeTask:
    """One task of the catalogue. ``feasibility`` says how hard it is for the hand, ``difficulty`` for the head."""

    id: str
    slug: str
    kind: Literal["primitive", "composite"]
    title: str
    dimensions: tuple[str, ...]
    goal: str
    subgoals: tuple[KnowledgeSubgoal, ...]
    intent: tuple[str, ...]
    categories: tuple[str, ...]
    uniqueness: str
    reasoning: str
    feasibility: Literal["easy", "medium", "hard"]
    difficulty: Difficulty

    @property
    def calls(self) -> tuple[str, ...]:
        """The reference plan, in order."""
        return tuple(call for node in self.subgoals for call in node.calls)

    @property
    def max_steps(self) -> int:
        """Control steps of the nominal plan: 20 Hz times 15 s and 10 s per skill call (section 0.3)."""
        return limit_steps(len(self.calls))


def limit_steps(calls: int) -> int:
    """Return the time limit of a plan in control steps."""
    return 20 * (15 + 10 * calls)


@cache
def knowledge_tasks() -> dict[str, KnowledgeTask]:
    """Return all tasks by slug, in the order of the catalogue."""
    entries = json.loads(files(__package__).joinpath("tasks.json").read_text(encoding="utf-8"))["tasks"]
    return {entry["slug"]: _task(entry) for entry in entries}


def knowledge_task(name: str) -> KnowledgeTask:
    """Return a task by slug or id (``P01``)."""
    tasks = knowledge_tasks()
    found = tasks.get(name) or next((task for task in tasks.values() if task.id == name), None)
    if found is None:
        raise KnowledgeError(
            f"unknown knowledge task {name!r}{did_you_mean(name, tasks)}; `proctor knowledge ls` lists them"
        )
    return found


def _task(entry: dict[str, Any]) -> KnowledgeTask:
    return KnowledgeTask(
        id=entry["id"],
        slug=entry["slug"],
        kind=entry["kind"],
        title=entry["title"],
        dimensions=tuple(entry["dimensions"]),
        goal=entry["goal"],
        subgoals=tuple(
            KnowledgeSubgoal(
                node["id"], node["pred"], tuple(node["after"]), tuple(node["calls"]), float(node.get("weight", 1.0))
            )
            for node in entry["subgoals"]
        ),
        intent=tuple(entry["intention_targets"]),
        categories=tuple(entry["categories"]),
        uniqueness=entry["uniqueness"],
        reasoning=entry["reasoning"],
        feasibility=entry["feasibility"],
        difficulty=Difficulty(entry["variants"], entry["substeps"], entry["reasoning_steps"]),
    )
