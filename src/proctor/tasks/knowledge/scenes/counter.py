"""Bottles before a pan: a bottle is gripped from the robot's side and tipped forward, so the pan stands beyond."""

from __future__ import annotations

from collections.abc import Sequence

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, Spot
from ._furniture import fixture
from .table import row

BOTTLES_X, PAN_X = -0.22, 0.02


def counter(
    sampler: Sampler, bottles: Sequence[ScenePiece], *, column: bool = False, pan_y: float | None = None
) -> tuple[SceneText, tuple[str, ...], str]:
    """Return a scene with bottles from left to right (in a column: from near to far) and a pan; names of both."""
    sampler = sampler.of("scene")
    scene = SceneText()
    y = sampler.uniform(-0.10, 0.10) if pan_y is None else pan_y
    if column:
        side = 1 if sampler.rng.integers(2) else -1
        pan = fixture(scene, sampler, "pan", PAN_X, round(-0.12 * side, 4))
        xs = [round(-0.33 + 0.105 * i, 4) for i in range(len(bottles))]
        spots = [Spot(x, round(0.16 * side, 4), 0.006, 0.01, (-0.1, 0.1)) for x in xs]
        names = tuple(scene.put(piece, spot) for piece, spot in zip(bottles, spots, strict=True))
        return scene, names, pan
    pan = fixture(scene, sampler, "pan", PAN_X, y)
    return scene, row(scene, sampler, bottles, x=BOTTLES_X, width=0.52, turn=0.1), pan
