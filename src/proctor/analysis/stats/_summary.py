"""Scores with intervals of many policies at once, from columns of one-operation episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._bootstrap import Interval, score_intervals
from ._checks import StatsError, as_labels, as_vector
from ._operations import Operations
from ._scores import Score

COLUMNS = ("policy", "stratum", "success", "time_s")


def summarise(
    columns: Mapping[str, ArrayLike],
    *,
    tau: float,
    scores: Sequence[Score] = ("success", "rmst", "uph", "mtbf"),
    conf: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> dict[str, dict[str, Interval]]:
    """Return {policy: {score: interval}} for columns policy, stratum, success (0 or 1) and time_s.

    ``time_s`` is when an episode succeeded, or when it ended without success. Policies are sorted by name.
    """
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise StatsError(f"column {missing[0]!r} is missing: a summary needs {', '.join(COLUMNS)}")
    times = as_vector(columns["time_s"], "time_s")
    success = np.asarray(columns["success"])
    policy = as_labels(columns["policy"], times.size, "policy")
    stratum = as_labels(columns["stratum"], times.size, "stratum")
    if success.shape != times.shape:
        raise StatsError(f"success has shape {success.shape} and time_s {times.shape}: they must be equally long")
    if times.size == 0:
        raise StatsError("the columns are empty: there is nothing to summarise")
    names, code = np.unique(policy, return_inverse=True)
    order = np.argsort(code, kind="stable")
    result: dict[str, dict[str, Interval]] = {}
    for i, rows in enumerate(np.split(order, np.cumsum(np.bincount(code))[:-1])):
        arm = Operations.from_outcomes(success[rows], times[rows], stratum=stratum[rows])
        result[str(names[i])] = score_intervals(arm, scores, tau=tau, conf=conf, n_resamples=n_resamples, seed=seed)
    return result
