"""Compiled walk of two Kaplan-Meier curves at once, for 32 resamples side by side.

The pooled observations of one stratum are sorted by time once. A resample only changes how often each episode counts in
arm a and in arm b, so the walk visits each time once and updates 32 resamples in one vector operation: no sorting and
no allocation per resample. Each resample draws from its own splitmix64 stream, keyed by (seed, stratum, resample), so
results depend neither on threads nor on how the resamples are cut into chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from ._checks import Bools, Floats, Ints
from ._layout import EMPTY

LANES = 32
N_FIXED = 7

Table = tuple[Ints, Floats, Ints, Bools, Floats, Floats, Floats]
"""The columns of a `Layout`, in its order."""

_F = TypeVar("_F", bound=Callable[..., object])


def _compiled(function: _F) -> _F:
    options = {"nogil": True, "error_model": "numpy"}
    try:
        return cast(_F, numba.njit(cache=True, **options)(function))
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compile anew in each process.
        return cast(_F, numba.njit(**options)(function))


@_compiled
def _mix(z: Any) -> Any:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@_compiled
def _fill(
    wa: Floats, wb: Floats, members: Ints, starts: Ints, from_a: Ints, replace: bool, key: Any, first: int, idx: Ints
) -> None:
    """Draw LANES assignments of episodes to arms: without replacement (permutation) or from the pool with it."""
    step = np.uint64(0x9E3779B97F4A7C15)
    wa[:] = 0.0
    wb[:] = 0.0
    for lane in range(LANES):
        state = _mix(np.uint64(key) + np.uint64(first + lane + 1) * np.uint64(0xD1B54A32D192ED03))
        for block in range(from_a.size):
            lo = starts[block]
            size = starts[block + 1] - lo
            n_a = from_a[block]
            if replace:
                for j in range(size):
                    state += step
                    pick = np.int64(((_mix(state) >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))
                    if j < n_a:
                        wa[members[lo + pick], lane] += 1.0
                    else:
                        wb[members[lo + pick], lane] += 1.0
            else:
                for j in range(size):
                    idx[j] = members[lo + j]
                for j in range(n_a):
                    state += step
                    pick = j + np.int64(((_mix(state) >> np.uint64(32)) * np.uint64(size - j)) >> np.uint64(32))
                    swap = idx[j]
                    idx[j] = idx[pick]
                    idx[pick] = swap
                    wa[idx[j], lane] += 1.0
                for j in range(n_a, size):
                    wb[idx[j], lane] += 1.0


@_compiled
def _walk(
    table: Table,
    points: Floats,
    tau: float,
    with_logrank: bool,
    wa: Floats,
    wb: Floats,
    out: Floats,
) -> None:
    """Fill ``out`` rows: KS, D+, D-, RMST a - b, CvM, logrank O - E, logrank V, then F_a - F_b at each point."""
    starts, grid, episode, event, weight, total, pooled_jump = table
    na = np.zeros(LANES)
    nb = np.zeros(LANES)
    sa = np.ones(LANES)
    sb = np.ones(LANES)
    da = np.empty(LANES)
    db = np.empty(LANES)
    ca = np.empty(LANES)
    cb = np.empty(LANES)
    up = np.zeros(LANES)
    down = np.zeros(LANES)
    area = np.zeros(LANES)
    square = np.zeros(LANES)
    excess = np.zeros(LANES)
    spread = np.zeros(LANES)
    for e in range(total.size):
        for k in range(LANES):
            na[k] += total[e] * wa[e, k]
            nb[k] += total[e] * wb[e, k]
    before = 0.0
    point = 0
    for g in range(grid.size):
        while point < points.size and points[point] < grid[g]:
            for k in range(LANES):
                out[N_FIXED + point, k] = sb[k] - sa[k]
            point += 1
        width = grid[g] - before
        before = grid[g]
        happened = False
        for k in range(LANES):
            area[k] += (sa[k] - sb[k]) * width
            da[k] = 0.0
            db[k] = 0.0
            ca[k] = 0.0
            cb[k] = 0.0
        for i in range(starts[g], starts[g + 1]):
            e = episode[i]
            w = weight[i]
            if event[i]:
                happened = True
                for k in range(LANES):
                    da[k] += w * wa[e, k]
                    db[k] += w * wb[e, k]
            else:
                for k in range(LANES):
                    ca[k] += w * wa[e, k]
                    cb[k] += w * wb[e, k]
        if happened:
            if with_logrank:
                for k in range(LANES):
                    n = na[k] + nb[k]
                    d = da[k] + db[k]
                    if n > 0.0:
                        excess[k] += da[k] - d * na[k] / n
                    if n > 1.0:
                        spread[k] += d * na[k] * nb[k] * (n - d) / (n * n * (n - 1.0))
            jump = pooled_jump[g]
            for k in range(LANES):
                fall_a = da[k] / na[k] if na[k] > EMPTY else 0.0
                fall_b = db[k] / nb[k] if nb[k] > EMPTY else 0.0
                sa[k] *= 1.0 - fall_a
                sb[k] *= 1.0 - fall_b
                gap = sb[k] - sa[k]
                up[k] = gap if gap > up[k] else up[k]
                down[k] = -gap if -gap > down[k] else down[k]
                square[k] += jump * gap * gap
        for k in range(LANES):
            na[k] -= da[k] + ca[k]
            nb[k] -= db[k] + cb[k]
    while point < points.size:
        for k in range(LANES):
            out[N_FIXED + point, k] = sb[k] - sa[k]
        point += 1
    for k in range(LANES):
        out[0, k] = up[k] if up[k] > down[k] else down[k]
        out[1, k] = up[k]
        out[2, k] = down[k]
        out[3, k] = area[k] + (sa[k] - sb[k]) * (tau - before)
        out[4, k] = square[k]
        out[5, k] = excess[k]
        out[6, k] = spread[k]


@_compiled
def resample_pair(
    table: Table,
    points: Floats,
    tau: float,
    with_logrank: bool,
    members: Ints,
    block_starts: Ints,
    from_a: Ints,
    replace: bool,
    key: Any,
    first: int,
    count: int,
) -> Floats:
    """Return statistics [rows, count] of resamples ``first`` .. ``first + count - 1``."""
    total = table[5]
    out = np.empty((N_FIXED + points.size, LANES))
    result = np.empty((N_FIXED + points.size, count))
    wa = np.empty((total.size, LANES))
    wb = np.empty((total.size, LANES))
    idx = np.empty(members.size, np.int64)
    done = 0
    while done < count:
        _fill(wa, wb, members, block_starts, from_a, replace, key, first + done, idx)
        _walk(table, points, tau, with_logrank, wa, wb, out)
        width = min(LANES, count - done)
        for row in range(out.shape[0]):
            for k in range(width):
                result[row, done + k] = out[row, k]
        done += width
    return result


@_compiled
def weigh_pair(
    table: Table,
    points: Floats,
    tau: float,
    with_logrank: bool,
    all_a: Floats,
    all_b: Floats,
) -> Floats:
    """Return statistics [rows, m] for given episode weights ``all_a`` and ``all_b`` [episodes, m]."""
    total = table[5]
    count = all_a.shape[1]
    out = np.empty((N_FIXED + points.size, LANES))
    result = np.empty((N_FIXED + points.size, count))
    wa = np.zeros((total.size, LANES))
    wb = np.zeros((total.size, LANES))
    for done in range(0, count, LANES):
        width = min(LANES, count - done)
        for e in range(total.size):
            for k in range(width):
                wa[e, k] = all_a[e, done + k]
                wb[e, k] = all_b[e, done + k]
        _walk(table, points, tau, with_logrank, wa, wb, out)
        for row in range(out.shape[0]):
            for k in range(width):
                result[row, done + k] = out[row, k]
    return result


@_compiled
def weigh_one(
    table: Table,
    points: Floats,
    tau: float,
    weights: Floats,
) -> Floats:
    """Return [RMST(tau), F(points)...] x m of one curve under given episode weights [episodes, m]."""
    starts, grid, episode, event, weight, total, _ = table
    count = weights.shape[1]
    result = np.empty((1 + points.size, count))
    wa = np.zeros((total.size, LANES))
    n = np.empty(LANES)
    s = np.empty(LANES)
    d = np.empty(LANES)
    c = np.empty(LANES)
    area = np.empty(LANES)
    for done in range(0, count, LANES):
        width = min(LANES, count - done)
        for e in range(total.size):
            for k in range(width):
                wa[e, k] = weights[e, done + k]
        for k in range(LANES):
            n[k] = 0.0
            s[k] = 1.0
            area[k] = 0.0
        for e in range(total.size):
            for k in range(LANES):
                n[k] += total[e] * wa[e, k]
        before = 0.0
        point = 0
        for g in range(grid.size):
            while point < points.size and points[point] < grid[g]:
                for k in range(width):
                    result[1 + point, done + k] = 1.0 - s[k]
                point += 1
            gap = grid[g] - before
            before = grid[g]
            for k in range(LANES):
                area[k] += s[k] * gap
                d[k] = 0.0
                c[k] = 0.0
            for i in range(starts[g], starts[g + 1]):
                e = episode[i]
                w = weight[i]
                if event[i]:
                    for k in range(LANES):
                        d[k] += w * wa[e, k]
                else:
                    for k in range(LANES):
                        c[k] += w * wa[e, k]
            for k in range(LANES):
                fall = d[k] / n[k] if n[k] > EMPTY else 0.0
                s[k] *= 1.0 - fall
                n[k] -= d[k] + c[k]
        while point < points.size:
            for k in range(width):
                result[1 + point, done + k] = 1.0 - s[k]
            point += 1
        for k in range(width):
            result[0, done + k] = area[k] + s[k] * (tau - before)
    return result
