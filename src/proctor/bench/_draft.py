"""What a recipe makes of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._proof import Proof
from ._scene import SceneText
from ._tasks import Subgoal
from ._translate import Bindings


@dataclass(slots=True)
class Draft:
    """What a recipe makes of a deal. Goal, sub-goals and intention targets are the task's own unless given."""

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
