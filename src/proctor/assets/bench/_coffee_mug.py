"""The mug of the bench: any of the six glazes, with a level of drink in it and a mouth that gives it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._grasps import loop
from .._model import Grasp, Material, Site, Spout, Visual
from .._mugs import FLOOR_M, blue_mug, green_mug, patterned_mug, porcelain_mug, red_coffee_mug, white_yellow_mug
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve

GLAZES: dict[str, Callable[[np.random.Generator], Asset]] = {
    "blue": blue_mug,
    "green": green_mug,
    "patterned": patterned_mug,
    "white": porcelain_mug,
    "red": red_coffee_mug,
    "yellow": white_yellow_mug,
}
FULL = 0.80
"""Height of the drink in a full mug, as a share of the mug's."""
LEANS_DEG = (25, 35, 15, 45, 5)
"""Leans of the hand at the handle, from the vertical: 15 degrees and more stay before a coffee machine's head."""


@category("mug", nouns=("mug", "coffee mug", "cup"), looks={"glaze": tuple(GLAZES)})
def mug(rng: np.random.Generator, glaze: str | None = None) -> Asset:
    """Mug, 67 to 81 mm across; its handle points to +x. Its drink is shown by the part ``fill``, level 1 = full."""
    made = GLAZES[glaze or sorted(GLAZES)[int(rng.integers(len(GLAZES)))]](rng)
    assert made.hollow is not None
    inner, h = float(made.hollow.inner(made.height_m)), made.height_m
    level = FULL * h
    drink = revolve(
        [
            (ON_AXIS_M, FLOOR_M + 0.0005),
            (inner - 0.0012, FLOOR_M + 0.0005),
            (inner - 0.0004, level),
            (ON_AXIS_M, level),
        ],
        24,
    )
    brown = Material((0.20, 0.11, 0.06), specular=0.5, shininess=0.8)
    handle = next(g for g in made.grasps if g.part == "handle")
    deep = (h - FLOOR_M) / 2
    half = inner - 0.002
    return replace(
        made,
        root=replace(made.root, visuals=(*made.root.visuals, Visual(drink, brown, "fill"))),
        sites=(
            Site("inside", "contain", (0.0, 0.0, FLOOR_M + deep), (half, half, deep)),
            Site("top", "place", (0.0, 0.0, FLOOR_M + deep + 0.025), (half, half, deep + 0.025)),
        ),
        grasps=(*loop(handle.position, handle.width_m, LEANS_DEG, "handle"), *_dearer(made.grasps)),
        spout=Spout((0.0, 0.0, h)),
        fill="fill",
    )


def _dearer(grasps: tuple[Grasp, ...]) -> tuple[Grasp, ...]:
    """Pinches of the rim cost more than the handle: a hand over the rim does not fit under a coffee machine's head."""
    return tuple(replace(grasp, cost=2.0) for grasp in grasps if grasp.part != "handle")
