"""A real success rate from few real and many simulated episodes (prediction-powered inference; SureSim, 2510.04354).

mean = lambda mean(sim) + mean(real - lambda sim on the same layouts): unbiased whatever the simulator is worth, and
narrower the better it predicts. lambda is chosen for the smallest variance (PPI++), or fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Bools, Floats, as_vector, check_share
from ._errors import StatsError


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """Estimate with interval, beside the real episodes alone; ``saved`` is the share of real episodes it replaces."""

    mean: float
    low: float
    high: float
    real_mean: float
    real_low: float
    real_high: float
    weight: float
    correlation: float
    saved: float


def prediction_powered_mean(
    real: ArrayLike,
    sim_paired: ArrayLike,
    sim_only: ArrayLike,
    *,
    conf: float = 0.95,
    method: Literal["normal", "betting"] = "normal",
    weight: float | None = None,
) -> PredictionPowered:
    """Combine ``real`` scores with the simulator's on the same layouts and on further ones.

    ``normal`` is asymptotic, with the tuned weight; ``betting`` holds for every n: scores in [0, 1], weight 1 unless
    given, half of the error spent on each of the two means.
    """
    y, f, g = as_vector(real, "real"), as_vector(sim_paired, "sim_paired"), as_vector(sim_only, "sim_only")
    if y.size != f.size:
        raise StatsError(f"real has {y.size} episodes and sim_paired {f.size}: they must be the same layouts")
    if y.size < 2 or g.size < 2:
        raise StatsError("prediction-powered inference needs two or more real and simulated episodes")
    check_share(conf, "conf")
    n, m = y.size, g.size
    deviations = float(f.std() * y.std())
    covariance = float(np.mean((y - y.mean()) * (f - f.mean())))
    if weight is None:
        spread = float(np.var(np.concatenate([f, g]), ddof=1))
        tuned = covariance / (spread * (1 + n / m)) if spread > 0 else 0.0
        weight = min(1.0, max(0.0, tuned)) if method == "normal" else 1.0
    mean = float(weight * g.mean() + np.mean(y - weight * f))
    if method == "normal":
        z = NormalDist().inv_cdf((1 + conf) / 2)
        error = sqrt(weight**2 * float(g.var(ddof=1)) / m + float(np.var(y - weight * f, ddof=1)) / n)
        low, high = mean - z * error, mean + z * error
        alone = z * sqrt(float(y.var(ddof=1)) / n)
        real_low, real_high = float(y.mean() - alone), float(y.mean() + alone)
        saved = max(0.0, 1 - (error * z / alone) ** 2) if alone > 0 else 0.0
    elif method == "betting":
        half = (1 + conf) / 2
        sim = betting_interval(g, conf=half)
        gap = betting_interval((y - weight * f + weight) / (1 + weight), conf=half)
        low = weight * sim[0] + gap[0] * (1 + weight) - weight
        high = weight * sim[1] + gap[1] * (1 + weight) - weight
        real_low, real_high = betting_interval(y, conf=conf)
        saved = max(0.0, 1 - ((high - low) / (real_high - real_low)) ** 2) if real_high > real_low else 0.0
    else:
        raise StatsError(f"method is {method!r}: choose normal or betting")
    correlation = covariance / deviations if deviations > 0 else 0.0
    return PredictionPowered(mean, low, high, float(y.mean()), real_low, real_high, weight, correlation, saved)


def betting_interval(values: ArrayLike, *, conf: float = 0.95, n_grid: int = 1001) -> tuple[float, float]:
    """Return a finite-sample interval of the mean of scores in [0, 1]: hedged betting (Waudby-Smith and Ramdas 2024).

    Holds for every n and law. A candidate mean is kept while neither bettor against it has reached 2 / (1 - conf).
    """
    x = as_vector(values, "values")
    if x.size == 0 or x.min() < 0 or x.max() > 1:
        raise StatsError("values must be scores in [0, 1], at least one")
    alpha = 1 - check_share(conf, "conf")
    n = x.size
    count = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(x)) / (count + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (count + 1)
    before = np.concatenate(([0.25], variance[:-1]))
    stake = np.sqrt(2 * log(2 / alpha) / (n * before))
    grid = np.linspace(0.0, 1.0, n_grid)
    chunk = max(1, 4_000_000 // n)
    kept = np.concatenate([_survives(x, stake, grid[i : i + chunk, None], alpha) for i in range(0, n_grid, chunk)])
    if not kept.any():
        return float(x.mean()), float(x.mean())
    inside = np.flatnonzero(kept)
    step = grid[1]
    return max(0.0, float(grid[inside[0]] - step)), min(1.0, float(grid[inside[-1]] + step))


def _survives(x: Floats, stake: Floats, m: Floats, alpha: float) -> Bools:
    """Say for each candidate mean [k, 1] whether no bettor against it ever got rich enough."""
    up = np.minimum(stake, 0.5 / np.maximum(m, 1e-12))
    down = np.minimum(stake, 0.5 / np.maximum(1 - m, 1e-12))
    limit = log(2 / alpha)
    wealth_up = np.cumsum(np.log1p(up * (x - m)), axis=1).max(axis=1)
    wealth_down = np.cumsum(np.log1p(-down * (x - m)), axis=1).max(axis=1)
    return np.asarray((wealth_up < limit) & (wealth_down < limit))
