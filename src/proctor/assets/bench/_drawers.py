"""The cabinet of the bench suite: three drawers that face the robot.

Joints ``bottom``, ``middle``, ``top``: 0 closed, up to 0.16 m open; sites ``bottom_region`` and so on lie in the
drawers, ``top_side`` on the lid.
"""

from __future__ import annotations

import numpy as np

from .._cabinet import LAYERS, chest, painted
from .._containers import MAPLE, OAK, WALNUT, timber
from .._model import IDENTITY, Material
from .._registry import Asset, category
from .._texture import pick, varied

PAINTS = ((0.93, 0.925, 0.905), (0.52, 0.62, 0.66), (0.60, 0.66, 0.56), (0.78, 0.62, 0.52))


@category("cabinet", nouns=("cabinet", "chest of drawers"))
def cabinet(rng: np.random.Generator) -> Asset:
    """Three drawers, 30 cm wide and 7 cm deep inside, in wood or paint, with upright bars of brass, iron or steel."""
    kind = int(rng.integers(5))
    front = timber(rng, (OAK, WALNUT, MAPLE)[kind]) if kind < 3 else painted(rng, pick(rng, PAINTS))
    metal = pick(rng, ((0.80, 0.62, 0.27), (0.16, 0.16, 0.17), (0.70, 0.71, 0.73)))
    bars = Material(varied(rng, metal, 0.02), specular=0.8, shininess=0.7)
    return chest(LAYERS, front, timber(rng, MAPLE, 8), bars, open_above_m=0.12, facing_wxyz=IDENTITY)
