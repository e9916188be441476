"""``drink``: fourteen drinks in a can, a bottle, a carton or a cup; word, icon and colours on the label, no brand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._model import Vec3
from .._registry import Asset, category
from .._texture import varied
from . import _icons as icons
from ._icons import Icon
from ._vessels_labelled import bottle, can, carton, cup, label

CONTAINERS = ("can", "bottle", "carton", "cup")


@dataclass(frozen=True, slots=True)
class _Brew:
    """How a drink is dressed: label colour, bands, the liquid that glass shows, the drawing, the usual container."""

    ground: Vec3
    band: Vec3
    liquid: Vec3
    icon: Icon
    usual: str


BREWS: dict[str, _Brew] = {
    "cola": _Brew((0.60, 0.07, 0.08), (0.94, 0.92, 0.88), (0.16, 0.07, 0.04), icons.bubbles, "can"),
    "orange juice": _Brew((0.97, 0.66, 0.16), (0.30, 0.56, 0.20), (0.95, 0.58, 0.10), icons.orange, "carton"),
    "tomato juice": _Brew((0.95, 0.90, 0.80), (0.76, 0.14, 0.10), (0.72, 0.12, 0.08), icons.tomato, "carton"),
    "milk": _Brew((0.95, 0.96, 0.98), (0.20, 0.40, 0.72), (0.96, 0.95, 0.92), icons.milk, "carton"),
    "still water": _Brew((0.78, 0.90, 0.97), (0.20, 0.50, 0.80), (0.74, 0.88, 0.95), icons.water, "bottle"),
    "sparkling water": _Brew((0.16, 0.46, 0.42), (0.80, 0.92, 0.90), (0.62, 0.86, 0.82), icons.fizz, "bottle"),
    "black coffee": _Brew((0.24, 0.15, 0.10), (0.72, 0.52, 0.32), (0.12, 0.07, 0.04), icons.bean, "cup"),
    "energy drink": _Brew((0.10, 0.11, 0.14), (0.60, 0.84, 0.16), (0.80, 0.88, 0.24), icons.bolt, "can"),
    "beer": _Brew((0.86, 0.66, 0.22), (0.36, 0.20, 0.08), (0.36, 0.18, 0.05), icons.beer, "bottle"),
    "red wine": _Brew((0.93, 0.88, 0.76), (0.42, 0.06, 0.14), (0.16, 0.03, 0.06), icons.wine, "bottle"),
    "grape juice": _Brew((0.44, 0.22, 0.56), (0.86, 0.80, 0.92), (0.34, 0.10, 0.36), icons.grapes, "bottle"),
    "lemonade": _Brew((0.98, 0.90, 0.34), (0.24, 0.58, 0.30), (0.94, 0.92, 0.62), icons.lemon, "can"),
    "sports drink": _Brew((0.12, 0.40, 0.78), (0.96, 0.96, 0.96), (0.22, 0.62, 0.88), icons.dumbbell, "bottle"),
    "yoghurt drink": _Brew((0.97, 0.80, 0.86), (0.80, 0.24, 0.44), (0.97, 0.90, 0.92), icons.spoon, "bottle"),
}
CAPS: tuple[Vec3, ...] = (
    (0.93, 0.93, 0.92),
    (0.15, 0.16, 0.18),
    (0.80, 0.14, 0.12),
    (0.16, 0.36, 0.70),
    (0.84, 0.66, 0.20),
)


@category("drink", nouns=("drink",), looks={"kind": tuple(BREWS), "container": CONTAINERS})
def drink(rng: np.random.Generator, kind: str = "", container: str = "") -> Asset:
    """A drink; ``container`` is the one it is usually sold in unless asked for."""
    kind = kind or list(BREWS)[int(rng.integers(len(BREWS)))]
    brew = BREWS[kind]
    ground, band = varied(rng, brew.ground, 0.02), varied(rng, brew.band, 0.025)
    art = label(ground, band, kind, brew.icon, rng)
    cap = CAPS[int(rng.integers(len(CAPS)))]
    container = container or brew.usual
    if container == "can":
        plan = can(rng, art)
    elif container == "bottle":
        plan = bottle(rng, art, varied(rng, brew.liquid, 0.015), cap, glass=kind in ("beer", "red wine"))
    elif container == "carton":
        plan = carton(rng, art, ground, band)
    else:
        plan = cup(rng, art, cap)
    return replace(plan, nouns=(kind, container))
