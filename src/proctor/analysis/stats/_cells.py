"""Scores of strata under weights, their macro score, and the influence of each episode on both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from . import _engine as engine
from ._checks import Floats
from ._kernel_numpy import episode_tables
from ._layout import EMPTY, SortedTimes, lay_out
from ._operations import Operations
from ._scores import OF_MEANS, SCORES, USES, Parts, episode_totals
from ._survival import Estimator, observation_weights

# How much each episode moves a restricted mean and a success share: the infinitesimal jackknife of the KM curve.
#
# With weight at risk Y, events d and A(u) the area under S from u to tau, the derivative of log S at u by an
# observation is -(1{T = u, event} Y - 1{T >= u} d) / (Y (Y - d)). For RMST it is the sum over u of A(u) times that,
# for F(tau) minus S(tau) times the sum. Added up over an episode's operations and squared, this is a variance that
# respects clusters.


@dataclass(frozen=True, slots=True)
class Influence:
    """RMST(tau) and F(tau) for m weightings, [m], and each episode's influence on them, [m, episodes]."""

    rmst: Floats
    cdf: Floats
    on_rmst: Floats
    on_cdf: Floats


def influence(layout: SortedTimes, tau: float, weights: Floats) -> Influence:
    """Return curves' summaries and influences under episode weights [episodes, m], by dense matrix products."""
    at_risk, events = episode_tables(layout)
    y, d = weights.T @ at_risk, weights.T @ events
    left = y - d
    fall = np.divide(d, y, out=np.zeros_like(y), where=y > EMPTY)
    survival = np.asarray(np.cumprod(1.0 - fall, axis=1), dtype=np.float64)
    widths = np.diff(np.append(layout.grid, tau))
    area = np.cumsum((survival * widths)[:, ::-1], axis=1)[:, ::-1]
    start = layout.grid[0] if layout.grid.size else tau
    rmst = start + (area[:, 0] if layout.grid.size else 0.0)
    end = survival[:, -1] if layout.grid.size else np.ones(weights.shape[1])
    inverse = np.divide(1.0, left, out=np.zeros_like(y), where=left > EMPTY)
    hazard = inverse * fall

    def spread(height: Floats) -> Floats:
        return np.asarray((height * hazard) @ at_risk.T - (height * inverse) @ events.T)

    return Influence(
        np.broadcast_to(rmst, end.shape).astype(np.float64),
        1.0 - end,
        spread(area),
        -end[:, None] * spread(np.ones_like(area)),
    )


def influence_once(layout: SortedTimes, tau: float) -> Influence:
    """As `influence` for weights of 1, in time and memory linear in the number of observations."""
    size = layout.starts[-1]
    group = np.repeat(np.arange(layout.grid.size), np.diff(layout.starts))
    episode, event, weight = layout.episode[:size], layout.event[:size], layout.weight[:size]
    leaving = np.bincount(group, weights=weight, minlength=layout.grid.size)
    d = np.bincount(group, weights=weight * event, minlength=layout.grid.size)
    y = layout.total.sum() - np.concatenate(([0.0], np.cumsum(leaving)[:-1])) if size else np.zeros(0)
    left = y - d
    fall = np.divide(d, y, out=np.zeros_like(y), where=y > EMPTY)
    survival = np.cumprod(1.0 - fall)
    widths = np.diff(np.append(layout.grid, tau))
    area = np.cumsum((survival * widths)[::-1])[::-1]
    inverse = np.divide(1.0, left, out=np.zeros_like(y), where=left > EMPTY)
    end = float(survival[-1]) if size else 1.0
    rmst = float(layout.grid[0] + area[0]) if size else float(tau)
    n = layout.total.size
    inside = np.bincount(episode, weights=weight, minlength=n)

    def spread(height: Floats) -> Floats:
        up_to = np.cumsum(height * inverse * fall)
        per_row = weight * (up_to[group] - event * (height * inverse)[group])
        beyond = (layout.total - inside) * (up_to[-1] if size else 0.0)
        return np.asarray(np.bincount(episode, weights=per_row, minlength=n) + beyond, dtype=np.float64)

    return Influence(
        np.array([rmst]),
        np.array([1.0 - end]),
        spread(area)[None, :],
        -end * spread(np.ones_like(area))[None, :],
    )


