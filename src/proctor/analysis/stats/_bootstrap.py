"""Episode-clustered intervals of scores: whole episodes are what varies, within strata.

``bounded``      for rmst, success and completion: the normal interval with the infinitesimal-jackknife error and one
                 made-up episode at each end of the range; holds its level also where failures are rare (default there)
``bca``          bootstrap percentiles, bias and skewness corrected (Efron 1987); the default for the other scores
``studentised``  bootstrap quantiles of (score* - score) / se*, on the log scale (logit for shares)
``percentile``   plain bootstrap quantiles: simple, too short at small n
``normal``       score +- z se on the log (logit) scale, no resampling; the default beyond 5000 episodes

Where a rate is 0 no resampling can see what was not observed; its bound is then Wilson's on the share of episodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from ._cells import StratumData, effects, macro, make_cells, weigh, whole
from ._checks import Floats, StatsError, check_count, check_share, check_tau
from ._intervals import around, plus_one, wilson
from ._operations import Cohort, Operations
from ._scores import INVERSE, SCORES, SHARES, SPANS, Score, check_score
from ._survival import Estimator

Kind = Literal["bounded", "bca", "studentised", "percentile", "normal"]
Aggregate = Literal["macro", "pooled"]
DENSE_LIMIT = 4_000_000
"""Largest episodes x times table for the dense influences that studentised intervals need."""

_MANY = 5000
"""Episodes of an arm beyond which resampling adds nothing to the normal interval but time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A score (or a difference of scores) with its confidence interval; ``per_stratum`` holds each stratum's value.

    ``reference`` is the name of the cohort that a relative score is relative to.
    """

    score: str
    estimate: float
    low: float
    high: float
    conf: float
    kind: Kind
    tau: float
    estimator: Estimator
    n_resamples: int
    seed: int
    per_stratum: dict[str, float]
    reference: str = ""


def score_interval(
    arm: Operations,
    score: Score = "rmst",
    *,
    tau: float,
    conf: float = 0.95,
    kind: Kind | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    reference: Cohort | None = None,
    estimator: Estimator = "pooled",
    aggregate: Aggregate = "macro",
) -> Interval:
    """Estimate a score with its interval; ``aggregate`` averages strata or throws all operations together.

    The reference cohort of ``hrt`` is resampled too, so its own uncertainty is in the interval. Rates per hour and
    ``mtbf`` are of the strata's mean R and F, as if strata were tried in turn.
    """
    return score_intervals(
        arm,
        [score],
        tau=tau,
        conf=conf,
        kind=kind,
        n_resamples=n_resamples,
        seed=seed,
        reference=reference,
        estimator=estimator,
        aggregate=aggregate,
    )[score]


def score_intervals(
    arm: Operations,
    scores: Sequence[Score],
    *,
    tau: float,
    conf: float = 0.95,
    kind: Kind | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    reference: Cohort | None = None,
    estimator: Estimator = "pooled",
    aggregate: Aggregate = "macro",
) -> dict[str, Interval]:
    """As `score_interval` for several scores, sorting the operations once."""
    tau, conf = check_tau(tau), check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=1)
    for score in scores:
        check_score(score, arm, reference)
    cells = _checked_cells(arm, tau, estimator, aggregate)
    human = {} if reference is None else _checked_cells(reference.arm, tau, estimator, aggregate)
    name = "" if reference is None else reference.name
    found = {}
    for score in scores:
        used, each, ends = _one_score(INVERSE.get(score, score), cells, human, tau, conf, kind, n_resamples, seed)
        if score in INVERSE:
            each = {label: _invert(value) for label, value in each.items()}
            ends = (_invert(ends[0]), _invert(ends[2]), _invert(ends[1]))
        found[score] = Interval(score, *ends, conf, used, tau, estimator, n_resamples, seed, each, name)
    return {str(score): interval for score, interval in found.items()}


def _one_score(
    score: str,
    cells: dict[str, StratumData],
    human: dict[str, StratumData],
    tau: float,
    conf: float,
    kind: Kind | None,
    n_resamples: int,
    seed: int,
) -> tuple[Kind, dict[str, float], tuple[float, float, float]]:
    """Return the kind of interval, each stratum's score, and (estimate, low, high)."""
    parts = {}
    for label, cell in cells.items():
        ref = weigh(human[label], tau, whole(human[label])).rmst if human else None
        parts[label] = weigh(cell, tau, whole(cell), ref)
    each = {label: float(SCORES[score](part)[0]) for label, part in parts.items()}
    estimate = float(macro(score, list(parts.values()))[0])
    chosen = kind or _default_kind(score, cells, human)
    edge = None if chosen == "bounded" else _edge(score, cells, tau, estimate, conf)
    if edge is not None:
        low, high = edge
    elif chosen == "bounded":
        if score not in SPANS:
            raise StatsError(f"score {score!r} has no upper bound: choose bca, studentised, percentile or normal")
        span = tau if SPANS[score] is None else 1.0
        n = sum(cell.size for cell in cells.values())
        low, high = around(*plus_one(estimate, _error(score, cells, human, tau), n, span), conf, 0.0, span)
    elif chosen == "normal":
        z = NormalDist().inv_cdf((1 + conf) / 2)
        low, high = _around(score, estimate, _error(score, cells, human, tau), -z, z)
    elif chosen == "studentised":
        if max(cell.size * cell.layout.grid.size for cell in (*cells.values(), *human.values())) > DENSE_LIMIT:
            raise StatsError("too many episodes for a studentised interval: use kind='normal'")
        values, errors = _resample_with_errors(score, cells, human, tau, n_resamples, seed)
        low, high = _studentised(score, estimate, _error(score, cells, human, tau), values, errors, conf)
    elif chosen in ("percentile", "bca"):
        values = _resample(score, cells, human, tau, n_resamples, seed)
        z0, acceleration = _bca(score, cells, human, tau, estimate, values) if chosen == "bca" else (0.0, 0.0)
        low, high = quantile_interval(values, conf, z0, acceleration)
    else:
        raise StatsError(f"kind is {kind!r}: choose bounded, bca, studentised, percentile or normal")
    return chosen, each, (estimate, low, high)


