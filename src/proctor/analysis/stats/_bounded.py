"""Intervals of bounded means from few episodes: one made-up episode at each end of the range, then the normal interval.

For a success rate this is Agresti and Caffo's rule (2000), which rescues the normal interval where failures are rare or
not seen yet and resampling claims certainty. Here it serves any episode-clustered mean with range [0, span], such as a
restricted mean with span tau: the n episodes have mean m and variance n se^2, the two extra ones lie at 0 and at span.
Pairs get Agresti and Min's form (2005): differences of 0 with weight 1, +span and -span with weight 1/2 each.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def plus_one(mean: float, error: float, n: int, span: float) -> tuple[float, float]:
    """Return mean and standard error after adding one episode at 0 and one at ``span``."""
    centre = (n * mean + span) / (n + 2)
    squares = n * (n * error**2) + n * (mean - centre) ** 2 + centre**2 + (span - centre) ** 2
    return centre, sqrt(squares) / (n + 2)


def plus_pair(mean: float, error: float, n: int, span: float) -> tuple[float, float]:
    """Return mean and standard error of paired differences after adding two pairs: 0, and half of each extreme."""
    centre = n * mean / (n + 2)
    squares = n * (n * error**2) + n * (mean - centre) ** 2 + centre**2
    squares += ((span - centre) ** 2 + (span + centre) ** 2) / 2
    return centre, sqrt(squares) / (n + 2)


def around(centre: float, error: float, conf: float, low: float, high: float) -> tuple[float, float]:
    """Return the normal interval, kept inside [low, high]."""
    reach = NormalDist().inv_cdf((1 + conf) / 2) * error
    return max(low, centre - reach), min(high, centre + reach)