@dataclass(frozen=True, slots=True)
class StratumData:
    """Sorted observations and per-episode totals of one stratum."""

    layout: SortedTimes
    done: Floats
    items: Floats
    hours: Floats
    unfinished: Floats

    @property
    def size(self) -> int:
        return int(self.layout.total.size)

    @property
    def totals(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Per-episode columns that scores add up."""
        return self.done, self.items, self.hours, self.unfinished


def make_cells(arm: Operations, tau: float, estimator: Estimator, pooled: bool) -> dict[str, StratumData]:
    """Return the cells of an arm by stratum, or one cell ``all`` with everything when ``pooled``."""
    weights = observation_weights(arm.events, arm.episode, estimator)
    totals = episode_totals(arm)
    everything = {"all": (np.arange(arm.n_episodes), np.arange(arm.times.size))}
    code = np.empty(arm.n_episodes, dtype=np.int64)
    cells = {}
    for label, (episodes, rows) in (everything if pooled else arm.groups()).items():
        code[episodes] = np.arange(episodes.size)
        own = code[arm.episode[rows]]
        layout = lay_out(arm.times[rows], arm.events[rows], own, weights[rows], episodes.size, tau)
        cells[label] = StratumData(layout, *(total[episodes] for total in totals))
    return cells


def weigh(cell: StratumData, tau: float, weights: Floats, reference_rmst: Floats | None = None) -> Parts:
    """Return what scores are made of under episode weights [episodes, m]."""
    rows = engine.weigh_one(cell.layout, np.array([tau]), tau, weights)
    human = np.ones(weights.shape[1]) if reference_rmst is None else reference_rmst
    return Parts(tau, rows[0], rows[1], human, *(column @ weights for column in cell.totals))


def whole(cell: StratumData) -> Floats:
    """Return the weights of the sample as it is, [episodes, 1]."""
    return np.ones((cell.size, 1))


def macro(score: str, parts: Sequence[Parts]) -> Floats:
    """Return the score over strata: the mean of each stratum's, or the score of the means (`OF_MEANS`)."""
    if score in OF_MEANS:
        return SCORES[score](_mean(parts))
    return np.asarray(np.mean([SCORES[score](part) for part in parts], axis=0))


@dataclass(frozen=True, slots=True)
class Effects:
    """A macro score for m weightings [m], and each episode's influence on it, by stratum [m, episodes]."""

    value: Floats
    own: tuple[Floats, ...]
    reference: tuple[Floats, ...]


def effects(
    score: str,
    cells: Sequence[StratumData],
    tau: float,
    counts: Sequence[Floats] | None = None,
    human: Sequence[StratumData] = (),
    human_counts: Sequence[Floats] | None = None,
) -> Effects:
    """Return the macro score and influences by the delta method; without ``counts`` for the sample as it is."""
    own = [_influence(cell, tau, None if counts is None else counts[i]) for i, cell in enumerate(cells)]
    other = [_influence(cell, tau, None if human_counts is None else human_counts[i]) for i, cell in enumerate(human)]
    parts = []
    for i, cell in enumerate(cells):
        weights = whole(cell) if counts is None else counts[i]
        human_rmst = other[i].rmst if human else np.ones(own[i].rmst.size)
        parts.append(Parts(tau, own[i].rmst, own[i].cdf, human_rmst, *(column @ weights for column in cell.totals)))
    shared = _mean(parts) if score in OF_MEANS else None
    totals, references = [], []
    for i, cell in enumerate(cells):
        base = shared or parts[i]
        on = dict(zip(("done", "items", "hours", "unfinished"), (c[None, :] for c in cell.totals), strict=True))
        on |= {"rmst": own[i].on_rmst, "cdf": own[i].on_cdf}
        total = np.zeros((own[i].rmst.size, cell.size))
        for name in sorted(USES[score]):
            total += _slope(score, base, name)[:, None] * on[name]
        totals.append(total / len(cells))
        if human:
            slope = _slope(score, base, "reference_rmst")[:, None]
            references.append(slope * other[i].on_rmst / len(cells))
    return Effects(macro(score, parts), tuple(totals), tuple(references))


def _influence(cell: StratumData, tau: float, counts: Floats | None) -> Influence:
    return influence_once(cell.layout, tau) if counts is None else influence(cell.layout, tau, counts)


def _mean(parts: Sequence[Parts]) -> Parts:
    names = [field.name for field in fields(Parts)][1:]
    return Parts(parts[0].tau, *(np.mean([getattr(part, name) for part in parts], axis=0) for name in names))


def _slope(score: str, parts: Parts, name: str) -> Floats:
    """Central difference of the score's formula in one of its parts; 0 where the score is infinite."""
    value = getattr(parts, name)
    step = 1e-6 * np.maximum(np.abs(value), 1e-3)
    given = {field.name: getattr(parts, field.name) for field in fields(Parts)}
    with np.errstate(invalid="ignore", divide="ignore"):
        up = SCORES[score](Parts(**{**given, name: value + step}))
        down = SCORES[score](Parts(**{**given, name: value - step}))
        slope = (up - down) / (2 * step)
    return np.where(np.isfinite(slope), slope, 0.0)
