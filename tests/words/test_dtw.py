"""Dynamic time warping against a plain table, and what it must and must not notice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from proctor.analysis.failures import dtw_distances, dtw_open_end, resample, resample_all
from proctor.tasks.words import LanguageError

Floats = NDArray[np.float64]


def plain(x: Floats, y: Floats) -> float:
    """The whole table, cell by cell, with Python numbers."""
    table = [[math.inf] * (len(y) + 1) for _ in range(len(x) + 1)]
    table[0][0] = 0.0
    for i, a in enumerate(x, start=1):
        for j, b in enumerate(y, start=1):
            best = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
            table[i][j] = math.dist(a, b) + best
    return table[-1][-1] / len(x)


def made(seed: int, count: int, points: int = 50) -> Floats:
    return np.random.default_rng(seed).normal(size=(count, points, 3)).cumsum(axis=1) * 0.01


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_equal_to_the_plain_table(engine: str) -> None:
    paths, reference = made(1, 60), made(2, 1)[0]
    expected = [plain(path, reference) for path in paths]
    assert np.abs(dtw_distances(paths, reference, engine=engine) - expected).max() < 1e-12  # type: ignore[arg-type]
    own = made(3, 60, points=37)
    expected = [plain(path, mine) for path, mine in zip(paths, own, strict=True)]
    assert np.abs(dtw_distances(paths, own, engine=engine) - expected).max() < 1e-12  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_an_open_end_is_the_cheapest_end(engine: str) -> None:
    paths, reference = made(7, 30, points=20), made(8, 1, points=30)[0]
    cost, progress = dtw_open_end(paths, reference, engine=engine)  # type: ignore[arg-type]
    for path, found, share in zip(paths, cost, progress, strict=True):
        ends = [plain(path, reference[:end]) for end in range(1, 31)]
        assert found == pytest.approx(min(ends), abs=1e-12)
        assert share == (int(np.argmin(ends)) + 1) / 30
    whole = made(9, 1, points=30)
    assert dtw_open_end(whole[:, :12], whole[0], engine=engine)[1][0] == pytest.approx(12 / 30)  # type: ignore[arg-type]


def test_engines_and_threads_give_equal_numbers() -> None:
    paths, reference = made(4, 5000), made(5, 1)[0]
    first = dtw_distances(paths, reference, engine="numba", threads=1)
    assert np.array_equal(first, dtw_distances(paths, reference, engine="numba", threads=2))
    assert np.array_equal(first, dtw_distances(paths, reference, engine="numpy", threads=2))


@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(2, 8))
@settings(max_examples=60, deadline=None)
def test_laws(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(1, n, 3)), rng.normal(size=(m, 3))
    forth = dtw_distances(x, y)[0] * n
    back = dtw_distances(y[None], x[0])[0] * m
    assert forth == pytest.approx(back)
    assert dtw_distances(x, x[0])[0] == 0
    held = np.repeat(x, 3, axis=1)
    assert dtw_distances(held, x[0])[0] == 0, "standing still costs nothing"
    shift = rng.normal(size=3)
    assert dtw_distances(x + shift, y + shift)[0] * n == pytest.approx(forth)


def test_resampling_is_linear_in_time() -> None:
    line = np.column_stack([np.linspace(0, 1, 11), np.zeros(11), np.arange(11.0)])
    assert np.allclose(resample(line, 5)[:, 0], [0, 0.25, 0.5, 0.75, 1])
    assert np.array_equal(resample(line, 11), line)
    assert np.array_equal(resample(line[:1], 4), np.repeat(line[:1], 4, axis=0))
    path = made(6, 1, points=23)[0]
    for axis in range(3):
        expected = np.interp(np.linspace(0, 22, 50), np.arange(23), path[:, axis])
        assert np.allclose(resample(path)[:, axis], expected, atol=1e-15)
    assert resample_all([line, line[:3]], 7).shape == (2, 7, 3)
    assert resample_all([]).shape == (0, 50, 3)


@pytest.mark.parametrize(
    ("paths", "references"),
    [
        (np.zeros((2, 5, 3)), np.zeros((4, 2))),
        (np.zeros((2, 5, 3)), np.zeros((3, 4, 3))),
        (np.zeros((5, 3)), np.zeros((4, 3))),
    ],
)
def test_shapes_that_do_not_fit(paths: Floats, references: Floats) -> None:
    with pytest.raises(LanguageError, match="do not fit"):
        dtw_distances(paths, references)


def test_numbers_that_are_none() -> None:
    bad = np.zeros((1, 4, 3))
    bad[0, 2, 1] = np.nan
    with pytest.raises(LanguageError, match="not finite"):
        dtw_distances(bad, np.zeros((4, 3)))
    with pytest.raises(LanguageError, match="not finite"):
        resample(bad[0])
    with pytest.raises(LanguageError, match="at least one step"):
        resample(np.zeros((0, 3)))
    with pytest.raises(LanguageError, match="at least 2"):
        resample(np.zeros((5, 3)), 1)
    assert len(dtw_distances(np.zeros((0, 5, 3)), np.zeros((4, 3)))) == 0
