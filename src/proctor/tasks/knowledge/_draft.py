"""What a recipe makes of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._scene import SceneText
from ._tasks import Subgoal
from ._template import Bindings
from .facts import Proof


@dataclass(slots=True)
class Draft:
    """An episode in parts. Goal, sub-goals and intention targets are the task's own unless given.

    ``target`` is what the question asks for, in the words that balance is counted by. ``also`` are the proofs of what
    else the instruction points at (the box, the vase, the pocket).
    """

    scene: SceneText
    instruction: str
    bindings: Bindings
    proof: Proof
    target: str
    faults: Sequence[str] = ()
    goal: str = ""
    subgoals: Sequence[Subgoal] = ()
    intent: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    also: Sequence[Proof] = ()
