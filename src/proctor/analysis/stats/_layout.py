"""How a stratum lies in memory for resampling: observations sorted by time once, episodes grouped into blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._checks import Bools, Floats, Ints
from ._survival import weighted_curve

EMPTY = 1e-9
"""Weight at risk below which a risk set counts as empty (fractional weights leave rounding dust)."""


@dataclass(frozen=True, slots=True)
class SortedTimes:
    """Observations of one stratum with finite time <= tau, sorted; tied times share a group of ``grid``.

    ``starts`` [groups + 1] are offsets of the groups; ``total`` is each episode's whole weight, ghosts and later
    times included; ``pooled_jump`` is the step of the pooled F at each grid time, the Cramer-von Mises measure.
    """

    starts: Ints
    grid: Floats
    episode: Ints
    event: Bools
    weight: Floats
    total: Floats
    pooled_jump: Floats

    @property
    def columns(self) -> tuple[Ints, Floats, Ints, Bools, Floats, Floats, Floats]:
        """All arrays in order, as the compiled kernel takes them."""
        return (self.starts, self.grid, self.episode, self.event, self.weight, self.total, self.pooled_jump)


@dataclass(frozen=True, slots=True)
class SwapBlocks:
    """Which episodes may change places: block k is ``members[starts[k]:starts[k + 1]]``, ``from_a[k]`` are arm a's.

    An episode may be a member several times (a subsample drawn with replacement).
    """

    members: Ints
    starts: Ints
    from_a: Ints


def lay_out(times: Floats, events: Bools, episode: Ints, weights: Floats, n_episodes: int, tau: float) -> SortedTimes:
    """Sort one stratum's observations for walking up to ``tau`` seconds."""
    used = weights > 0
    times, events, episode, weights = times[used], events[used], episode[used], weights[used]
    total = np.bincount(episode, weights=weights, minlength=n_episodes).astype(np.float64)
    pooled = weighted_curve(times, events, weights)
    inside = np.flatnonzero(times <= tau)
    order = inside[np.argsort(times[inside], kind="stable")]
    grid, first = np.unique(times[order], return_index=True)
    starts = np.append(first, order.size).astype(np.int64)
    jump = -np.diff(np.concatenate(([1.0], pooled.survival_at(grid))))
    return SortedTimes(starts, grid, episode[order].astype(np.int64), events[order], weights[order], total, jump)


def plan_blocks(in_a: Bools, block: Ints) -> SwapBlocks:
    """Group episodes by block; within a block arm a's come first."""
    members = np.lexsort((~in_a, block)).astype(np.int64)
    _, first = np.unique(block[members], return_index=True)
    starts = np.append(first, members.size).astype(np.int64)
    from_a = np.add.reduceat(in_a[members].astype(np.int64), first)
    return SwapBlocks(members, starts, np.asarray(from_a, dtype=np.int64))
