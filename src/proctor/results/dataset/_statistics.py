"""Statistics of features as LeRobot keeps them: per episode and over all episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
Stats = dict[str, NDArray[np.float64]]


def column_stats(values: NDArray[Any]) -> Stats:
    """Return min, max, mean, std, count and quantiles over the rows of [N] or [N, D]."""
    rows = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    out = {"min": rows.min(0), "max": rows.max(0), "mean": rows.mean(0), "std": rows.std(0)}
    out |= {name: np.quantile(rows, q, axis=0) for name, q in _QUANTILES.items()}
    return {**out, "count": np.array([len(rows)], dtype=np.float64)}


def picture_stats(pictures: Sequence[NDArray[np.uint8]]) -> Stats:
    """Return the same per colour channel of pictures scaled to 0..1, in LeRobot's shape (3, 1, 1)."""
    pixels = np.concatenate([picture[::4, ::4].reshape(-1, 3) for picture in pictures]) / 255.0
    found = column_stats(pixels)
    shaped = {name: value.reshape(3, 1, 1) for name, value in found.items() if name != "count"}
    return {**shaped, "count": np.array([len(pictures)], dtype=np.float64)}


def together(parts: Sequence[Stats]) -> Stats:
    """Return the statistics over episodes; quantiles are their means weighted by length, as LeRobot computes them."""
    count = np.array([part["count"][0] for part in parts])
    weight = count / count.sum()

    def mean_of(name: str) -> NDArray[np.float64]:
        return np.asarray(sum(share * part[name] for share, part in zip(weight, parts, strict=True)))

    mean = mean_of("mean")
    spread = [
        share * (part["std"] ** 2 + (part["mean"] - mean) ** 2) for share, part in zip(weight, parts, strict=True)
    ]
    out = {
        "min": np.min([part["min"] for part in parts], axis=0),
        "max": np.max([part["max"] for part in parts], axis=0),
    }
    out |= {"mean": mean, "std": np.sqrt(np.sum(spread, axis=0))} | {name: mean_of(name) for name in _QUANTILES}
    return {**out, "count": np.array([count.sum()])}


def plain(stats: Stats) -> dict[str, Any]:
    """Return lists, with the count as a whole number."""
    return {name: [int(value[0])] if name == "count" else value.tolist() for name, value in stats.items()}
