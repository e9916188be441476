"""Difference of a score between two arms, with an episode-clustered interval.

Arms measured on the same pairs (``block`` holds one episode of each arm) are resampled pair by pair, so what a pair has
in common cancels; otherwise the arms are resampled apart. Shares get the bounded interval (Agresti and Caffo's, or
Agresti and Min's for pairs), other scores BCa.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ._bootstrap import Interval, bca_levels, draw_counts, generator, quantile_interval
from ._bounded import around, plus_one, plus_pair
from ._cells import Cell, Effects, effects, make_cells, weigh
from ._checks import Floats, check_count, check_share, check_tau
from ._errors import StatsError
from ._macro import as_arms
from ._operations import Operations
from ._scores import INVERSE, SCORES, SHARES, Score, check_score
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
    found = {label: (effects(score, cell, tau), effects(score, cells_b[label], tau)) for label, cell in cells_a.items()}
    each = {label: float(one.value[0] - two.value[0]) for label, (one, two) in found.items()}
    estimate = float(np.mean(list(each.values())))
    if score in SHARES:
        low, high = _bounded(list(found.values()), estimate, paired, conf)
    else:
        values = _resample(score, cells_a, cells_b, tau, paired, n_resamples, seed)
        if paired:
            influences = np.concatenate([(one.own - two.own).ravel() for one, two in found.values()])
        else:
            influences = np.concatenate([x.ravel() for one, two in found.values() for x in (one.own, -two.own)])
        low, high = quantile_interval(values, conf, *bca_levels(estimate, values, influences))
    kind: Literal["bounded", "bca"] = "bounded" if score in SHARES else "bca"
    return Interval(score, estimate, low, high, conf, kind, tau, estimator, n_resamples, seed, each)


def _bounded(found: list[tuple[Effects, Effects]], estimate: float, paired: bool, conf: float) -> tuple[float, float]:
    n_a, n_b = (sum(pair[side].own.size for pair in found) for side in (0, 1))
    if paired:
        spread = np.sqrt(sum(float(np.sum((one.own - two.own) ** 2)) for one, two in found)) / len(found)
        return around(*plus_pair(estimate, float(spread), n_a, 1.0), conf, -1.0, 1.0)
    mean_a = float(np.mean([one.value[0] for one, _ in found]))
    errors = [np.sqrt(sum(float(np.sum(pair[side].own ** 2)) for pair in found)) / len(found) for side in (0, 1)]
    centre_a, error_a = plus_one(mean_a, float(errors[0]), n_a, 1.0)
    centre_b, error_b = plus_one(mean_a - estimate, float(errors[1]), n_b, 1.0)
    return around(centre_a - centre_b, float(np.hypot(error_a, error_b)), conf, -1.0, 1.0)


def _resample(
    score: str,
    cells_a: dict[str, Cell],
    cells_b: dict[str, Cell],
    tau: float,
    paired: bool,
    n_resamples: int,
    seed: int,
) -> Floats:
    values = np.zeros(n_resamples)
    for place, (label, cell_a) in enumerate(cells_a.items()):
        cell_b = cells_b[label]
        rng_a, rng_b = generator(seed, place, 0), generator(seed, place, 1)
        chunk = max(1, 8_000_000 // (cell_a.size + cell_b.size))
        for first in range(0, n_resamples, chunk):
            count = min(chunk, n_resamples - first)
            counts_a = draw_counts(cell_a.size, count, rng_a)
            counts_b = counts_a if paired else draw_counts(cell_b.size, count, rng_b)
            gap = SCORES[score](weigh(cell_a, tau, counts_a)) - SCORES[score](weigh(cell_b, tau, counts_b))
            values[first : first + count] += gap / len(cells_a)
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
