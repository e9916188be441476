"""Things in a row before the robot, and a receptacle behind them."""

from __future__ import annotations

from collections.abc import Sequence

from .._deal import Deal
from .._scene import Piece, SceneText, Spot
from ._furniture import fixture, receptacle

ROW_X = -0.26
ROW_WIDTH_M = 0.56
BEHIND_X = -0.01


def row_spots(
    deal: Deal, count: int, *, x: float = ROW_X, width: float = ROW_WIDTH_M, turn: float = 0.4, depth: float = 0.02
) -> list[Spot]:
    """Return ``count`` spots from left to right, each a little nearer or farther; ``turn`` is the largest yaw."""
    pitch = width / count
    slack = round(min(0.015, max(0.002, pitch / 2 - 0.052)), 4)
    return [
        Spot(round(x + deal.uniform(-depth, depth), 4), round(width / 2 - pitch * (i + 0.5), 4), 0.008, slack,
             (-turn, turn))
        for i in range(count)
    ]  # fmt: skip


def row(scene: SceneText, deal: Deal, pieces: Sequence[Piece], **values: float) -> tuple[str, ...]:
    """Put things in a row; return their names from left to right."""
    spots = row_spots(deal, len(pieces), **values)
    return tuple(scene.put(piece, spot) for piece, spot in zip(pieces, spots, strict=True))


def table_with(
    deal: Deal,
    pieces: Sequence[Piece],
    category: str,
    *,
    name: str = "",
    fixed: bool = False,
    turn: float = 0.4,
    width: float = ROW_WIDTH_M,
    **looks: str,
) -> tuple[SceneText, tuple[str, ...], str]:
    """Return the scene, the things' names from left to right, and that of the receptacle of ``category``."""
    deal = deal.of("scene")
    scene = SceneText()
    y = deal.uniform(-0.14, 0.14)
    if fixed:
        target = fixture(scene, deal, category, BEHIND_X, y, name=name)
    else:
        target = receptacle(scene, deal, category, BEHIND_X, y, name=name, **looks)
    return scene, row(scene, deal, pieces, turn=turn, width=width), target
