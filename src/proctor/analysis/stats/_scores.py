"""Scores of one arm: functionals of its time-to-success curve, strata with equal weight.

With R = RMST(tau) and F = F(tau) of a stratum's Kaplan-Meier curve (their means over strata in rates per hour):

rmst                 R, seconds per operation up to the horizon; smaller is better
success              F, the share done within tau
uph                  3600 F / R, successes per hour of attempts given up at tau (renewal reward): the long-run rate
uph_conditional      3600 / E[T | T <= tau] = 3600 F / (R - tau (1 - F)): the paper's Table 1; ignores failures
uph_inverse          3600 / R: the paper's "proportional to" form
failures_per_hour    3600 (1 - F) / R
mtbf                 its inverse R / (1 - F), seconds between operations not done within tau; infinite without any
hrt                  R of the reference cohort / R: relative throughput (paper, section 3.2)
items_per_hour       items done / hours of episodes; what a leaderboard counts
unfinished_per_hour  episodes that did not finish all items / hours of episodes
mtbf_episodes        its inverse, in seconds: the leaderboard's
completion           items done / items offered

Sources: PhAIL paper (arXiv 2605.29710) Table 1, section 3.2; docs/reference/errata/phail.md says why the
first UPH is the default.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ._checks import Floats, StatsError, tally
from ._operations import Cohort, Operations

Score = Literal[
    "rmst",
    "success",
    "uph",
    "uph_conditional",
    "uph_inverse",
    "failures_per_hour",
    "mtbf",
    "hrt",
    "items_per_hour",
    "unfinished_per_hour",
    "mtbf_episodes",
    "completion",
]


@dataclass(frozen=True, slots=True)
class Parts:
    """What scores are made of, for one stratum and any number of resamples: arrays of one shape."""

    tau: float
    rmst: Floats
    cdf: Floats
    reference_rmst: Floats
    done: Floats
    items: Floats
    hours: Floats
    unfinished: Floats


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """Return top / bottom with x / 0 = inf and 0 / 0 = 0."""
    safe = np.where(bottom == 0, 1.0, bottom)
    return np.where(bottom == 0, np.where(np.asarray(top) > 0, np.inf, 0.0), top / safe)


SCORES: dict[str, Callable[[Parts], Floats]] = {
    "rmst": lambda x: x.rmst,
    "success": lambda x: x.cdf,
    "uph": lambda x: _ratio(3600 * x.cdf, x.rmst),
    "uph_conditional": lambda x: _ratio(3600 * x.cdf, np.maximum(0.0, x.rmst - x.tau * (1 - x.cdf))),
    "uph_inverse": lambda x: _ratio(np.full_like(x.rmst, 3600.0), x.rmst),
    "failures_per_hour": lambda x: _ratio(3600 * (1 - x.cdf), x.rmst),
    "hrt": lambda x: _ratio(x.reference_rmst, x.rmst),
    "items_per_hour": lambda x: _ratio(x.done, x.hours),
    "unfinished_per_hour": lambda x: _ratio(x.unfinished, x.hours),
    "completion": lambda x: _ratio(x.done, x.items),
}
USES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("rmst", "uph_inverse", "hrt"), frozenset({"rmst"})),
    "success": frozenset({"cdf"}),
    **dict.fromkeys(("uph", "uph_conditional", "failures_per_hour"), frozenset({"rmst", "cdf"})),
    "items_per_hour": frozenset({"done", "hours"}),
    "unfinished_per_hour": frozenset({"unfinished", "hours"}),
    "completion": frozenset({"done", "items"}),
}
"""Which of the arm's own parts a score depends on."""

OF_MEANS = frozenset({"uph", "uph_conditional", "uph_inverse", "failures_per_hour"})
"""Scores of the strata's mean R and mean F, as if strata were tried in turn; the other scores average over strata.

A mean of ratios of few episodes each would be biased upwards."""

INVERSE: dict[str, Score] = {"mtbf": "failures_per_hour", "mtbf_episodes": "unfinished_per_hour"}
"""Seconds between events, and the rate per hour whose inverse they are."""

BY_EPISODE = frozenset({"items_per_hour", "unfinished_per_hour", "mtbf_episodes", "completion"})
"""Scores that need each episode's duration and number of items, which only `operations` of episodes provides."""

SHARES = frozenset({"success", "completion"})
"""Scores bounded by 0 and 1."""

SPANS: dict[str, float | None] = {"rmst": None, "success": 1.0, "completion": 1.0}
"""Bounded scores and their upper bound; None is the horizon tau. The other scores are positive without a bound."""


def check_score(name: str, arm: Operations, reference: Cohort | None) -> None:
    """Raise unless the arm carries what the score needs."""
    if name not in SCORES and name not in INVERSE:
        raise StatsError(f"score is {name!r}: choose one of {', '.join(sorted({*SCORES, *INVERSE}))}")
    if name in BY_EPISODE and (arm.duration_s is None or arm.items is None):
        raise StatsError(f"score {name!r} needs durations and item counts: build the arm with operations(rows)")
    if (name == "hrt") != (reference is not None):
        raise StatsError(
            "score 'hrt' needs reference=Cohort(name, arm), what it is relative to"
            if name == "hrt"
            else f"score {name!r} takes no reference cohort"
        )
    if reference is not None:
        missing = sorted(set(arm.strata) - set(reference.arm.strata))
        if missing:
            raise StatsError(f"the reference cohort {reference.name!r} has no episodes in stratum {missing[0]!r}")


def episode_totals(arm: Operations) -> tuple[Floats, Floats, Floats, Floats]:
    """Return per episode: items done, items offered, hours, and 1 where not all were done."""
    done = tally(arm.episode, arm.events & np.isfinite(arm.times), arm.n_episodes)
    items = done if arm.items is None else arm.items.astype(np.float64)
    hours = np.zeros(arm.n_episodes) if arm.duration_s is None else arm.duration_s / 3600
    return done, items, hours, (done < items).astype(np.float64)