def _default_kind(score: str, cells: dict[str, StratumData], human: dict[str, StratumData]) -> Kind:
    if score in SPANS:
        return "bounded"
    return "bca" if sum(cell.size for cell in (*cells.values(), *human.values())) <= _MANY else "normal"


def draw_counts(n: int, count: int, rng: np.random.Generator) -> Floats:
    """Return how often each of ``n`` episodes is drawn in each of ``count`` bootstrap samples, [n, count].

    n - 1 are drawn, not n: the variance of a resampled mean is then s^2 / n without bias, which matters when a stratum
    has ten episodes (McCarthy and Snowden 1985; Rao and Wu 1988).
    """
    size = max(1, n - 1)
    picks = rng.integers(0, n, size=(count, size)) + n * np.arange(count)[:, None]
    return np.bincount(picks.ravel(), minlength=n * count).reshape(count, n).T.astype(np.float64)


def generator(seed: int, place: int, side: int) -> np.random.Generator:
    """Return the stream of one stratum and one side; independent of how many resamples are drawn at once."""
    return np.random.default_rng([int(seed) & ((1 << 64) - 1), place, side])


def quantile_interval(values: Floats, conf: float, z0: float = 0.0, acceleration: float = 0.0) -> tuple[float, float]:
    """Return the percentile interval of resampled values, at BCa's levels when z0 and acceleration are given."""
    normal = NormalDist()
    levels = []
    for tail in ((1 - conf) / 2, (1 + conf) / 2):
        z = z0 + normal.inv_cdf(tail)
        levels.append(normal.cdf(z0 + z / (1 - acceleration * z)))
    low, high = np.quantile(values, levels, method="closest_observation")
    return float(low), float(high)


def _checked_cells(arm: Operations, tau: float, estimator: Estimator, aggregate: Aggregate) -> dict[str, StratumData]:
    if aggregate not in ("macro", "pooled"):
        raise StatsError(f"aggregate is {aggregate!r}: choose macro or pooled")
    cells = make_cells(arm, tau, estimator, aggregate == "pooled")
    for label, cell in cells.items():
        if cell.size < 2:
            hint = "" if aggregate == "pooled" else ", or use aggregate='pooled'"
            raise StatsError(f"stratum {label!r} has one episode: an interval needs two or more per stratum{hint}")
    return cells


