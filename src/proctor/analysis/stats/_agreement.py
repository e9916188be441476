"""Agreement of raters or rigs on the same items: raw share, Cohen's kappa, Gwet's AC1 of two or of many.

kappa = (p_o - p_e) / (1 - p_e). Cohen's p_e multiplies the two raters' margins and breaks down when one category
dominates; Gwet's AC1 takes p_e = sum of pi_k (1 - pi_k) / (K - 1) with pi_k the mean margin (Gwet 2008).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ._checks import Floats, StatsError
from ._cluster import ClusterInterval, cluster_interval


def _table(first: Sequence[Hashable], second: Sequence[Hashable], categories: Sequence[Hashable] | None) -> Floats:
    a, b = list(first), list(second)
    if len(a) != len(b):
        raise StatsError(f"one rater has {len(a)} ratings and the other {len(b)}: they must rate the same items")
    if not a:
        raise StatsError("no ratings: agreement needs at least one item")
    names = list(dict.fromkeys([*a, *b])) if categories is None else list(categories)
    place = {name: i for i, name in enumerate(names)}
    unknown = [x for x in (*a, *b) if x not in place]
    if unknown:
        raise StatsError(f"rating {unknown[0]!r} is not among the categories {names}")
    table = np.zeros((len(names), len(names)))
    for x, y in zip(a, b, strict=True):
        table[place[x], place[y]] += 1
    return table / len(a)


def raw_agreement(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return the share of items on which both agree."""
    return float(np.trace(_table(first, second, None)))


def cohen_kappa(
    first: Sequence[Hashable], second: Sequence[Hashable], *, categories: Sequence[Hashable] | None = None
) -> float:
    """Return Cohen's kappa; 1 when both always give one and the same category."""
    table = _table(first, second, categories)
    observed = float(np.trace(table))
    expected = float(table.sum(axis=1) @ table.sum(axis=0))
    return 1.0 if expected >= 1.0 else (observed - expected) / (1.0 - expected)


def gwet_ac1(
    first: Sequence[Hashable], second: Sequence[Hashable], *, categories: Sequence[Hashable] | None = None
) -> float:
    """Return Gwet's AC1 of two raters; pass ``categories`` when some possible ones do not occur."""
    table = _table(first, second, categories)
    if len(table) < 2:
        return 1.0
    margin = (table.sum(axis=1) + table.sum(axis=0)) / 2
    expected = float(margin @ (1 - margin)) / (len(table) - 1)
    return (float(np.trace(table)) - expected) / (1.0 - expected)


def gwet_ac1_many(
    items: Sequence[Sequence[Hashable | None]],
    *,
    categories: Sequence[Hashable] | None = None,
    conf: float = 0.95,
) -> ClusterInterval:
    """Return Gwet's AC1 of any number of raters, with an interval over items; None is a rating that is missing.

    With r_iq the number of ratings q of item i and n_i their sum (Gwet 2008, eq. 6 to 8)::

        p_a = mean of sum_q r_iq (r_iq - 1) / (n_i (n_i - 1))        over items with n_i >= 2
        p_e = sum_q pi_q (1 - pi_q) / (Q - 1),  pi_q = mean of r_iq / n_i        AC1 = (p_a - p_e) / (1 - p_e)

    For two raters it is `gwet_ac1`. The interval is a jackknife over items: other items could have been drawn.
    """
    given = [[rating for rating in item if rating is not None] for item in items]
    names = list(dict.fromkeys(r for item in given for r in item)) if categories is None else list(categories)
    unknown = [rating for item in given for rating in item if rating not in names]
    if unknown:
        raise StatsError(f"rating {unknown[0]!r} is not among the categories {names}")
    counts = np.array([[item.count(name) for name in names] for item in given], dtype=np.float64)
    raters = counts.sum(axis=1) if len(given) else np.zeros(0)
    if not (raters >= 2).any():
        raise StatsError("no item has two ratings: agreement needs at least two raters")
    if len(names) < 2:
        return ClusterInterval(1.0, None, None, None, len(given), conf)
    rated = raters > 0
    pairs = np.where(raters >= 2, raters * (raters - 1), 1.0)
    agreed = (counts * (counts - 1)).sum(axis=1) / pairs * (raters >= 2)
    shares = counts[rated] / raters[rated, None]
    columns = np.column_stack([agreed[rated], (raters >= 2)[rated], np.ones(int(rated.sum())), shares])

    def ac1(sums: Floats) -> Floats:
        observed, margin = sums[..., 0] / sums[..., 1], sums[..., 3:] / sums[..., 2:3]
        expected = (margin * (1 - margin)).sum(axis=-1) / (len(names) - 1)
        return np.asarray((observed - expected) / (1 - expected))

    return cluster_interval(columns, range(len(columns)), ac1, conf=conf, bounds=(-1.0, 1.0))
