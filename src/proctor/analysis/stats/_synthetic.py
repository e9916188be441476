"""Made-up arms whose truth is known: for calibration, for planning by simulation, for documentation.

An episode has a speed of its own (log-normal, ``between``), its operations vary around it (``within``, log-normal, or
exponential), each is lost with probability ``ghosts``, and the episode ends after ``items`` operations or ``budget_s``
seconds. The default imitates the public counts of PhAIL: four objects, 8 items of 30 s, some 4.5 operations each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ._checks import StatsError, check_count
from ._operations import Operations


@dataclass(frozen=True, slots=True)
class Synthetic:
    """Parameters of a made-up policy. ``medians_s`` has one median per stratum."""

    medians_s: tuple[float, ...] = (40.0, 52.0, 80.0, 70.0)
    between: float = 0.6
    within: float = 0.45
    law: Literal["lognormal", "exponential"] = "lognormal"
    ghosts: float = 0.04
    items: int = 8
    budget_s: float = 240.0

    def shifted(self, log_shift: float | Sequence[float]) -> Synthetic:
        """Return the policy slowed by a factor exp(log_shift), one for all strata or one each."""
        shifts = np.broadcast_to(np.asarray(log_shift, dtype=np.float64), (len(self.medians_s),))
        return replace(self, medians_s=tuple(float(m * np.exp(s)) for m, s in zip(self.medians_s, shifts, strict=True)))

    def draw(self, n: int, rng: np.random.Generator) -> Operations:
        """Return an arm of ``n`` episodes per stratum."""
        n = check_count(n, "n", least=1)
        if self.law not in ("lognormal", "exponential"):
            raise StatsError(f"law is {self.law!r}: choose lognormal or exponential")
        strata, shape = len(self.medians_s), (len(self.medians_s), n, self.items)
        speed = np.exp(rng.normal(0.0, self.between, shape[:2])) * np.asarray(self.medians_s)[:, None]
        noise = np.exp(rng.normal(0.0, self.within, shape)) if self.law == "lognormal" else rng.exponential(1.0, shape)
        took = speed[:, :, None] * noise
        end = np.cumsum(took, axis=2)
        start = end - took
        done, lost = end <= self.budget_s, rng.random(shape) < self.ghosts
        times = np.where(done, np.where(lost, np.inf, took), self.budget_s - start)
        stratum, episode, item = np.nonzero(start < self.budget_s)
        labels = [f"object {i + 1}" for i in range(strata)]
        return Operations(
            times[stratum, episode, item],
            done[stratum, episode, item],
            (stratum * n + episode).astype(np.int64),
            np.arange(strata * n),
            np.repeat(labels, n),
            None,
            np.minimum(end[:, :, -1], self.budget_s).ravel(),
            np.full(strata * n, self.items, dtype=np.int64),
        )


GENERATORS: dict[str, Synthetic] = {
    "clustered": Synthetic(),
    "unclustered": Synthetic(between=0.0, within=0.75),
    "exponential": Synthetic(law="exponential", between=0.3),
}
"""The three laws on which every test is calibrated."""