def _resample(
    score: str, cells: dict[str, StratumData], human: dict[str, StratumData], tau: float, n_resamples: int, seed: int
) -> Floats:
    values = np.empty(n_resamples)
    streams = {label: (generator(seed, i, 0), generator(seed, i, 1)) for i, label in enumerate(cells)}
    chunk = max(1, 8_000_000 // max(cell.size for cell in (*cells.values(), *human.values())))
    for first in range(0, n_resamples, chunk):
        count = min(chunk, n_resamples - first)
        parts = []
        for label, cell in cells.items():
            rng, human_rng = streams[label]
            ref = weigh(human[label], tau, draw_counts(human[label].size, count, human_rng)).rmst if human else None
            parts.append(weigh(cell, tau, draw_counts(cell.size, count, rng), ref))
        values[first : first + count] = macro(score, parts)
    return values


def _resample_with_errors(
    score: str, cells: dict[str, StratumData], human: dict[str, StratumData], tau: float, n_resamples: int, seed: int
) -> tuple[Floats, Floats]:
    counts = [draw_counts(cell.size, n_resamples, generator(seed, i, 0)) for i, cell in enumerate(cells.values())]
    others = [human[label] for label in cells] if human else []
    drawn = [draw_counts(cell.size, n_resamples, generator(seed, i, 1)) for i, cell in enumerate(others)]
    found = effects(score, list(cells.values()), tau, counts, others, drawn)
    variance = np.zeros(n_resamples)
    for effect, weights in zip((*found.own, *found.reference), (*counts, *drawn), strict=True):
        variance += np.einsum("me,em->m", effect**2, weights)
    return found.value, np.sqrt(variance)


def _influences(score: str, cells: dict[str, StratumData], human: dict[str, StratumData], tau: float) -> Floats:
    """Return the influence of every episode of every stratum and cohort, in one vector."""
    found = effects(score, list(cells.values()), tau, human=[human[label] for label in cells] if human else ())
    return np.concatenate([part.ravel() for part in (*found.own, *found.reference)])


def _error(score: str, cells: dict[str, StratumData], human: dict[str, StratumData], tau: float) -> float:
    return float(np.sqrt(np.sum(_influences(score, cells, human, tau) ** 2)))


def _bca(
    score: str,
    cells: dict[str, StratumData],
    human: dict[str, StratumData],
    tau: float,
    estimate: float,
    values: Floats,
) -> tuple[float, float]:
    return bca_levels(estimate, values, _influences(score, cells, human, tau))


def bca_levels(estimate: float, values: Floats, influences: Floats) -> tuple[float, float]:
    """Return (z0, a): the bias of the resampled values in normal units, and the acceleration.

    a = sum of l^3 / (6 (sum of l^2)^(3/2)) over every episode's influence l, in all strata and arms (Davison and
    Hinkley 1997, section 5.4).
    """
    below = float(np.mean(values < estimate) + 0.5 * np.mean(values == estimate))
    z0 = NormalDist().inv_cdf(min(max(below, 0.5 / values.size), 1 - 0.5 / values.size))
    squares = float(np.sum(influences**2))
    return z0, float(np.sum(influences**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def _edge(
    score: str, cells: dict[str, StratumData], tau: float, estimate: float, conf: float
) -> tuple[float, float] | None:
    """Return the interval at an edge where every resample equals the sample, or None when it is no edge."""
    n = sum(cell.size for cell in cells.values())
    unseen = wilson(0, n, conf)[1]
    if score in SHARES and estimate in (0.0, 1.0):
        return (0.0, unseen) if estimate == 0 else (1 - unseen, 1.0)
    if score in ("failures_per_hour", "unfinished_per_hour") and estimate == 0:
        hours = sum(float(cell.hours.sum()) for cell in cells.values())
        rmst = float(np.mean([weigh(cell, tau, whole(cell)).rmst[0] for cell in cells.values()]))
        top, bottom = (unseen * n, hours) if score == "unfinished_per_hour" else (3600 * unseen, rmst)
        return 0.0, top / bottom if bottom > 0 else float("inf")
    if score == "failures_per_hour" and estimate >= 3600 / tau * (1 - 1e-12) and _never(cells, tau):
        return estimate * (1 - unseen), estimate
    if score == "rmst" and estimate >= tau * (1 - 1e-12):
        return tau * (1 - unseen), tau
    if score in ("uph", "items_per_hour") and estimate == 0:
        return 0.0, 3600 * unseen / tau
    return None


def _never(cells: dict[str, StratumData], tau: float) -> bool:
    return all(weigh(cell, tau, whole(cell)).cdf[0] == 0 for cell in cells.values())


def _forward(score: str, value: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Move a score and its error to the scale on which its distribution is nearly symmetric."""
    if score in SHARES:
        inside = np.clip(value, 1e-4, 1 - 1e-4)
        return np.log(inside / (1 - inside)), error / (inside * (1 - inside))
    positive = np.maximum(value, 1e-12)
    return np.log(positive), error / positive


def _back(score: str, value: float) -> float:
    return float(1 / (1 + np.exp(-value))) if score in SHARES else float(np.exp(value))


def _around(score: str, estimate: float, error: float, low: float, high: float) -> tuple[float, float]:
    """Return the ends ``low`` and ``high`` standard errors away, on the score's own scale."""
    if error == 0 or not np.isfinite(estimate):
        return estimate, estimate
    centre, spread = _forward(score, np.array([estimate]), np.array([error]))
    return _back(score, float(centre[0] + low * spread[0])), _back(score, float(centre[0] + high * spread[0]))


def _studentised(
    score: str, estimate: float, error: float, values: Floats, errors: Floats, conf: float
) -> tuple[float, float]:
    usable = np.isfinite(values) & (errors > 0)
    if error == 0 or usable.sum() < values.size / 2:
        return quantile_interval(values, conf)
    centre, _ = _forward(score, np.array([estimate]), np.array([error]))
    star, spread = _forward(score, values[usable], errors[usable])
    low, high = np.quantile((star - centre[0]) / spread, [(1 - conf) / 2, (1 + conf) / 2])
    return _around(score, estimate, error, -float(high), -float(low))


def _invert(rate_per_hour: float) -> float:
    return 3600 / rate_per_hour if rate_per_hour > 0 else float("inf")
