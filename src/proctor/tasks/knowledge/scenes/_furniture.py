"""Fixtures and receptacles that scenes share."""

from __future__ import annotations

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, Spot


def fixture(
    scene: SceneText,
    sampler: Sampler,
    category: str,
    x: float,
    y: float = 0.0,
    *,
    name: str = "",
    slack: float = 0.01,
    turn: float = 0.03,
    **looks: str,
) -> str:
    """Put a fixture about (x, y), its front to the robot, turned by at most ``turn`` radians; return its name."""
    stem = name or category
    number = 1 + sum(thing.piece.name.rpartition("_")[0] == stem for thing in scene.things)
    piece = ScenePiece(f"{stem}_{number}", category, sampler.instance(), looks)
    return scene.put(piece, Spot(x, y, slack, slack, (-turn, turn)), fixture=True)


def receptacle(
    scene: SceneText, sampler: Sampler, category: str, x: float, y: float, *, name: str = "", **looks: str
) -> str:
    """Put something movable that things are put into; return its name."""
    stem = name or category
    number = 1 + sum(thing.piece.name.rpartition("_")[0] == stem for thing in scene.things)
    piece = ScenePiece(f"{stem}_{number}", category, sampler.instance(), looks)
    return scene.put(piece, Spot(x, y, 0.012, 0.012, (-0.1, 0.1)))
