"""From tests to a sentence: better, different but crossing, or not resolved; and separately, shown to be equal enough.

"Not resolved" is not "equal": only an interval that lies wholly inside a margin chosen beforehand shows equivalence
(two one-sided tests, Schuirmann 1987).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._checks import StatsError, check_share
from ._macro import MacroTests

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
        why = self.reason.replace("{a}", a).replace("{b}", b)
        if self.outcome == "a_better":
            return f"{a} is better than {b} ({p}): {why}."
        if self.outcome == "b_better":
            return f"{b} is better than {a} ({p}): {why}."
        if self.outcome == "crossing":
            return f"{a} and {b} differ, but neither is better throughout ({p}): {why}."
        return f"{a} and {b} are not resolved ({p}): {why}."


def verdict(tests: MacroTests, *, alpha: float = 0.05, p: float | None = None) -> Verdict:
    """Decide the three-way outcome of one pair.

    The gate is ``combined_p`` (or ``p``, the same adjusted for several pairs). Past it, every significant sign counts:
    of RMST, of the success share, and of being ahead somewhere (one-sided macro-KS at alpha / 2). All one way is
    better; signs both ways, or none from RMST and success, is crossing.
    """
    check_share(alpha, "alpha")
    gate = tests.combined_p if p is None else p
    if gate > alpha:
        return Verdict("not_resolved", gate, alpha, "the data so far are compatible with no difference")
    # Positive: a ahead. A longer restricted mean is slower, a larger success share is better.
    means = {
        "time to success": -_sign(tests.rmst.statistic) if tests.rmst.p <= alpha else 0,
        "success rate": _sign(tests.success.statistic) if tests.success.p <= alpha else 0,
    }
    somewhere = {side for side, one_sided in ((1, tests.p_up), (-1, tests.p_down)) if one_sided <= alpha / 2}
    signs = somewhere | {sign for sign in means.values() if sign}
    if len(signs) > 1:
        often = means["success rate"]
        if often and (-often in somewhere or means["time to success"] == -often):
            more, sooner = ("{a}", "{b}") if often > 0 else ("{b}", "{a}")
            return Verdict("crossing", gate, alpha, f"{more} succeeds more often, {sooner} is sooner")
        return Verdict("crossing", gate, alpha, "each is ahead at some times or on some tasks")
    pointing = [name for name, sign in means.items() if sign]
    if not pointing:
        return Verdict("crossing", gate, alpha, "the shapes of their time curves differ, their means do not")
    outcome: Outcome = "a_better" if 1 in signs else "b_better"
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
