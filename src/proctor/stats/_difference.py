"""Difference of a score between two arms, with a studentised episode-clustered interval.

Arms measured on the same pairs (``block`` holds one episode of each arm) are resampled pair by pair, so what a pair has
in common cancels; otherwise the arms are resampled apart.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Literal

import numpy as np

from ._bootstrap import DENSE_LIMIT, Interval, draw_counts, generator, quantile_interval
from ._cells import effects, make_cells
from ._checks import check_count, check_share, check_tau
from ._errors import StatsError
from ._macro import as_arms
from ._operations import Operations
from ._scores import INVERSE, Score, check_score
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
    n_strata = len(cells_a)
    each: dict[str, float] = {}
    values, variance, own_variance = np.zeros(n_resamples), np.zeros(n_resamples), 0.0
    dense = max(c.size * c.layout.grid.size for c in (*cells_a.values(), *cells_b.values())) <= DENSE_LIMIT
    for place, (label, cell_a) in enumerate(cells_a.items()):
        cell_b = cells_b[label]
        if min(cell_a.size, cell_b.size) < 2:
            raise StatsError(
                f"stratum {label!r} has one episode in an arm: an interval needs two, or aggregate='pooled'"
            )
        here_a, here_b = effects(score, cell_a, tau), effects(score, cell_b, tau)
        each[label] = float(here_a.value[0] - here_b.value[0])
        if paired:
            own_variance += float(np.sum((here_a.own - here_b.own) ** 2))
        else:
            own_variance += float(np.sum(here_a.own**2) + np.sum(here_b.own**2))
        if not dense:
            continue
        counts_a = draw_counts(cell_a.size, n_resamples, generator(seed, place, 0))
        counts_b = counts_a if paired else draw_counts(cell_b.size, n_resamples, generator(seed, place, 1))
        star_a, star_b = effects(score, cell_a, tau, counts_a), effects(score, cell_b, tau, counts_b)
        values += (star_a.value - star_b.value) / n_strata
        if paired:
            variance += np.einsum("me,em->m", (star_a.own - star_b.own) ** 2, counts_a)
        else:
            variance += np.einsum("me,em->m", star_a.own**2, counts_a)
            variance += np.einsum("me,em->m", star_b.own**2, counts_b)
    estimate = float(np.mean(list(each.values())))
    error, errors = np.sqrt(own_variance) / n_strata, np.sqrt(variance) / n_strata
    usable = errors > 0
    if not dense:
        z = NormalDist().inv_cdf((1 + conf) / 2)
        low, high = estimate - z * error, estimate + z * error
    elif error == 0 or usable.sum() < n_resamples / 2:
        low, high = quantile_interval(values, conf)
    else:
        t = np.quantile((values[usable] - estimate) / errors[usable], [(1 - conf) / 2, (1 + conf) / 2])
        low, high = estimate - t[1] * error, estimate - t[0] * error
    kind: Literal["studentised", "normal"] = "studentised" if dense else "normal"
    return Interval(score, estimate, float(low), float(high), conf, kind, tau, estimator, n_resamples, seed, each)


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
