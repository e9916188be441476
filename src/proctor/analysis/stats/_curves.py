"""Curves beside one another: P-P, Q-Q, the probability of being first, and bands that hold for all times at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _engine as engine
from ._bootstrap import draw_counts, generator
from ._cells import make_cells, whole
from ._checks import Floats, StatsError, as_vector, check_count, check_share, check_tau
from ._intervals import wilson
from ._operations import Operations
from ._survival import Estimator, KaplanMeier


@dataclass(frozen=True, slots=True)
class Band:
    """F(t) averaged over strata on ``times`` [s], with a band that covers the whole curve with probability ``conf``."""

    times: Floats
    cdf: Floats
    low: Floats
    high: Floats
    conf: float


def cdf_band(
    arm: Operations,
    *,
    tau: float,
    times: ArrayLike | None = None,
    conf: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    estimator: Estimator = "pooled",
) -> Band:
    """Return the macro CDF with a simultaneous band: F +- c, c the ``conf`` quantile of sup |F* - F| over resamples.

    Episodes are resampled within strata. The width is the same at all times, so the band also holds where no success
    has been seen yet and resampling alone would claim certainty.
    """
    tau = check_tau(tau)
    check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=2)
    grid = np.linspace(0.0, tau, 101) if times is None else as_vector(times, "times")
    if grid.size == 0 or np.any(np.diff(grid) < 0) or grid[0] < 0 or grid[-1] > tau:
        raise StatsError("times must be ascending from 0 to tau: they are where the band is drawn")
    cells = make_cells(arm, tau, estimator, pooled=False)
    centre, drawn = np.zeros(grid.size), np.zeros((grid.size, n_resamples))
    for place, cell in enumerate(cells.values()):
        centre += engine.weigh_one(cell.layout, grid, tau, whole(cell))[1:, 0] / len(cells)
        counts = draw_counts(cell.size, n_resamples, generator(seed, place, 0))
        drawn += engine.weigh_one(cell.layout, grid, tau, counts)[1:] / len(cells)
    c = float(np.quantile(np.max(np.abs(drawn - centre[:, None]), axis=0), conf))
    if c == 0:
        # All episodes alike, as when none ever succeeds: what was not seen is bounded by Wilson, not by resampling.
        c = wilson(0, arm.n_episodes, conf)[1]
    return Band(grid, centre, np.clip(centre - c, 0, 1), np.clip(centre + c, 0, 1), conf)


def pp_curve(curve: KaplanMeier, reference: KaplanMeier, *, tau: float | None = None) -> tuple[Floats, Floats]:
    """Return (F_reference(t), F(t)) as t runs to ``tau``: the diagonal is equal speed, above it faster.

    The largest vertical distance to the diagonal is the KS distance (sqrt 2 times the perpendicular one).
    """
    grid = _union(curve, reference, tau)
    return reference.cdf_at(grid), curve.cdf_at(grid)


def qq_curve(curve: KaplanMeier, reference: KaplanMeier, *, n: int = 99) -> tuple[Floats, Floats]:
    """Return (reference's time, curve's time) at matched shares done, up to the last share both reach."""
    top = min(1.0 - float(c.survival[-1]) if c.survival.size else 0.0 for c in (curve, reference))
    shares = np.linspace(0.0, top, check_count(n, "n", least=1) + 1)[1:] if top > 0 else np.zeros(0)
    pairs = [(reference.quantile(float(q)), curve.quantile(float(q))) for q in shares]
    points = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def auc(
    curve: KaplanMeier,
    reference: KaplanMeier,
    *,
    tau: float | None = None,
    ties: Literal["half", "none"] = "half",
) -> float:
    """Return P(T < T_reference), with half the probability of a tie; both never done by ``tau`` is a tie.

    ``ties="none"`` leaves ties out, which makes equal curves score below 1/2 (the paper does not say which it used).
    """
    grid = _union(curve, reference, tau)
    return float(_first_share(curve.cdf_at(grid), reference.cdf_at(grid), ties))


def _first_share(f: Floats, g: Floats, ties: Literal["half", "none"]) -> Floats:
    """Return P(first before second) of CDFs on one grid along axis 0, with half the ties or without them."""
    if ties not in ("half", "none"):
        raise StatsError(f"ties is {ties!r}: choose half or none")
    df, dg = np.diff(f, axis=0, prepend=0.0), np.diff(g, axis=0, prepend=0.0)
    first = np.sum((f - df) * dg, axis=0) + f[-1] * (1 - g[-1])
    tied = np.sum(df * dg, axis=0) + (1 - f[-1]) * (1 - g[-1])
    return np.asarray(first + (0.5 * tied if ties == "half" else 0.0))


def _union(one: KaplanMeier, two: KaplanMeier, tau: float | None) -> Floats:
    grid = np.unique(np.concatenate([[0.0], one.times, two.times]))
    return grid if tau is None else np.append(grid[grid < check_tau(tau)], tau)
