"""The same statistics as the compiled kernel by matrix products: for hosts without Numba, and as its oracle.

With episode weights W [m, episodes], weight at risk is W @ A and events are W @ D, where A [episode, time] and
D [episode, time] are tables of the pooled observations; curves are cumulative products along time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._checks import Bools, Floats, Ints
from ._layout import EMPTY, SortedTimes, SwapBlocks

_STEP = np.uint64(0x9E3779B97F4A7C15)


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def draw_weights(
    plan: SwapBlocks, n_episodes: int, replace: bool, key: int, first: int, count: int
) -> tuple[Floats, Floats]:
    """Return the episode weights [episodes, count] of arm a and arm b, equal to the compiled kernel's draws."""
    wa, wb = np.zeros((n_episodes, count)), np.zeros((n_episodes, count))
    lane = np.arange(count)
    number = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        state = _mix(np.uint64(key) + number * np.uint64(0xD1B54A32D192ED03))
        for block, n_a in enumerate(plan.from_a):
            members = plan.members[plan.starts[block] : plan.starts[block + 1]]
            size = members.size
            idx = np.repeat(members[:, None], count, axis=1)
            for j in range(size if replace else int(n_a)):
                state = state + _STEP
                span = np.uint64(size if replace else size - j)
                pick = (((_mix(state) >> np.uint64(32)) * span) >> np.uint64(32)).astype(np.int64)
                if replace:
                    (wa if j < n_a else wb)[members[pick], lane] += 1.0
                else:
                    pick += j
                    chosen = idx[pick, lane]
                    idx[pick, lane] = idx[j]
                    idx[j] = chosen
            if not replace:
                np.add.at(wa, (idx[:n_a], lane), 1.0)
                np.add.at(wb, (idx[n_a:], lane), 1.0)
    return wa, wb


def weigh_pair(layout: SortedTimes, points: Floats, tau: float, with_logrank: bool, wa: Floats, wb: Floats) -> Floats:
    """Return the rows of the compiled ``weigh_pair`` for episode weights [episodes, m]."""
    at_risk, events = episode_tables(layout)
    na, nb = wa.T @ at_risk, wb.T @ at_risk
    da, db = wa.T @ events, wb.T @ events
    sa, sb = _survive(na, da), _survive(nb, db)
    gap = sb - sa
    out = np.zeros((7 + points.size, wa.shape[1]))
    zero = np.zeros(wa.shape[1])
    out[1] = np.max(gap, axis=1, initial=0.0)
    out[2] = np.max(-gap, axis=1, initial=0.0)
    out[0] = np.maximum(out[1], out[2])
    widths = np.diff(np.append(layout.grid, tau))
    out[3] = -(gap @ widths)
    out[4] = (gap**2) @ layout.pooled_jump
    if with_logrank:
        n, d = na + nb, da + db
        out[5] = np.sum(da - np.divide(d * na, n, out=np.zeros_like(n), where=n > 0), axis=1)
        scale = n * n * (n - 1.0)
        out[6] = np.sum(np.divide(d * na * nb * (n - d), scale, out=np.zeros_like(n), where=n > 1), axis=1)
    for row, place in enumerate(np.searchsorted(layout.grid, points, side="right")):
        out[7 + row] = gap[:, place - 1] if place else zero
    return out


def weigh_one(layout: SortedTimes, points: Floats, tau: float, weights: Floats) -> Floats:
    """Return the rows of the compiled ``weigh_one`` for episode weights [episodes, m]."""
    at_risk, events = episode_tables(layout)
    survival = _survive(weights.T @ at_risk, weights.T @ events)
    steps = np.concatenate([np.ones((weights.shape[1], 1)), survival], axis=1)
    widths = np.diff(np.concatenate(([0.0], layout.grid, [tau])))
    places = np.searchsorted(layout.grid, points, side="right")
    return np.concatenate([(steps @ widths)[None, :], 1.0 - steps[:, places].T])


def episode_tables(layout: SortedTimes) -> tuple[Floats, Floats]:
    """Weight of each episode still at risk at each grid time, and of its events there."""
    shape = (layout.total.size, layout.grid.size)
    group: Ints = np.repeat(np.arange(layout.grid.size), np.diff(layout.starts))
    leaving, events = np.zeros(shape), np.zeros(shape)
    inside = slice(0, group.size)
    np.add.at(leaving, (layout.episode[inside], group), layout.weight[inside])
    observed: Bools = layout.event[inside]
    np.add.at(events, (layout.episode[inside][observed], group[observed]), layout.weight[inside][observed])
    gone = np.concatenate([np.zeros((shape[0], 1)), np.cumsum(leaving, axis=1)], axis=1)[:, : shape[1]]
    return layout.total[:, None] - gone, events


def _survive(at_risk: Floats, events: Floats) -> Floats:
    fall = np.divide(events, at_risk, out=np.zeros_like(at_risk), where=at_risk > EMPTY)
    return np.asarray(np.cumprod(1.0 - fall, axis=1))
