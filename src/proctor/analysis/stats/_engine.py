"""Resampling of two-arm strata and of one-arm strata, on whichever kernel the host has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from . import _kernel_numpy
from ._checks import Floats, check_count
from ._layout import SortedTimes, SwapBlocks

Backend = Literal["auto", "numba", "numpy"]
KS, UP, DOWN, RMST, CVM, EXCESS, SPREAD = range(7)
N_FIXED = 7
_CHUNK = 256
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class PairStratum:
    """Both arms' episodes of one stratum, and which of them may change places."""

    label: str
    layout: SortedTimes
    plan: SwapBlocks
    in_a: Floats


@cache
def has_numba() -> bool:
    """Say whether the compiled kernel can be used; ``PROCTOR_STATS_BACKEND=numpy`` turns it off."""
    if os.environ.get("PROCTOR_STATS_BACKEND") == "numpy":
        return False
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def null_statistics(
    strata: Sequence[PairStratum],
    tau: float,
    points: Floats,
    *,
    n_resamples: int,
    seed: int,
    replace: bool = False,
    with_logrank: bool = False,
    threads: int | None = None,
    chunk: int = _CHUNK,
    backend: Backend = "auto",
) -> Floats:
    """Return statistics [rows, n_resamples]: means over strata, and sums for the two logrank rows.

    A resample's draws depend only on (seed, stratum's place, resample's number), never on ``threads`` or ``chunk``.
    """
    check_count(n_resamples, "n_resamples", least=1)
    chunk = check_count(chunk, "chunk", least=1)
    out = np.zeros((N_FIXED + points.size, n_resamples))
    share = np.full(N_FIXED + points.size, 1.0 / len(strata))
    share[[EXCESS, SPREAD]] = 1.0
    compiled = backend == "numba" or (backend == "auto" and has_numba())

    def work(first: int) -> None:
        count = min(chunk, n_resamples - first)
        for place, stratum in enumerate(strata):
            key = _key(seed, place)
            if compiled:
                rows = _numba_null(stratum, tau, points, with_logrank, replace, key, first, count)
            else:
                wa, wb = _kernel_numpy.draw_weights(stratum.plan, stratum.layout.total.size, replace, key, first, count)
                rows = _kernel_numpy.weigh_pair(stratum.layout, points, tau, with_logrank, wa, wb)
            out[:, first : first + count] += rows * share[:, None]

    firsts = range(0, n_resamples, chunk)
    workers = min(threads or os.cpu_count() or 1, len(firsts))
    if workers > 1 and compiled:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, firsts))
    else:
        for first in firsts:
            work(first)
    return out


def observed_statistics(
    strata: Sequence[PairStratum],
    tau: float,
    points: Floats,
    *,
    with_logrank: bool = False,
    backend: Backend = "auto",
) -> tuple[Floats, Floats]:
    """Return the statistics [rows] of the labels as they are, over all strata, and per stratum [rows, strata]."""
    columns = []
    for stratum in strata:
        a = stratum.in_a[:, None]
        columns.append(weigh_pair(stratum.layout, points, tau, with_logrank, a, 1.0 - a, backend=backend)[:, 0])
    each = np.stack(columns, axis=1)
    overall = each.mean(axis=1)
    overall[[EXCESS, SPREAD]] = each[[EXCESS, SPREAD]].sum(axis=1)
    return overall, each


def weigh_pair(
    layout: SortedTimes,
    points: Floats,
    tau: float,
    with_logrank: bool,
    wa: Floats,
    wb: Floats,
    *,
    backend: Backend = "auto",
) -> Floats:
    """Return the two-arm statistics [rows, m] under given episode weights [episodes, m]."""
    if backend == "numba" or (backend == "auto" and has_numba()):
        from . import _kernel_numba

        a, b = np.ascontiguousarray(wa, dtype=np.float64), np.ascontiguousarray(wb, dtype=np.float64)
        return _kernel_numba.weigh_pair(layout.columns, points, float(tau), with_logrank, a, b)
    return _kernel_numpy.weigh_pair(layout, points, tau, with_logrank, wa, wb)


def weigh_one(layout: SortedTimes, points: Floats, tau: float, weights: Floats, *, backend: Backend = "auto") -> Floats:
    """Return [RMST(tau), F(points) ...] [1 + points, m] of one curve under episode weights [episodes, m]."""
    if backend == "numba" or (backend == "auto" and has_numba()):
        from . import _kernel_numba

        w = np.ascontiguousarray(weights, dtype=np.float64)
        return _kernel_numba.weigh_one(layout.columns, points, float(tau), w)
    return _kernel_numpy.weigh_one(layout, points, tau, weights)


def _numba_null(
    stratum: PairStratum,
    tau: float,
    points: Floats,
    with_logrank: bool,
    replace: bool,
    key: int,
    first: int,
    count: int,
) -> Floats:
    from . import _kernel_numba

    plan = stratum.plan
    return _kernel_numba.resample_pair(
        stratum.layout.columns,
        points,
        float(tau),
        with_logrank,
        plan.members,
        plan.starts,
        plan.from_a,
        replace,
        np.uint64(key),
        first,
        count,
    )


def _key(seed: int, stratum: int) -> int:
    """Mix seed and stratum into the 64-bit key of a stream family (splitmix64 finaliser, twice)."""
    z = (int(seed) * 0x9E3779B97F4A7C15 + (stratum + 1) * 0xC2B2AE3D27D4EB4F) & _MASK
    for _ in range(2):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
    return z
