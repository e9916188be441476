"""Shares of episodes with intervals over tasks: rows of one task fail together, so it is tasks that were drawn.

The interval is the delete-one-task jackknife (`proctor.analysis.stats.cluster_interval`). It is blind where all tasks
have the same rate; at 0 and 1, where that is common, Wilson's interval takes its place with each task as one trial.
With one task there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.stats import ClusterInterval, cluster_interval, wilson
from proctor.results import Episode

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """``k`` of ``n`` episodes of ``n_tasks`` tasks, with its interval over tasks."""

    k: int
    n: int
    n_tasks: int
    interval: tuple[float, float] | None

    @property
    def rate(self) -> float | None:
        """Return k / n, or None when n is 0."""
        return self.k / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Difference:
    """Rate of the second group minus that of the first, over the tasks that both have.

    The interval is over tasks too; None with one task, or where all tasks change alike, which says nothing of others.
    """

    value: float
    interval: tuple[float, float] | None
    n_tasks: int


def over_tasks(
    columns: Floats,
    clusters: Sequence[Hashable],
    statistic: Callable[[Floats], Floats],
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> ClusterInterval:
    """Return a function of column sums with its 95 % interval over ``clusters``, as `pride_summary` asks for it."""
    return cluster_interval(columns, clusters, statistic, bounds=bounds)


def ratio(sums: Floats) -> Floats:
    """Return the first sum over the second, nan where the latter is 0."""
    top, bottom = sums[..., 0], sums[..., 1]
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)


def share_of(episodes: Sequence[Episode]) -> Share:
    n, tasks = len(episodes), [episode.spec.task for episode in episodes]
    k, n_tasks = sum(bool(episode.outcome.success) for episode in episodes), len(set(tasks))
    if n_tasks < 2:
        return Share(k, n, n_tasks, None)
    if k in (0, n):
        return Share(k, n, n_tasks, wilson(n_tasks if k else 0, n_tasks))
    columns = np.array([[bool(episode.outcome.success), 1.0] for episode in episodes])
    found = over_tasks(columns, tasks, ratio, (0.0, 1.0))
    return Share(k, n, n_tasks, None if found.low is None or found.high is None else (found.low, found.high))


def difference_of(first: Sequence[Episode], second: Sequence[Episode]) -> Difference | None:
    """Return how much more often ``second`` succeeded, on shared tasks; None where no task is shared."""
    shared = {episode.spec.task for episode in first} & {episode.spec.task for episode in second}
    rows = [(0, episode) for episode in first] + [(1, episode) for episode in second]
    rows = [(side, episode) for side, episode in rows if episode.spec.task in shared]
    if not rows:
        return None
    columns = np.zeros((len(rows), 4))
    for place, (side, episode) in enumerate(rows):
        columns[place, 2 * side : 2 * side + 2] = bool(episode.outcome.success), 1.0

    def change(sums: Floats) -> Floats:
        return ratio(sums[..., 2:]) - ratio(sums[..., :2])

    found = over_tasks(columns, [episode.spec.task for _, episode in rows], change, (-1.0, 1.0))
    if not found.se or found.low is None or found.high is None:
        return Difference(found.estimate, None, len(shared))
    return Difference(found.estimate, (found.low, found.high), len(shared))
