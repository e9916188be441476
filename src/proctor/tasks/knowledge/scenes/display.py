"""Things to choose by pressing: samples on pedestals or paintings on easels, a button before each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from ._furniture import fixture

PEDESTAL_X, BUTTON_X, EASEL_X = 0.03, -0.16, 0.02


def _columns(count: int) -> list[float]:
    pitch = 0.60 / count
    return [round(pitch * ((count - 1) / 2 - i), 4) for i in range(count)]


def pedestals(sampler: Sampler, samples: Sequence[ScenePiece]) -> tuple[SceneText, tuple[str, ...], tuple[str, ...]]:
    """Return a scene with a sample on each pedestal and a button before it, and the samples' and buttons' names."""
    sampler = sampler.of("scene")
    scene = SceneText()
    names, buttons = [], []
    colour = sampler.choice(("red", "green", "blue", "yellow"))
    for sample, y in zip(samples, _columns(len(samples)), strict=True):
        stand = fixture(scene, sampler, "pedestal", PEDESTAL_X, y, slack=0.004)
        where = SitePlace(f"{stand}/top", Spot(0.0, 0.0, 0.002, 0.002, (-0.05, 0.05)), (PEDESTAL_X, y), stand)
        names.append(scene.put(sample, where))
        buttons.append(fixture(scene, sampler, "button", BUTTON_X, y, slack=0.006, color=colour))
    return scene, tuple(names), tuple(buttons)


def easels(sampler: Sampler, paintings: Sequence[ScenePiece]) -> tuple[SceneText, tuple[str, ...], tuple[str, ...]]:
    """Return a scene with paintings upright before the robot and a button before each, and both their names."""
    sampler = sampler.of("scene")
    scene = SceneText()
    names, buttons = [], []
    colour = sampler.choice(("red", "green", "blue", "yellow"))
    for painting, y in zip(paintings, _columns(len(paintings)), strict=True):
        standing = replace(painting, looks={**painting.looks, "stand": "easel"})
        names.append(scene.put(standing, Spot(EASEL_X, y, 0.005, 0.005, (-0.03, 0.03)), fixture=True))
        buttons.append(fixture(scene, sampler, "button", BUTTON_X, y, slack=0.006, color=colour))
    return scene, tuple(names), tuple(buttons)
