"""Several tests at once: adjusted p-values that keep the family-wise error at alpha, and a display of who differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Floats, StatsError, as_vector


def _p_values(p: ArrayLike) -> Floats:
    values = as_vector(p, "p")
    bad = np.flatnonzero((values < 0) | (values > 1))
    if bad.size:
        raise StatsError(f"p[{bad[0]}] is {values[bad[0]]:g}: a p-value lies in [0, 1]")
    return values


def holm(p: ArrayLike) -> Floats:
    """Return Holm's step-down adjusted p-values: valid under any dependence, never larger than Bonferroni's."""
    values = _p_values(p)
    order = np.argsort(values, kind="stable")
    stepped = values[order] * np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stepped))
    return adjusted


def compact_letters(names: Sequence[str], differs: Mapping[tuple[str, str], bool]) -> dict[str, str]:
    """Return letters such that two names share one exactly when they are NOT resolved as different.

    Insert and absorb (Piepho 2004): start with one letter for all; for each differing pair split every letter that
    holds both into one without the first and one without the second; drop letters contained in others. ``names`` best
    first; letters are named in that order.
    """
    if len(set(names)) != len(names):
        raise StatsError("names repeat: a letter display needs one row per name")
    unknown = [name for pair in differs for name in pair if name not in names]
    if unknown:
        raise StatsError(f"{unknown[0]!r} is in a pair but not among the names")
    columns: list[frozenset[str]] = [frozenset(names)]
    for (one, two), different in differs.items():
        if not different or one == two:
            continue
        split = []
        for column in columns:
            split += [column - {one}, column - {two}] if {one, two} <= column else [column]
        kept: list[frozenset[str]] = []
        for column in sorted(set(split), key=len, reverse=True):
            if column and not any(column <= other for other in kept):
                kept.append(column)
        columns = kept
    rank = {name: i for i, name in enumerate(names)}
    columns.sort(key=lambda column: sorted(rank[name] for name in column))
    return {name: "".join(_letter(i) for i, column in enumerate(columns) if name in column) for name in names}


def _letter(i: int) -> str:
    return ascii_lowercase[i] if i < 26 else f"({i + 1})"
