"""Why an episode failed: near the path of the successes (execution) or far from it (planning).

Algorithm 1 of LIBERO-Para (appendix D.3), for the episodes of one task and one policy: the mean of the successes, each
resampled to K points, is the reference; every episode is cut at the length of the longest success, resampled, and
compared with the reference by dynamic time warping; the threshold is the largest distance of a success. A failure
within it is near (it went the right way and slipped), one beyond it is far (it went elsewhere).

``paper`` measures each success against a mean that holds that very success, so a lone success has distance 0 and every
failure is far. ``corrected`` leaves it out of the mean that it is measured against, and answers ``undefined`` where
there are fewer than `MIN_SUCCESSES` successes: a largest distance of two says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ._dtw import POINTS, dtw_distances, resample_all
from ._errors import LanguageError

Floats = NDArray[np.float64]
Threshold = Literal["max", "p99", "p95", "p90"]
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
FailureClass = Literal["success", "near", "far", "undefined"]
MIN_SUCCESSES = 5


@dataclass(frozen=True, slots=True)
class PathClasses:
    """Classes of the episodes of one task, in their order, under each threshold.

    ``distances`` [n] are to the mean success in metres per point; ``success_distances`` are those behind the threshold
    (leave-one-out when corrected). Without a reference distances are nan and thresholds are empty.
    """

    mode: Literal["corrected", "paper"]
    success: NDArray[np.bool_]
    distances: Floats
    success_distances: Floats
    thresholds: dict[Threshold, float]
    reference: Floats | None

    def classes(self, threshold: Threshold = "max") -> list[FailureClass]:
        """Return the class of every episode under ``threshold``."""
        limit = self.thresholds.get(threshold)

        def of(good: bool, distance: float) -> FailureClass:
            if good:
                return "success"
            if limit is None:
                return "undefined"
            return "near" if distance <= limit else "far"

        return [of(bool(good), float(distance)) for good, distance in zip(self.success, self.distances, strict=True)]

    def counts(self, threshold: Threshold = "max") -> dict[FailureClass, int]:
        """Return how many episodes are in each class."""
        found = self.classes(threshold)
        return {name: found.count(name) for name in get_args(FailureClass)}


def classify_paths(
    paths: Sequence[Floats],
    success: Sequence[bool],
    *,
    mode: Literal["corrected", "paper"] = "corrected",
    points: int = POINTS,
    min_successes: int = MIN_SUCCESSES,
) -> PathClasses:
    """Classify the episodes of one task by their end-effector ``paths`` [T, 3], each from its start to its end."""
    good = np.asarray(success, dtype=bool)
    if len(paths) != len(good):
        raise LanguageError(f"{len(paths)} paths and {len(good)} outcomes: each episode needs both")
    needed = 1 if mode == "paper" else max(min_successes, 2)
    if good.sum() < needed:
        return PathClasses(mode, good, np.full(len(paths), np.nan), np.zeros(0), {}, None)
    longest = max(len(path) for path, won in zip(paths, good, strict=True) if won)
    cut = resample_all([np.asarray(path, dtype=np.float64)[:longest, :3] for path in paths], points)
    won = cut[good]
    reference = won.mean(axis=0)
    distances = dtw_distances(cut, reference)
    if mode == "paper":
        of_success = distances[good]
    else:
        others = (won.sum(axis=0) - won) / (len(won) - 1)
        of_success = dtw_distances(won, others)
    limits = {name: float(np.quantile(of_success, _SHARES[name])) for name in THRESHOLDS}
    return PathClasses(mode, good, distances, of_success, limits, reference)


_SHARES: dict[Threshold, float] = {"max": 1.0, "p99": 0.99, "p95": 0.95, "p90": 0.9}
