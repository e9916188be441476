"""Which object of the picture is which object of the reference: the cheapest assignment of all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._objects import Blob

# Cost of a step of Lab, of a pixel of distance, and of being e times larger.
_COLOUR, _PLACE, _SIZE = 2.0, 0.3, 30.0
# Beyond these two blobs are not the same object, wherever they lie.
_OTHER_COLOUR: Final = 28.0
_OTHER_SIZE: Final = 2.5
_NEVER: Final = 1e6


def match_blobs(expected: Sequence[Blob], seen: Sequence[Blob]) -> dict[int, int]:
    """Return index of an expected blob -> index of the seen one that it is; what has no partner is left out."""
    from scipy.optimize import linear_sum_assignment

    if not expected or not seen:
        return {}
    costs = np.array([[_cost(a, b) for b in seen] for a in expected])
    rows, columns = linear_sum_assignment(costs)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if costs[i, j] < _NEVER}


def overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Return the share that two masks have in common (intersection over union)."""
    union = int((one | other).sum())
    return int((one & other).sum()) / union if union else 0.0


def _cost(one: Blob, other: Blob) -> float:
    colour = float(np.linalg.norm(one.lab - other.lab))
    size = abs(math.log(one.area / other.area))
    if colour > _OTHER_COLOUR or size > math.log(_OTHER_SIZE):
        return _NEVER
    return _COLOUR * colour + _PLACE * float(np.linalg.norm(one.centre - other.centre)) + _SIZE * size
