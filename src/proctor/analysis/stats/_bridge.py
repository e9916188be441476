"""The Brownian-bridge model of macro-KS power (PhAIL paper, Appendix H), with its drift debiased.

Per stratum, with n = N m / D effective operations (m per episode, D the design effect), sqrt(n / 2) D_o tends to
sup |B(F(t)) + sqrt(n / 2) (F_a - F_b)(t)|. The paper plugs the observed F_a - F_b in as the drift; but identical
policies also have an observed distance, 0.14 on average at its sizes. Here the drift is shrunk so that its macro
distance is the observed one less its mean under permuted labels, and D is what makes the model's null mean equal the
permutation null's. Between grid points the extremes of the bridge are drawn from their exact law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._checks import Floats, check_count, check_share, check_tau
from ._errors import StatsError
from ._macro import macro_ks
from ._operations import Operations
from ._survival import kaplan_meier

_MOST_POINTS = 80


@dataclass(frozen=True, slots=True)
class BridgePower:
    """Power at ``n_cell`` episodes per cell, the critical macro distance, and what the model assumed."""

    n_cell: int
    power: float
    critical: float
    null_mean: float
    drift: float
    observed: float
    design_effect: float


def bridge_suprema(share: Floats, drift: Floats, n_sim: int, rng: np.random.Generator) -> Floats:
    """Draw sup |B(u) + drift(u)| for a standard bridge on the grid ``share`` (ascending in [0, 1]).

    The bridge is exact at grid points; inside a step of width h its maximum between x and y is
    (x + y + sqrt((x - y)^2 - 2 h ln U)) / 2.
    """
    u = np.concatenate(([0.0], share))
    steps = np.diff(u)
    noise = rng.normal(size=(n_sim, steps.size)) * np.sqrt(np.maximum(steps, 0.0))
    walk = np.cumsum(noise, axis=1)
    rest = rng.normal(size=(n_sim, 1)) * np.sqrt(max(0.0, 1.0 - u[-1]))
    bridge = walk - u[1:] * (walk[:, -1:] + rest)
    path = np.concatenate([np.zeros((n_sim, 1)), bridge + drift], axis=1)
    x, y = path[:, :-1], path[:, 1:]
    gap, reach = (x - y) ** 2, 2.0 * steps
    top = (x + y + np.sqrt(gap - reach * np.log(rng.random(x.shape)))) / 2
    bottom = (x + y - np.sqrt(gap - reach * np.log(rng.random(x.shape)))) / 2
    return np.asarray(np.maximum(top.max(axis=1), -bottom.min(axis=1)))


def bridge_power(
    a: Operations,
    b: Operations,
    n_cell: int,
    *,
    tau: float,
    alpha: float = 0.05,
    design_effect: float | None = None,
    debias: bool = True,
    n_sim: int = 4000,
    n_resamples: int = 500,
    seed: int = 0,
) -> BridgePower:
    """Predict the power of macro-KS at ``n_cell`` episodes per arm and stratum, from pilot data of both arms."""
    check_count(n_cell, "n_cell", least=1)
    check_share(alpha, "alpha")
    tau = check_tau(tau)
    pilot = macro_ks(a, b, tau=tau, n_resamples=n_resamples, seed=seed)
    rng = np.random.default_rng([seed, 17])
    per_episode, sizes, shares, gaps = [], [], [], []
    for label in a.strata:
        one, two = a.select(a.stratum == label), b.select(b.stratum == label)
        curve_a, curve_b = kaplan_meier(one.times, one.events), kaplan_meier(two.times, two.events)
        grid = np.unique(np.concatenate([curve_a.times, curve_b.times]))
        grid = _thin(grid[grid <= tau])
        f_a, f_b = curve_a.cdf_at(grid), curve_b.cdf_at(grid)
        shares.append((f_a + f_b) / 2)
        gaps.append(f_a - f_b)
        episodes = one.n_episodes + two.n_episodes
        per_episode.append((one.times.size + two.times.size) / episodes)
        sizes.append(2 / (1 / one.n_episodes + 1 / two.n_episodes))
    flat = [bridge_suprema(share, np.zeros_like(share), n_sim, rng) for share in shares]
    if design_effect is None:
        # Model null mean at D = 1 at the pilot's sizes; D scales it by its square root.
        plain = np.mean([s.mean() / np.sqrt(m * n / 2) for s, m, n in zip(flat, per_episode, sizes, strict=True)])
        design_effect = float((pilot.null.mean() / plain) ** 2) if plain > 0 else 1.0
    if design_effect <= 0:
        raise StatsError(f"design_effect is {design_effect}: it must be above 0")
    drift = pilot.debiased if debias else pilot.statistic
    shrink = drift / pilot.statistic if pilot.statistic > 0 else 0.0
    scale = [np.sqrt(n_cell * m / design_effect / 2) for m in per_episode]
    null = np.mean([s / k for s, k in zip(flat, scale, strict=True)], axis=0)
    moved = np.mean(
        [
            bridge_suprema(share, k * shrink * gap, n_sim, rng) / k
            for share, gap, k in zip(shares, gaps, scale, strict=True)
        ],
        axis=0,
    )
    critical = float(np.quantile(null, 1 - alpha))
    power = float(np.mean(moved > critical))
    return BridgePower(n_cell, power, critical, float(null.mean()), drift, pilot.statistic, design_effect)


def _thin(grid: Floats) -> Floats:
    """Keep at most `_MOST_POINTS` times, evenly in rank: extremes between them are drawn exactly anyway."""
    if grid.size <= _MOST_POINTS:
        return grid
    return grid[np.linspace(0, grid.size - 1, _MOST_POINTS).round().astype(np.int64)]
