"""Agreement of two raters or two rigs on the same items: raw share, Cohen's kappa, Gwet's AC1.

kappa = (p_o - p_e) / (1 - p_e). Cohen's p_e multiplies the two raters' margins and breaks down when one category
dominates; Gwet's AC1 takes p_e = sum of pi_k (1 - pi_k) / (K - 1) with pi_k the mean margin (Gwet 2008).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ._checks import Floats
from ._errors import StatsError


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
