"""From tests to a sentence: better, different but crossing, or not resolved; and separately, shown to be equal enough.

"Not resolved" is not "equal": only an interval that lies wholly inside a margin chosen beforehand shows equivalence
(two one-sided tests, Schuirmann 1987).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._checks import check_share
from ._errors import StatsError
from ._macro import MacroTests
from ._proportions import newcombe, newcombe_paired

Outcome = Literal["a_better", "b_better", "crossing", "not_resolved"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of a pair of policies at level ``alpha``. ``p`` is the gate's, adjusted for several pairs."""

    outcome: Outcome
    p: float
    alpha: float
    reason: str

    @property
    def resolved(self) -> bool:
        """Whether the arms are shown to differ at all."""
        return self.outcome != "not_resolved"

    def sentence(self, a: str = "A", b: str = "B") -> str:
        """Say it in one sentence, without statistics beyond the p-value."""
        p = f"p = {self.p:.3g}" if self.p >= 0.001 else "p < 0.001"
        if self.outcome == "a_better":
            return f"{a} is better than {b} ({p}): {self.reason}."
        if self.outcome == "b_better":
            return f"{b} is better than {a} ({p}): {self.reason}."
        if self.outcome == "crossing":
            return f"{a} and {b} differ, but neither is better throughout ({p}): {self.reason}."
        return f"{a} and {b} are not resolved ({p}): {self.reason}."


def verdict(tests: MacroTests, *, alpha: float = 0.05, p: float | None = None) -> Verdict:
    """Decide the three-way outcome of one pair.

    The gate is ``combined_p`` (or ``p``, the same adjusted for several pairs). Past it, two significant one-sided
    macro-KS tests at alpha / 2 mean that each arm is ahead somewhere: crossing. Otherwise the direction is that of RMST
    and of the success share, whichever is significant; where neither is, or they disagree: crossing.
    """
    check_share(alpha, "alpha")
    gate = tests.combined_p if p is None else p
    if gate > alpha:
        return Verdict("not_resolved", gate, alpha, "the data so far are compatible with no difference")
    if tests.p_up <= alpha / 2 and tests.p_down <= alpha / 2:
        return Verdict("crossing", gate, alpha, "each is ahead at some times or on some tasks")
    # Positive: a ahead. A longer restricted mean is slower, a larger success share is better.
    signs = {
        "time to success": -_sign(tests.rmst.statistic) if tests.rmst.p <= alpha else 0,
        "success rate": _sign(tests.success.statistic) if tests.success.p <= alpha else 0,
    }
    pointing = {name: sign for name, sign in signs.items() if sign}
    if not pointing:
        return Verdict("crossing", gate, alpha, "the shapes of their time curves differ, their means do not")
    if len(set(pointing.values())) > 1:
        return Verdict("crossing", gate, alpha, "one succeeds more often, the other sooner")
    outcome: Outcome = "a_better" if next(iter(pointing.values())) > 0 else "b_better"
    return Verdict(outcome, gate, alpha, f"ahead in {' and '.join(pointing)}")


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether the (1 - 2 alpha) interval of a difference lies inside (-margin, margin)."""

    equivalent: bool
    low: float
    high: float
    margin: float
    alpha: float


def tost(low: float, high: float, margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Judge equivalence from the (1 - 2 alpha) interval ``low`` .. ``high`` of a difference."""
    if not margin > 0:
        raise StatsError(f"margin is {margin!r}: name the largest difference that does not matter, above 0")
    if low > high:
        raise StatsError(f"the interval [{low}, {high}] is upside down")
    return Equivalence(-margin < low and high < margin, low, high, margin, check_share(alpha, "alpha"))


def tost_proportions(k_a: int, n_a: int, k_b: int, n_b: int, margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Are two independent success shares within ``margin`` of one another (Newcombe interval, two one-sided tests)?"""
    low, high = newcombe(k_a, n_a, k_b, n_b, 1 - 2 * check_share(alpha, "alpha"))
    return tost(low, high, margin, alpha=alpha)


def tost_paired(
    both: int, only_a: int, only_b: int, neither: int, margin: float, *, alpha: float = 0.05
) -> Equivalence:
    """Are two success shares on the same layouts within ``margin`` (paired Newcombe, two one-sided tests)?"""
    low, high = newcombe_paired(both, only_a, only_b, neither, 1 - 2 * check_share(alpha, "alpha"))
    return tost(low, high, margin, alpha=alpha)
