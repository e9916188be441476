"""Group-sequential boundaries: how much of alpha may be spent by each planned look.

``obrien_fleming``  alpha*(t) = 4 (1 - Phi(z_(alpha/4) / sqrt t)), both sides: hardly anything early
``pocock``          alpha*(t) = alpha ln(1 + (e - 1) t): evenly
``linear``          alpha*(t) = alpha t
(Lan and DeMets 1983). Boundaries come from integrating the density of the score process over the paths not yet stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import e, log, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Floats, as_vector, check_share
from ._errors import StatsError

Spending = Literal["obrien_fleming", "pocock", "linear"]


@dataclass(frozen=True, slots=True)
class Looks:
    """For each look: the information fraction, alpha spent up to it, and |z| and the nominal p to stop at."""

    fractions: Floats
    spent: Floats
    z: Floats
    nominal_p: Floats


def alpha_spending(fractions: ArrayLike, alpha: float = 0.05, kind: Spending = "obrien_fleming") -> Looks:
    """Return two-sided boundaries for looks at the given fractions of the planned information."""
    t = as_vector(fractions, "fractions")
    check_share(alpha, "alpha")
    if t.size == 0 or t[0] <= 0 or t[-1] > 1 or np.any(np.diff(t) <= 0):
        raise StatsError("fractions must ascend within (0, 1]: they say how much of the plan each look has seen")
    normal = NormalDist()
    if kind == "obrien_fleming":
        quantile = normal.inv_cdf(1 - alpha / 4)
        spent = np.array([4 * (1 - normal.cdf(quantile / sqrt(x))) for x in t])
    elif kind == "pocock":
        spent = np.array([alpha * log(1 + (e - 1) * x) for x in t])
    elif kind == "linear":
        spent = alpha * t
    else:
        raise StatsError(f"kind is {kind!r}: choose obrien_fleming, pocock or linear")
    z = _boundaries(t, np.diff(spent, prepend=0.0))
    nominal = np.array([2 * (1 - normal.cdf(float(x))) for x in z])
    return Looks(t, spent, z, nominal)


def _boundaries(t: Floats, steps: Floats) -> Floats:
    """Return |z| boundaries so that the k-th look is the first to cross with probability ``steps[k]``."""
    reach, size = 8.0, 1001
    result = np.empty(t.size)
    points = np.zeros(1)
    density = np.ones(1)
    for k in range(t.size):
        width = sqrt(t[k] - (t[k - 1] if k else 0.0))
        scale = sqrt(t[k])
        tail = _Tail(points, density, width)
        low, high = 0.0, reach * scale
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) > steps[k] else (low, middle)
        edge = (low + high) / 2
        result[k] = edge / scale
        grid = np.linspace(-edge, edge, size)
        kernel = np.exp(-0.5 * ((grid[:, None] - points) / width) ** 2) / (width * sqrt(2 * np.pi))
        mass = density if density.size == 1 else density * _simpson(points)
        points, density = grid, kernel @ mass
    return result


class _Tail:
    """Probability to leave (-x, x) at the next look, from the density of paths still inside."""

    def __init__(self, points: Floats, density: Floats, width: float) -> None:
        self._points, self._width = points, width
        self._mass = density if density.size == 1 else density * _simpson(points)

    def __call__(self, x: float) -> float:
        from scipy.special import ndtr

        out = ndtr((-x - self._points) / self._width) + ndtr((self._points - x) / self._width)
        return float(self._mass @ out)


def _simpson(points: Floats) -> Floats:
    weights = np.ones(points.size)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    return np.asarray(weights * (points[1] - points[0]) / 3)
