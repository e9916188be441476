"""Things in a row before the robot, and a receptacle behind them."""

from __future__ import annotations

from collections.abc import Sequence

from .._deal import Deal
from .._scene import SceneText, Spot
from ._piece import Piece

ROW_X = -0.25
ROW_WIDTH_M = 0.54
BEHIND_X = -0.02


def row_spots(deal: Deal, count: int, *, x: float = ROW_X, width: float = ROW_WIDTH_M, turn: float = 0.5) -> list[Spot]:
    """Return ``count`` spots from left to right, with the row's depth drawn; ``turn`` is the largest yaw either way."""
    pitch = width / count
    depth = [deal.uniform(-0.025, 0.025) for _ in range(count)]
    slack = min(0.02, pitch / 2 - 0.05)
    return [
        Spot(round(x + depth[i], 4), round(width / 2 - pitch * (i + 0.5), 4), 0.01, round(slack, 4), (-turn, turn))
        for i in range(count)
    ]


def table_with(deal: Deal, things: Sequence[Piece], receptacle: Piece) -> tuple[SceneText, tuple[str, ...], str]:
    """Return the scene, the things' names from left to right, and the receptacle's."""
    deal = deal.of("scene")
    scene = SceneText()
    where = Spot(BEHIND_X, deal.uniform(-0.16, 0.16), 0.015, 0.015, (-0.15, 0.15))
    target = receptacle.put(scene, where)
    spots = row_spots(deal, len(things))
    return scene, tuple(piece.put(scene, spot) for piece, spot in zip(things, spots, strict=True)), target
