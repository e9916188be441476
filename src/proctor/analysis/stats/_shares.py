"""Scores that are shares, one per episode: progress, intention, whether there was a fault.

A mean over fixed tasks has the variance within them: with n_s of n episodes in task s and their variance v_s::

    se² = Σ (n_s / n)² · v_s / n_s

(tasks with a single episode are taken together). The interval adds one made-up episode at 0 and one at 1, so that what
was always or never seen is not certain (`_bounded`). A change between two conditions on the same scenes is the mean of
the differences, with two made-up pairs, and the p-value of the sign-flip test: if the condition did not matter, each
difference could as well have the other sign (Fisher 1935, section 21). All 2^k flips are counted where at most 16 pairs
differ, which for shares of 0 and 1 is McNemar's exact test; beyond that a sample is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Floats, StatsError, as_labels, as_vector, check_count, check_share
from ._intervals import around, plus_one, plus_pair

EXACT_PAIRS = 16


@dataclass(frozen=True, slots=True)
class ShareInterval:
    """The mean of ``n`` shares with its interval."""

    mean: float
    low: float
    high: float
    n: int
    conf: float


@dataclass(frozen=True, slots=True)
class ShareChange:
    """The mean change of a share over ``n`` pairs, second less first, with its interval and p-value."""

    change: float
    low: float
    high: float
    p: float
    n: int
    conf: float


def share_interval(values: ArrayLike, stratum: ArrayLike | None = None, *, conf: float = 0.95) -> ShareInterval:
    """Return the mean of shares in [0, 1] with its interval; a stratum is a task."""
    check_share(conf, "conf")
    shares = _shares(values, "values")
    n = shares.size
    labels = as_labels([""] * n if stratum is None else stratum, n, "stratum")
    _, code, size = np.unique(labels, return_inverse=True, return_counts=True)
    code = np.where(size[code] > 1, code, -1)
    spread = 0.0
    for one in np.unique(code):
        members = shares[code == one]
        # Nothing is known of the spread of a single episode: it takes that of one half.
        spread += members.size * (float(members.var(ddof=1)) if members.size > 1 else 0.25)
    mean, error = float(shares.mean()), float(np.sqrt(spread)) / n
    low, high = around(*plus_one(mean, error, n, 1.0), conf, 0.0, 1.0)
    return ShareInterval(mean, min(low, mean), max(high, mean), n, conf)


def share_change(
    first: ArrayLike, second: ArrayLike, *, conf: float = 0.95, n_resamples: int = 20_000, seed: int = 0
) -> ShareChange:
    """Return the change from ``first`` to ``second``, whose elements belong together."""
    check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=1)
    before, after = _shares(first, "first"), _shares(second, "second")
    if before.size != after.size:
        raise StatsError(f"first has {before.size} shares and second {after.size}: pairs need as many of each")
    change: Floats = after - before
    n, mean = change.size, float(change.mean())
    error = float(change.std(ddof=1)) / float(np.sqrt(n)) if n > 1 else 1.0
    low, high = around(*plus_pair(mean, error, n, 1.0), conf, -1.0, 1.0)
    p = sign_flip(change, n_resamples=n_resamples, seed=seed)
    return ShareChange(mean, min(low, mean), max(high, mean), p, n, conf)


def sign_flip(change: Floats, *, n_resamples: int, seed: int) -> float:
    """Return the two-sided p-value of differences whose signs could be otherwise."""
    moved = change[change != 0.0]
    if not moved.size:
        return 1.0
    seen = abs(float(moved.sum())) * (1 - 1e-12)
    if moved.size <= EXACT_PAIRS:
        flips = 1.0 - 2.0 * ((np.arange(2**moved.size)[:, None] >> np.arange(moved.size)) & 1)
        return float(np.mean(np.abs(flips @ moved) >= seen))
    rng = np.random.default_rng([seed, 81])
    flips = rng.choice((-1.0, 1.0), (n_resamples, moved.size))
    return float((1 + np.count_nonzero(np.abs(flips @ moved) >= seen)) / (n_resamples + 1))


def _shares(values: ArrayLike, name: str) -> Floats:
    shares = as_vector(values, name)
    if not shares.size:
        raise StatsError(f"{name} is empty: a mean needs at least one episode")
    if shares.min() < 0.0 or shares.max() > 1.0:
        raise StatsError(f"{name} has values outside 0 to 1: shares are asked for")
    return shares
