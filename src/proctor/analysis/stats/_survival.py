"""Kaplan-Meier curves of time to success, with hard failures as an atom at infinity.

S(t) = prod over event times u <= t of (1 - d(u) / n(u)), n(u) = weight still at risk just before u, d(u) = weight of
events at u (Kaplan and Meier 1958). A ghost (time inf, event 1) never leaves the risk set, so the curve levels off
above 0 and its height there is the hard-failure share. A timeout is censored: (duration, event 0).

Several operations of one episode are correlated, and fast episodes fit more of them into the budget. Three weightings:

``pooled``      every operation weighs 1 (the PhAIL paper, section 3.1); biased towards fast episodes
``wang_chang``  each episode weighs 1, shared by its completed gaps; a censored last gap counts only when it is the
                episode's only one (Wang and Chang 1999, JASA 94:146)
``first_op``    only each episode's first operation: unbiased, wasteful
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Bools, Floats, Ints, StatsError, as_labels, as_times_events, check_share, check_tau, tally

Estimator = Literal["pooled", "wang_chang", "first_op"]
ESTIMATORS: tuple[Estimator, ...] = ("pooled", "wang_chang", "first_op")


@dataclass(frozen=True, slots=True)
class KaplanMeier:
    """A right-continuous survival curve. ``times`` are the distinct finite observed times, in seconds.

    ``variance`` is Greenwood's, which treats operations as independent: with several operations per episode use the
    episode-clustered intervals instead. ``follow_up_s`` is the last finite time; beyond it the curve is held constant.
    """

    times: Floats
    survival: Floats
    at_risk: Floats
    events: Floats
    censored: Floats
    variance: Floats
    follow_up_s: float
    estimator: Estimator = "pooled"

    def survival_at(self, t: ArrayLike) -> Floats:
        """Return S(t) = P(T > t)."""
        steps = np.concatenate(([1.0], self.survival))
        return np.asarray(steps[np.searchsorted(self.times, np.asarray(t, dtype=np.float64), side="right")])

    def cdf_at(self, t: ArrayLike) -> Floats:
        """Return F(t) = P(T <= t), the share of operations done within ``t`` seconds."""
        return 1.0 - self.survival_at(t)

    def rmst(self, tau: float) -> float:
        """Return the restricted mean, the integral of S from 0 to ``tau``, in seconds: E[min(T, tau)]."""
        tau = check_tau(tau)
        inside = self.times < tau
        edges = np.concatenate(([0.0], self.times[inside], [tau]))
        return float(np.diff(edges) @ np.concatenate(([1.0], self.survival[inside])))

    def rmst_variance(self, tau: float) -> float:
        """Return Greenwood's variance of the restricted mean: sum of (area of S after u)^2 d / (n (n - d))."""
        tau = check_tau(tau)
        inside = self.times < tau
        times, survival = self.times[inside], self.survival[inside]
        areas = np.diff(np.append(times, tau)) * survival
        after = np.cumsum(areas[::-1])[::-1]
        left = self.at_risk[inside] - self.events[inside]
        hazard = np.divide(self.events[inside], self.at_risk[inside] * left, out=np.zeros_like(left), where=left > 0)
        return float(np.sum(after**2 * hazard))

    def quantile(self, q: float) -> float:
        """Return the time by which a share ``q`` is done, inf when the curve never gets there."""
        check_share(q, "q", closed=True)
        reached = np.flatnonzero(1.0 - self.survival >= q - 1e-12)
        if q <= 0:
            return 0.0
        return float(self.times[reached[0]]) if reached.size else float("inf")

    @property
    def median(self) -> float:
        """Time by which half the operations are done, in seconds; inf when fewer ever are."""
        return self.quantile(0.5)


def kaplan_meier(
    times: ArrayLike, events: ArrayLike, *, episode: ArrayLike | None = None, estimator: Estimator = "pooled"
) -> KaplanMeier:
    """Estimate the survival curve of ``times`` [s] (inf for a ghost), ``events`` 1 = observed, 0 = censored.

    ``episode`` labels each observation's episode; ``wang_chang`` and ``first_op`` need it, in order of time within the
    episode. All censored gives S = 1 everywhere; all ghosts likewise.
    """
    t, e = as_times_events(times, events)
    codes = _episode_codes(episode, t.size, estimator)
    weights = observation_weights(e, codes, estimator)
    used = weights > 0
    return weighted_curve(t[used], e[used], weights[used], estimator)


def rmst(times: ArrayLike, events: ArrayLike, tau: float) -> float:
    """Return the restricted mean survival time to ``tau``, in seconds, of the pooled Kaplan-Meier curve."""
    return kaplan_meier(times, events).rmst(tau)


def observation_weights(events: Bools, episode: Ints, estimator: Estimator) -> Floats:
    """Return the weight of each observation under the estimator; 0 means not used. Rows are in order per episode."""
    if estimator not in ESTIMATORS:
        raise StatsError(f"estimator is {estimator!r}: choose one of {', '.join(ESTIMATORS)}")
    if estimator == "pooled":
        return np.ones(events.size)
    if estimator == "first_op":
        weights = np.zeros(events.size)
        weights[np.unique(episode, return_index=True)[1]] = 1.0
        return weights
    count = np.bincount(episode)
    complete = np.bincount(episode, weights=events.astype(np.float64), minlength=count.size)
    only_censored = complete == 0
    share = 1.0 / np.where(only_censored, np.maximum(count, 1), np.maximum(complete, 1))
    return np.where(events | only_censored[episode], share[episode], 0.0)


def weighted_curve(times: Floats, events: Bools, weights: Floats, estimator: Estimator = "pooled") -> KaplanMeier:
    """Return the curve of checked, weighted observations."""
    finite = np.isfinite(times)
    grid, place = np.unique(times[finite], return_inverse=True)
    observed = tally(place, weights[finite] * events[finite], grid.size)
    censored = tally(place, weights[finite] * ~events[finite], grid.size)
    leaving = observed + censored
    forever = float(weights[~finite].sum())
    at_risk = np.cumsum(leaving[::-1])[::-1] + forever
    survival = np.asarray(np.cumprod(1.0 - observed / at_risk), dtype=np.float64)
    left = at_risk - observed
    terms = np.divide(observed, at_risk * left, out=np.zeros_like(left), where=left > 1e-12)
    variance = survival**2 * np.cumsum(terms)
    follow_up = float(grid[-1]) if grid.size else 0.0
    return KaplanMeier(grid, survival, at_risk, observed, censored, variance, follow_up, estimator)


def _episode_codes(episode: ArrayLike | None, size: int, estimator: Estimator) -> Ints:
    if episode is None:
        if estimator != "pooled":
            raise StatsError(f"estimator {estimator!r} needs episode=...: one label per observation")
        return np.arange(size)
    labels = as_labels(episode, size, "episode")
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
