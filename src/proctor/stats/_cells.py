"""One stratum of one arm, ready to be reweighted: its scores, and each episode's influence on them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from . import _engine as engine
from ._checks import Floats
from ._influence import influence, influence_once
from ._layout import Layout, lay_out
from ._operations import Operations
from ._scores import SCORES, USES, Parts, episode_totals
from ._survival import Estimator, observation_weights


@dataclass(frozen=True, slots=True)
class Cell:
    """Sorted observations and per-episode totals of one stratum."""

    layout: Layout
    done: Floats
    items: Floats
    hours: Floats
    unfinished: Floats

    @property
    def size(self) -> int:
        """Number of episodes."""
        return int(self.layout.total.size)

    @property
    def totals(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Per-episode columns that scores add up."""
        return self.done, self.items, self.hours, self.unfinished


def make_cells(arm: Operations, tau: float, estimator: Estimator, pooled: bool) -> dict[str, Cell]:
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
        cells[label] = Cell(layout, *(total[episodes] for total in totals))
    return cells


def weigh(cell: Cell, tau: float, weights: Floats, reference_rmst: Floats | None = None) -> Parts:
    """Return what scores are made of under episode weights [episodes, m]."""
    rows = engine.weigh_one(cell.layout, np.array([tau]), tau, weights)
    human = np.ones(weights.shape[1]) if reference_rmst is None else reference_rmst
    return Parts(tau, rows[0], rows[1], human, *(column @ weights for column in cell.totals))


def whole(cell: Cell) -> Floats:
    """Return the weights of the sample as it is, [episodes, 1]."""
    return np.ones((cell.size, 1))


@dataclass(frozen=True, slots=True)
class Effects:
    """A score for m weightings, and the influence on it of each of the arm's and of the reference's episodes."""

    value: Floats
    own: Floats
    reference: Floats


def effects(
    score: str,
    cell: Cell,
    tau: float,
    counts: Floats | None = None,
    human: Cell | None = None,
    human_counts: Floats | None = None,
) -> Effects:
    """Return score and influences by the delta method; without ``counts`` for the sample as it is."""
    own = influence_once(cell.layout, tau) if counts is None else influence(cell.layout, tau, counts)
    weights = whole(cell) if counts is None else counts
    human_rmst, on_human = np.ones(own.rmst.size), np.zeros((own.rmst.size, 0))
    if human is not None:
        other = (
            influence_once(human.layout, tau) if human_counts is None else influence(human.layout, tau, human_counts)
        )
        human_rmst, on_human = other.rmst, other.on_rmst
    base = Parts(tau, own.rmst, own.cdf, human_rmst, *(column @ weights for column in cell.totals))
    total = np.zeros((own.rmst.size, cell.size))
    on = (own.on_rmst, own.on_cdf, *(column[None, :] for column in cell.totals))
    for name, effect in zip(("rmst", "cdf", "done", "items", "hours", "unfinished"), on, strict=True):
        if name in USES[score]:
            total += _slope(score, base, name)[:, None] * effect
    if human is not None:
        on_human = _slope(score, base, "reference_rmst")[:, None] * on_human
    return Effects(SCORES[score](base), total, on_human)


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
