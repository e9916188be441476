"""A thing before it has a place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .._scene import SceneText, Spot


@dataclass(frozen=True, slots=True)
class Piece:
    """What to put somewhere: category, instance seed, looks, and the word its entity is named by."""

    category: str
    seed: int
    look: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def put(
        self,
        scene: SceneText,
        where: Spot | str,
        *,
        fixture: bool = False,
        relation: Literal["On", "In"] = "On",
    ) -> str:
        """Add the piece to a scene; return its entity name."""
        return scene.add(
            self.category, where, seed=self.seed, name=self.name, fixture=fixture, relation=relation, look=self.look
        )
