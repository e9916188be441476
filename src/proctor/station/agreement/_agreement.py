"""Agreement of two stations on the same policies and scenes.

Equal averages do not make two stations alike: they may succeed on different scenes. So outcomes are paired by policy
and scene, and three numbers are given, each with an interval over scenes (rollouts of one scene share its difficulty)::

    difference = (only the first - only the second succeeded) / n
    agreement  = (both + neither) / n
    kappa      = (agreement - chance) / (1 - chance)        chance = pa pb + (1 - pa)(1 - pb)

"No significant difference" is not sameness: the stations are called equivalent only if the interval of the difference
at confidence 1 - 2 alpha lies within ± margin (two one-sided tests).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.stats import ClusterInterval, Equivalence, cluster_interval, mcnemar_exact, tost
from proctor.core import ProctorError
from proctor.results import Episode


@dataclass(frozen=True, slots=True)
class RolloutPairing:
    """One policy on one scene at both stations: did it succeed?"""

    policy: str
    scene: str
    first: bool
    second: bool


@dataclass(frozen=True, slots=True)
class StationAgreement:
    """How far two stations agree. ``table`` counts (both, only first, only second, neither) succeeded."""

    n: int
    scenes: int
    table: tuple[int, int, int, int]
    rate_first: float
    rate_second: float
    difference: ClusterInterval
    agreement: ClusterInterval
    kappa: ClusterInterval
    p_mcnemar: float
    equivalence: Equivalence | None

    @property
    def sentence(self) -> str:
        """The result in one sentence that claims no more than it shows."""
        low, high = self.difference.low, self.difference.high
        if low is None or high is None or self.equivalence is None:
            return "one scene only: nothing can be said of others"
        span = f"difference {self.difference.estimate:+.3f} [{low:+.3f}, {high:+.3f}]"
        if low > 0 or high < 0:
            return f"the stations differ: {span}"
        margin = f"±{self.equivalence.margin:g}"
        if self.equivalence.equivalent:
            return f"the stations are equivalent within {margin}: {span}"
        return f"no difference is shown, and equivalence within {margin} is not shown either: {span}"


def agree(pairs: Iterable[RolloutPairing], *, margin: float = 0.1, conf: float = 0.95) -> StationAgreement:
    """Compare two stations on ``pairs``; intervals are over scenes."""
    rows = list(pairs)
    if not rows:
        raise ProctorError("the two stations have no policy and scene in common: nothing to compare")
    first = np.array([pair.first for pair in rows], dtype=bool)
    second = np.array([pair.second for pair in rows], dtype=bool)
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    columns = np.stack(cells, axis=1).astype(np.float64)
    scenes = [pair.scene for pair in rows]
    both, only_first, only_second, neither = (int(cell.sum()) for cell in cells)
    # Two one-sided tests at alpha = (1 - conf) use the interval of confidence 1 - 2 alpha.
    narrow = cluster_interval(columns, scenes, _difference, conf=2 * conf - 1, bounds=(-1.0, 1.0))
    judged = None
    if narrow.low is not None and narrow.high is not None:
        judged = tost(narrow.low, narrow.high, margin, alpha=1 - conf)
    return StationAgreement(
        n=len(rows),
        scenes=len(set(scenes)),
        table=(both, only_first, only_second, neither),
        rate_first=float(first.mean()),
        rate_second=float(second.mean()),
        difference=cluster_interval(columns, scenes, _difference, conf=conf, bounds=(-1.0, 1.0)),
        agreement=cluster_interval(columns, scenes, _agreement, conf=conf, bounds=(0.0, 1.0)),
        kappa=cluster_interval(columns, scenes, _kappa, conf=conf, bounds=(-1.0, 1.0)),
        p_mcnemar=mcnemar_exact(only_first, only_second),
        equivalence=judged,
    )


def by_policy(
    pairs: Sequence[RolloutPairing], *, margin: float = 0.1, conf: float = 0.95
) -> dict[str, StationAgreement]:
    """Return the agreement for each policy, in the order in which they come."""
    names = dict.fromkeys(pair.policy for pair in pairs)
    return {name: agree([pair for pair in pairs if pair.policy == name], margin=margin, conf=conf) for name in names}


def _difference(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((sums[..., 1] - sums[..., 2]) / sums.sum(axis=-1))


def _agreement(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((sums[..., 0] + sums[..., 3]) / sums.sum(axis=-1))


def _kappa(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    total = sums.sum(axis=-1)
    first, second = (sums[..., 0] + sums[..., 1]) / total, (sums[..., 0] + sums[..., 2]) / total
    chance = first * second + (1 - first) * (1 - second)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (_agreement(sums) - chance) / (1 - chance)
    return np.where(chance >= 1, 1.0, value)


# Two run folders of the same policies on the same scenes, paired.


def pairs_of_rows(first: Iterable[Episode], second: Iterable[Episode]) -> list[RolloutPairing]:
    """Pair completed episodes of two stations by policy and task, the n-th of one with the n-th of the other.

    A station's own seeds and hashes differ from the other's, so it is the scene (the task's name without its version)
    that pairs them; repeats are taken in the order of their episode number.
    """
    sides = [_by_scene(first), _by_scene(second)]
    return [
        RolloutPairing(policy, scene, one, two)
        for policy, scene in sides[0]
        for one, two in zip(sides[0][policy, scene], sides[1].get((policy, scene), ()), strict=False)
    ]


def _by_scene(rows: Iterable[Episode]) -> dict[tuple[str, str], list[bool]]:
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.spec.episode):
        if row.status == "completed":
            found[row.policy.name, row.spec.task.partition("@")[0]].append(bool(row.outcome.success))
    return found
