"""Difference of a score between two arms, with an episode-clustered interval.

Arms measured on the same pairs (``block`` holds one episode of each arm) are resampled pair by pair, so what a pair has
in common cancels; otherwise the arms are resampled apart. Shares and unpaired restricted means get the
bounded interval (Agresti and Caffo's, or Agresti and Min's for pairs), the others BCa.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ._bootstrap import Interval, bca_levels, draw_counts, generator, quantile_interval
from ._cells import Effects, StratumData, effects, macro, make_cells, weigh, whole
from ._checks import Floats, StatsError, check_count, check_share, check_tau
from ._intervals import around, plus_one, plus_pair
from ._macro import as_arms
from ._operations import Operations
from ._scores import INVERSE, SCORES, SHARES, SPANS, Score, check_score
from ._survival import Estimator


def score_difference(
    a: Operations,
    b: Operations,
    score: Score = "rmst",
    *,
    tau: float,
    conf: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    estimator: Estimator = "pooled",
    aggregate: Literal["macro", "pooled"] = "macro",
) -> Interval:
    """Estimate score(a) - score(b), averaged over strata; paired where every block has one episode of each arm."""
    tau, conf = check_tau(tau), check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=1)
    as_arms(a, b, None, None, None)
    for arm in (a, b):
        check_score(score, arm, None)
    if score in INVERSE:
        raise StatsError(f"score {score!r} can be infinite: compare {INVERSE[score]!r} instead")
    paired = is_paired(a, b)
    if paired:
        a, b = _in_block_order(a), _in_block_order(b)
    pooled = aggregate == "pooled"
    cells_a, cells_b = make_cells(a, tau, estimator, pooled), make_cells(b, tau, estimator, pooled)
    for label, cell_a in cells_a.items():
        if min(cell_a.size, cells_b[label].size) < 2:
            raise StatsError(f"stratum {label!r} has one episode in an arm: it needs two, or aggregate='pooled'")
    one, two = (effects(score, list(cells.values()), tau) for cells in (cells_a, cells_b))
    estimate = float(one.value[0] - two.value[0])
    each = {}
    for label, cell_a in cells_a.items():
        parts = weigh(cell_a, tau, whole(cell_a)), weigh(cells_b[label], tau, whole(cells_b[label]))
        each[label] = float(SCORES[score](parts[0])[0] - SCORES[score](parts[1])[0])
    n_a, n_b = (sum(cell.size for cell in cells.values()) for cells in (cells_a, cells_b))
    bounded = score in SHARES or (score in SPANS and not paired)
    if bounded:
        span = tau if SPANS[score] is None else 1.0
        if paired:
            centre, error = plus_pair(estimate, _norm(_apart(one, two)), n_a, span)
        else:
            centre_a, error_a = plus_one(float(one.value[0]), _norm(one.own), n_a, span)
            centre_b, error_b = plus_one(float(two.value[0]), _norm(two.own), n_b, span)
            centre, error = centre_a - centre_b, float(np.hypot(error_a, error_b))
        low, high = around(centre, error, conf, -span, span)
    else:
        values = _resample(score, cells_a, cells_b, tau, paired, n_resamples, seed)
        influences = _apart(one, two) if paired else (*one.own, *(-effect for effect in two.own))
        flat = np.concatenate([effect.ravel() for effect in influences])
        low, high = quantile_interval(values, conf, *bca_levels(estimate, values, flat))
    kind: Literal["bounded", "bca"] = "bounded" if bounded else "bca"
    return Interval(score, estimate, low, high, conf, kind, tau, estimator, n_resamples, seed, each)


def _apart(one: Effects, two: Effects) -> tuple[Floats, ...]:
    """Return the influence of each pair on the difference, by stratum."""
    return tuple(a - b for a, b in zip(one.own, two.own, strict=True))


def _norm(influences: tuple[Floats, ...]) -> float:
    return float(np.sqrt(sum(float(np.sum(effect**2)) for effect in influences)))


def _resample(
    score: str,
    cells_a: dict[str, StratumData],
    cells_b: dict[str, StratumData],
    tau: float,
    paired: bool,
    n_resamples: int,
    seed: int,
) -> Floats:
    values = np.empty(n_resamples)
    streams = {label: (generator(seed, i, 0), generator(seed, i, 1)) for i, label in enumerate(cells_a)}
    chunk = max(1, 8_000_000 // max(cell.size for cell in (*cells_a.values(), *cells_b.values())))
    for first in range(0, n_resamples, chunk):
        count = min(chunk, n_resamples - first)
        parts_a, parts_b = [], []
        for label, cell_a in cells_a.items():
            rng_a, rng_b = streams[label]
            counts = draw_counts(cell_a.size, count, rng_a)
            parts_a.append(weigh(cell_a, tau, counts))
            cell_b = cells_b[label]
            parts_b.append(weigh(cell_b, tau, counts if paired else draw_counts(cell_b.size, count, rng_b)))
        values[first : first + count] = macro(score, parts_a) - macro(score, parts_b)
    return values


def is_paired(a: Operations, b: Operations) -> bool:
    """Say whether every block holds exactly one episode of each arm, in the same stratum."""
    if a.block is None or b.block is None or a.n_episodes != b.n_episodes:
        return False
    keys_a = set(zip(a.stratum.tolist(), a.block.tolist(), strict=True))
    keys_b = set(zip(b.stratum.tolist(), b.block.tolist(), strict=True))
    return len(keys_a) == a.n_episodes and keys_a == keys_b


def _in_block_order(arm: Operations) -> Operations:
    assert arm.block is not None
    order = np.argsort(arm.block, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return Operations(
        arm.times,
        arm.events,
        place[arm.episode],
        arm.episode_ids[order],
        arm.stratum[order],
        arm.block[order],
        None if arm.duration_s is None else arm.duration_s[order],
        None if arm.items is None else arm.items[order],
        arm.rule,
    )
