"""Confidence intervals for a proportion."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(k: int, n: int, conf: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a success probability after ``k`` successes in ``n`` trials.

    The interval holds every p whose score test at level 1 - conf does not reject k/n. With z = Φ⁻¹((1 + conf) / 2)
    and p̂ = k/n::

        (p̂ + z²/2n  ±  z √(p̂(1-p̂)/n + z²/4n²)) / (1 + z²/n)

    It stays inside [0, 1], never collapses to a point at k = 0 or k = n, and covers close to ``conf`` even for ten
    trials, where p̂ ± z·s.e. does not. Without trials nothing is known: ``wilson(0, 0) == (0.0, 1.0)``.

    Source: E. B. Wilson, JASA 22 (1927) 209–212; Brown, Cai and DasGupta, Statistical Science 16 (2001) 101–133.
    """
    if n < 0 or not 0 <= k <= n:
        raise ValueError(f"wilson needs 0 <= k <= n, not k={k}, n={n}")
    if not 0.0 < conf < 1.0:
        raise ValueError(f"wilson needs 0 < conf < 1, not conf={conf}")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1.0 + conf) / 2.0)
    p = k / n
    centre = p + z * z / (2 * n)
    half = z * sqrt(p * (1.0 - p) / n + z * z / (4 * n * n))
    scale = 1.0 + z * z / n
    # The ends are exact in theory; rounding would put them 1e-17 outside.
    low = 0.0 if k == 0 else (centre - half) / scale
    high = 1.0 if k == n else (centre + half) / scale
    return low, high


# Intervals of bounded means from few episodes: one made-up episode at each end of the range, then the normal interval.
#
# For a success rate this is Agresti and Caffo's rule (2000), which rescues the normal interval where failures are
# rare or not seen yet and resampling claims certainty. Here it serves any episode-clustered mean with range [0,
# span], such as a restricted mean with span tau: the n episodes have mean m and variance n se^2, the two extra ones
# lie at 0 and at span. Pairs get Agresti and Min's form (2005): differences of 0 with weight 1, +span and -span with
# weight 1/2 each.


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
