"""Things in a row before the robot, and a receptacle behind them."""

from __future__ import annotations

from collections.abc import Sequence

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, Spot
from ._furniture import fixture, receptacle

ROW_X = -0.26
ROW_WIDTH_M = 0.56
BEHIND_X = -0.01


def row_spots(
    sampler: Sampler,
    count: int,
    *,
    x: float = ROW_X,
    width: float = ROW_WIDTH_M,
    turn: float = 0.4,
    depth: float = 0.02,
) -> list[Spot]:
    """Return ``count`` spots from left to right, each a little nearer or farther; ``turn`` is the largest yaw."""
    pitch = width / count
    slack = round(min(0.015, max(0.002, pitch / 2 - 0.052)), 4)
    return [
        Spot(round(x + sampler.uniform(-depth, depth), 4), round(width / 2 - pitch * (i + 0.5), 4), 0.008, slack,
             (-turn, turn))
        for i in range(count)
    ]  # fmt: skip


def row(scene: SceneText, sampler: Sampler, pieces: Sequence[ScenePiece], **values: float) -> tuple[str, ...]:
    """Put things in a row; return their names from left to right."""
    spots = row_spots(sampler, len(pieces), **values)
    return tuple(scene.put(piece, spot) for piece, spot in zip(pieces, spots, strict=True))


def table_with(
    sampler: Sampler,
    pieces: Sequence[ScenePiece],
    category: str,
    *,
    name: str = "",
    fixed: bool = False,
    turn: float = 0.4,
    width: float = ROW_WIDTH_M,
    **looks: str,
) -> tuple[SceneText, tuple[str, ...], str]:
    """Return the scene, the things' names from left to right, and that of the receptacle of ``category``."""
    sampler = sampler.of("scene")
    scene = SceneText()
    y = sampler.uniform(-0.14, 0.14)
    if fixed:
        target = fixture(scene, sampler, category, BEHIND_X, y, name=name)
    else:
        target = receptacle(scene, sampler, category, BEHIND_X, y, name=name, **looks)
    return scene, row(scene, sampler, pieces, turn=turn, width=width), target
