"""How much each episode moves a restricted mean and a success share: the infinitesimal jackknife of the KM curve.

With weight at risk Y, events d and A(u) the area under S from u to tau, the derivative of log S at u by an observation
is -(1{T = u, event} Y - 1{T >= u} d) / (Y (Y - d)). For RMST it is the sum over u of A(u) times that, for F(tau) minus
S(tau) times the sum. Added up over an episode's operations and squared, this is a variance that respects clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._checks import Floats
from ._kernel_numpy import episode_tables
from ._layout import EMPTY, Layout


@dataclass(frozen=True, slots=True)
class Influence:
    """RMST(tau) and F(tau) for m weightings, [m], and each episode's influence on them, [m, episodes]."""

    rmst: Floats
    cdf: Floats
    on_rmst: Floats
    on_cdf: Floats


def influence(layout: Layout, tau: float, weights: Floats) -> Influence:
    """Return curves' summaries and influences under episode weights [episodes, m], by dense matrix products."""
    at_risk, events = episode_tables(layout)
    y, d = weights.T @ at_risk, weights.T @ events
    left = y - d
    fall = np.divide(d, y, out=np.zeros_like(y), where=y > EMPTY)
    survival = np.asarray(np.cumprod(1.0 - fall, axis=1), dtype=np.float64)
    widths = np.diff(np.append(layout.grid, tau))
    area = np.cumsum((survival * widths)[:, ::-1], axis=1)[:, ::-1]
    start = layout.grid[0] if layout.grid.size else tau
    rmst = start + (area[:, 0] if layout.grid.size else 0.0)
    end = survival[:, -1] if layout.grid.size else np.ones(weights.shape[1])
    inverse = np.divide(1.0, left, out=np.zeros_like(y), where=left > EMPTY)
    hazard = inverse * fall

    def spread(height: Floats) -> Floats:
        return np.asarray((height * hazard) @ at_risk.T - (height * inverse) @ events.T)

    return Influence(
        np.broadcast_to(rmst, end.shape).astype(np.float64),
        1.0 - end,
        spread(area),
        -end[:, None] * spread(np.ones_like(area)),
    )


def influence_once(layout: Layout, tau: float) -> Influence:
    """As `influence` for weights of 1, in time and memory linear in the number of observations."""
    size = layout.starts[-1]
    group = np.repeat(np.arange(layout.grid.size), np.diff(layout.starts))
    episode, event, weight = layout.episode[:size], layout.event[:size], layout.weight[:size]
    leaving = np.bincount(group, weights=weight, minlength=layout.grid.size)
    d = np.bincount(group, weights=weight * event, minlength=layout.grid.size)
    y = layout.total.sum() - np.concatenate(([0.0], np.cumsum(leaving)[:-1])) if size else np.zeros(0)
    left = y - d
    fall = np.divide(d, y, out=np.zeros_like(y), where=y > EMPTY)
    survival = np.cumprod(1.0 - fall)
    widths = np.diff(np.append(layout.grid, tau))
    area = np.cumsum((survival * widths)[::-1])[::-1]
    inverse = np.divide(1.0, left, out=np.zeros_like(y), where=left > EMPTY)
    end = float(survival[-1]) if size else 1.0
    rmst = float(layout.grid[0] + area[0]) if size else float(tau)
    n = layout.total.size
    inside = np.bincount(episode, weights=weight, minlength=n)

    def spread(height: Floats) -> Floats:
        up_to = np.cumsum(height * inverse * fall)
        per_row = weight * (up_to[group] - event * (height * inverse)[group])
        beyond = (layout.total - inside) * (up_to[-1] if size else 0.0)
        return np.asarray(np.bincount(episode, weights=per_row, minlength=n) + beyond, dtype=np.float64)

    return Influence(
        np.array([rmst]),
        np.array([1.0 - end]),
        spread(area)[None, :],
        -end * spread(np.ones_like(area))[None, :],
    )
