"""Is the light that of the reference: brightness and tint of the bare floor in the four quarters of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from proctor.station.camera import Picture

from ._colours import to_lab
from ._floor import Floor
from ._objects import floor_pixels

QUARTERS: Final = ("upper left", "upper right", "lower left", "lower right")
_FEWEST_PX: Final = 200


@dataclass(frozen=True, slots=True)
class LightDifference:
    """Live less reference on one patch of floor: lightness (0 to 100) and tint (distance in Lab's a and b)."""

    where: str
    lightness: float
    tint: float


def light_differences(reference: Picture, live: Picture, floor: Floor) -> tuple[LightDifference, ...]:
    """Return the difference on each quarter of the floor that is bare in both pictures."""
    both = floor_pixels(reference, floor) & floor_pixels(live, floor)
    before, after = to_lab(reference), to_lab(live)
    rows, columns = np.nonzero(floor.mask())
    down, across = (int(values.min() + values.max()) // 2 for values in (rows, columns))
    cuts = [(slice(None, down), slice(None, across)), (slice(None, down), slice(across, None))]
    cuts += [(slice(down, None), slice(None, across)), (slice(down, None), slice(across, None))]
    found = []
    for where, cut in zip(QUARTERS, cuts, strict=True):
        patch = both[cut]
        if patch.sum() >= _FEWEST_PX:
            change = (after[cut][patch] - before[cut][patch]).mean(axis=0)
            found.append(LightDifference(where, float(change[0]), float(np.hypot(change[1], change[2]))))
    return tuple(found)
