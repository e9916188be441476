"""Failure classes from paths: near the path of the successes (execution) or far from it (planning).

Algorithm 1 of LIBERO-Para (appendix D.3), for the episodes of one task and one policy: the mean of the successes, each
resampled to K points, is the reference; every episode is cut at the length of the longest success, resampled, and
compared with the reference by dynamic time warping; the threshold tau is the largest distance of a success. A failure
within it is near (it went the right way and slipped), one beyond it is far (it went elsewhere).

``paper`` is that. It calls nearly every failure far, also those that we caused by a hand that does not hold: successes
stop when they succeed, while a failure goes on, never comes to the reference's end, and is compared with it all the
same. ``corrected`` changes five things. A success is left out of the mean that it is measured against. The path must
stay on the reference's way but need not come to its end (open-end warping). It must come `MIN_PROGRESS` of the way:
standing still is no slip. Where other tasks share the scene, their references are rivals: what counts is how much
farther the path is from its own reference than from the nearest rival's, so a path that follows another task's way is
far even if the ways begin alike, and one that shakes is not. With fewer than `MIN_SUCCESSES` successes the answer is
``undefined``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from proctor.tasks.words import LanguageError

from ._dtw import POINTS, dtw_distances, dtw_open_end, resample_all

Floats = NDArray[np.float64]
Threshold = Literal["max", "p99", "p95", "p90"]
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
FailureClass = Literal["success", "near", "far", "undefined"]
MIN_SUCCESSES = 5
MIN_PROGRESS = 0.25
_SHARES: dict[Threshold, float] = {"max": 1.0, "p99": 0.99, "p95": 0.95, "p90": 0.9}


@dataclass(frozen=True, slots=True)
class PathClasses:
    """Classes of the episodes of one task, in their order, under each threshold.

    ``distances`` [n] are to the mean success, ``rivals`` [n] to the nearest rival (0 without one), both in metres per
    point; ``progress`` [n] is the share of the reference that was followed; ``success_distances`` are those behind the
    threshold. Without a reference distances are nan and thresholds are empty.
    """

    mode: Literal["corrected", "paper"]
    success: NDArray[np.bool_]
    distances: Floats
    rivals: Floats
    progress: Floats
    success_distances: Floats
    thresholds: dict[Threshold, float]
    reference: Floats | None

    def classes(self, threshold: Threshold = "max") -> list[FailureClass]:
        """Return the class of every episode under ``threshold``."""
        if threshold not in self.thresholds:
            return ["success" if won else "undefined" for won in self.success]
        close = self.distances - self.rivals <= self.thresholds[threshold]
        near = close & (self.progress >= MIN_PROGRESS)
        return [
            "success" if won else "near" if beside else "far" for won, beside in zip(self.success, near, strict=True)
        ]

    def counts(self, threshold: Threshold = "max") -> dict[FailureClass, int]:
        found = self.classes(threshold)
        return {name: found.count(name) for name in get_args(FailureClass)}


def mean_success(
    paths: Sequence[Floats], success: Sequence[bool], *, points: int = POINTS, min_successes: int = MIN_SUCCESSES
) -> Floats | None:
    """Return the mean [points, 3] of the successful ``paths``, or None where there are too few of them."""
    won = [np.asarray(path, dtype=np.float64)[:, :3] for path, good in zip(paths, success, strict=True) if good]
    return resample_all(won, points).mean(axis=0) if len(won) >= min_successes else None


def classify_paths(
    paths: Sequence[Floats],
    success: Sequence[bool],
    *,
    mode: Literal["corrected", "paper"] = "corrected",
    rivals: Sequence[Floats] = (),
    points: int = POINTS,
    min_successes: int = MIN_SUCCESSES,
) -> PathClasses:
    """Classify the episodes of one task by their end-effector ``paths`` [T, 3], each from its start to its end.

    ``rivals`` are references of other tasks in the same scene (`mean_success`); only ``corrected`` looks at them.
    """
    good = np.asarray(success, dtype=bool)
    if len(paths) != len(good):
        raise LanguageError(f"{len(paths)} paths and {len(good)} outcomes: each episode needs both")
    needed = 1 if mode == "paper" else max(min_successes, 2)
    reference = mean_success(paths, good.tolist(), points=points, min_successes=needed)
    nothing = np.full(len(paths), np.nan)
    if reference is None:
        return PathClasses(mode, good, nothing, nothing, nothing, np.zeros(0), {}, None)
    longest = max(len(path) for path, won in zip(paths, good, strict=True) if won)
    cut = resample_all([np.asarray(path, dtype=np.float64)[:longest, :3] for path in paths], points)
    nearest = np.zeros(len(paths))
    if mode == "paper":
        distances, progress = dtw_distances(cut, reference), np.ones(len(paths))
        of_success = distances[good]
    else:
        distances, progress = dtw_open_end(cut, reference)
        won = cut[good]
        of_success = dtw_open_end(won, (won.sum(axis=0) - won) / (len(won) - 1))[0]
        if rivals:
            nearest = np.min([dtw_open_end(cut, rival)[0] for rival in rivals], axis=0)
    limits = {name: float(np.quantile(of_success, _SHARES[name])) for name in THRESHOLDS}
    return PathClasses(mode, good, distances, nearest, progress, of_success, limits, reference)
