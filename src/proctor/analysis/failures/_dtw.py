"""Dynamic time warping of end-effector paths: exact, many at once.

    D(i, j) = |x_i - y_j| + min(D(i-1, j), D(i, j-1), D(i-1, j-1))        distance = D(K, M) / K

The local cost is Euclidean, the steps are symmetric and unweighted (Sakoe and Chiba 1978), and the sum is divided by
the number of points K, so the unit is that of the path [m per point]. The paper's fastdtw is an approximation of this
sum and some per cent too long on paths like these (``benchmarks/bench_dtw.py``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from proctor.tasks.words import LanguageError

Floats = NDArray[np.float64]
Engine = Literal["auto", "numba", "numpy"]
POINTS = 50
_CHUNK = 2000
_SMALL = 5_000_000
"""Cells below which NumPy is done before a compiler would have started."""


def resample(path: Floats, points: int = POINTS) -> Floats:
    """Return ``points`` positions evenly spaced in time along ``path`` [T, D], linearly interpolated."""
    values = np.asarray(path, dtype=np.float64)
    if values.ndim != 2 or not len(values):
        raise LanguageError(f"a path is an array [steps, axes] with at least one step, not {values.shape}")
    if not np.isfinite(values).all():
        raise LanguageError("a path holds numbers that are not finite")
    if points < 2:
        raise LanguageError(f"a path is resampled to {points} points: at least 2 are needed")
    times = np.linspace(0.0, len(values) - 1.0, points)
    left = np.minimum(times.astype(np.intp), max(len(values) - 2, 0))
    right = np.minimum(left + 1, len(values) - 1)
    share = (times - left)[:, None]
    between: Floats = values[left] * (1.0 - share) + values[right] * share
    return between


def resample_all(paths: Sequence[Floats], points: int = POINTS) -> Floats:
    """Return [n, points, D] of paths of any lengths."""
    return np.stack([resample(path, points) for path in paths]) if paths else np.zeros((0, points, 3))


def dtw_distances(paths: Floats, references: Floats, *, engine: Engine = "auto", threads: int | None = None) -> Floats:
    """Return the distance [n] of ``paths`` [n, K, D] to ``references``: one [M, D] for all, or one each [n, M, D].

    ``numba`` and ``numpy`` give equal numbers; ``auto`` compiles once, for the first large input.
    """
    return _warped(paths, references, False, engine, threads)[0]


def dtw_open_end(
    paths: Floats, references: Floats, *, engine: Engine = "auto", threads: int | None = None
) -> tuple[Floats, Floats]:
    """As `dtw_distances`, but a path need not come to its reference's end: min over j of D(K, j) / K.

    The second array [n] is how far it came, as a share of the reference: the smallest such j over M.
    """
    return _warped(paths, references, True, engine, threads)


def _warped(
    paths: Floats, references: Floats, open_end: bool, engine: Engine, threads: int | None
) -> tuple[Floats, Floats]:
    x = np.ascontiguousarray(paths, dtype=np.float64)
    y = np.ascontiguousarray(references, dtype=np.float64)
    y = y[None] if y.ndim == 2 else y
    fit = x.ndim == y.ndim == 3 and x.shape[2] == y.shape[2] and len(y) in (1, len(x))
    if not fit or 0 in (*x.shape[1:], y.shape[1]):
        raise LanguageError(f"paths {x.shape} and references {y.shape} do not fit: [n, K, D] and [M, D] or [n, M, D]")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise LanguageError("a path holds numbers that are not finite")
    if engine == "auto":
        compiled = f"{__package__}._dtw_kernel" in sys.modules
        engine = "numba" if compiled or len(x) * x.shape[1] * y.shape[1] >= _SMALL else "numpy"
    compute = _numba if engine == "numba" else _numpy
    result, reached = np.zeros(len(x)), np.zeros(len(x))
    parts = [slice(start, start + _CHUNK) for start in range(0, len(x), _CHUNK)]

    def work(part: slice) -> None:
        compute(x[part], y if len(y) == 1 else y[part], open_end, result[part], reached[part])

    with ThreadPoolExecutor(threads or min(os.cpu_count() or 1, 8)) as pool:
        list(pool.map(work, parts))
    return result / x.shape[1], reached / y.shape[1]


def _numba(x: Floats, y: Floats, open_end: bool, result: Floats, reached: Floats) -> None:
    from ._dtw_kernel import warp

    warp(x, y, open_end, result, reached)


def _numpy(x: Floats, y: Floats, open_end: bool, result: Floats, reached: Floats) -> None:
    """Go through the table cell by cell, each cell for all trajectories at once; two rows are kept."""
    length, width = y.shape[1], len(x)
    above = np.full((length + 1, width), np.inf)
    above[0] = 0.0
    for i in range(x.shape[1]):
        squares = np.zeros((length, width))
        for axis in range(x.shape[2]):
            squares += (x[:, i, axis][None, :] - y[:, :, axis].T) ** 2
        cost = np.sqrt(squares)
        row = np.full_like(above, np.inf)
        for j in range(length):
            row[j + 1] = cost[j] + np.minimum(np.minimum(above[j + 1], row[j]), above[j])
        above = row
    last = above[1:].argmin(axis=0) + 1 if open_end else np.full(width, length)
    result[:], reached[:] = above[last, np.arange(width)], last
