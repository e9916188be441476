"""What a session needs to know of a scene; any test scene can be one, not only the 90."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.station.scene import Scene


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A scene as the operator sees it. ``level`` and ``split`` go into the rows; ``items``: how many to place."""

    id: str
    name: str
    instruction: str
    criterion: str
    level: str = ""
    split: str = ""
    items: int = 1

    @classmethod
    def of(cls, scene: Scene, items: int = 1) -> SceneCard:
        """Make the card of one of the 90 scenes; its id is the number of Table C.1."""
        return cls(str(scene.id), scene.name, scene.instruction, scene.task.criterion, scene.level, scene.split, items)
