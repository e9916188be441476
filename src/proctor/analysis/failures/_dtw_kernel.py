"""Compiled dynamic time warping: one trajectory at a time, trajectories in parallel threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_F = TypeVar("_F", bound=Callable[..., object])


def _compiled(function: _F) -> _F:
    options = {"nogil": True, "error_model": "numpy"}
    try:
        return cast(_F, numba.njit(cache=True, **options)(function))
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compile anew in each process.
        return cast(_F, numba.njit(**options)(function))


@_compiled
def warp(paths: Floats, references: Floats, open_end: bool, result: Floats, reached: Floats) -> None:
    """Fill ``result`` [n] with the cost of ``paths`` [n, K, D] to ``references`` [n or 1, M, D].

    ``reached`` [n] gets the number of reference points that the cheapest alignment uses: all, unless ``open_end``.
    """
    count, length, width = paths.shape
    shared = references.shape[0] == 1
    row = np.empty(references.shape[1] + 1)
    for number in range(count):
        reference = references[0 if shared else number]
        row[:] = np.inf
        row[0] = 0.0
        for i in range(length):
            diagonal = row[0]
            row[0] = np.inf
            for j in range(reference.shape[0]):
                squares = 0.0
                for axis in range(width):
                    step = paths[number, i, axis] - reference[j, axis]
                    squares += step * step
                best = min(row[j + 1], row[j], diagonal)
                diagonal = row[j + 1]
                row[j + 1] = np.sqrt(squares) + best
        last = reference.shape[0]
        if open_end:
            last = np.argmin(row[1:]) + 1
        result[number], reached[number] = row[last], last
