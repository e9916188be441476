"""Looking after every episode without paying for it: e-processes, and a stopping rule built on them.

An e-process is a wealth that cannot grow on average while the null is true; by Ville's inequality it ever reaches
1 / alpha with probability at most alpha, however often and whenever one looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Literal

from ._checks import StatsError, check_count, check_share

Decision = Literal["continue", "a_better", "b_better", "not_resolved"]


class PairedEProcess:
    """Is a pair as often won by one policy as by the other? The anytime form of McNemar's test.

    Of the discordant pairs, b won by a and c by b, each is a fair coin when the policies are equal, whatever the
    layouts have in common: the wealth is 2^(b + c) B(b + 1/2, c + 1/2) / B(1/2, 1/2), a Beta(1/2, 1/2) mixture.
    """

    def __init__(self) -> None:
        self.b = self.c = self.n = 0

    @property
    def e(self) -> float:
        """Current wealth; reject at level alpha as soon as it is at least 1 / alpha."""
        b, c = self.b + 0.5, self.c + 0.5
        value = (self.b + self.c) * log(2) + lgamma(b) + lgamma(c) - lgamma(b + c) - 2 * lgamma(0.5)
        return exp(min(value, 700.0))

    def update(self, success_a: bool, success_b: bool) -> float:
        self.b += bool(success_a) and not success_b
        self.c += bool(success_b) and not success_a
        self.n += 1
        return self.e


class BettingTest:
    """Are two bounded scores equal on average? Wealth from betting on the sign of paired differences d in [-1, 1].

    Half the capital bets that d is positive, half that it is negative: M = (prod(1 + s d) + prod(1 - s' d)) / 2, with
    stakes 0 <= s, s' <= 1/2 chosen from the past only (mean / (variance + mean^2), Waudby-Smith and Ramdas 2024).
    """

    def __init__(self, cap: float = 0.5) -> None:
        check_share(cap, "cap")
        self._cap = cap
        self._log_up = self._log_down = 0.0
        self._sum = self._squares = 0.0
        self.n = 0

    @property
    def e(self) -> float:
        """Current wealth; reject at level alpha as soon as it is at least 1 / alpha."""
        return 0.5 * (exp(min(self._log_up, 700.0)) + exp(min(self._log_down, 700.0)))

    @property
    def mean(self) -> float:
        return self._sum / self.n if self.n else 0.0

    def update(self, score_a: float, score_b: float) -> float:
        """Add one pair of scores in [0, 1] and return the wealth."""
        for name, value in (("score_a", score_a), ("score_b", score_b)):
            check_share(value, name, closed=True)
        # One phantom pair of variance 1/4 keeps the first stakes small.
        mean = self._sum / (self.n + 1)
        spread = (0.25 + self._squares) / (self.n + 1) - mean**2
        stake = min(self._cap, abs(mean) / (max(spread, 1e-6) + mean**2))
        up, down = (stake, 0.0) if mean > 0 else (0.0, stake)
        d = float(score_a) - float(score_b)
        self._log_up += log(1 + up * d)
        self._log_down += log(1 - down * d)
        self._sum += d
        self._squares += d * d
        self.n += 1
        return self.e


@dataclass(frozen=True, slots=True)
class SequentialState:
    """Where a sequential comparison stands; ``sentence`` is for people."""

    decision: Decision
    e: float
    n_pairs: int
    n_max: int
    alpha: float
    sentence: str


class SequentialComparison:
    """Stop a paired comparison of two policies as soon as it is resolved, at level ``alpha`` in all.

    A pair is two episodes on the same layout. Its successes feed the paired e-process, and its scores
    1 - min(T, tau) / tau (0 for a failure) feed the betting test; the mean of the two wealths is again an e-process for
    "the policies are equal". Episodes may arrive in any order; a pair counts when both are there, in order of
    completion. After ``n_max`` pairs without a decision the comparison ends as not resolved. Errors are no outcomes:
    ``drop`` their pair.
    """

    def __init__(self, name_a: str, name_b: str, *, tau_s: float, n_max: int, alpha: float = 0.05) -> None:
        if name_a == name_b:
            raise StatsError(f"both arms are called {name_a!r}: a comparison needs two names")
        if not tau_s > 0:
            raise StatsError(f"tau_s is {tau_s!r}: the horizon must be above 0 seconds")
        self.names = (name_a, name_b)
        self.tau_s = tau_s
        self.n_max = check_count(n_max, "n_max", least=1)
        self.alpha = check_share(alpha, "alpha")
        self._waiting: dict[str, dict[str, tuple[bool, float]]] = {}
        self._closed: set[str] = set()
        self._successes = [0, 0]
        self._share = PairedEProcess()
        self._score = BettingTest()
        self._decision: Decision = "continue"
        self._dropped = 0

    def update(self, policy: str, pair: str, success: bool, time_s: float | None = None) -> SequentialState:
        """Add one completed episode: its policy's name, its pair id, its success and when, in seconds."""
        if policy not in self.names:
            raise StatsError(f"policy {policy!r} is none of {self.names[0]!r} and {self.names[1]!r}")
        if success and (time_s is None or not time_s >= 0):
            raise StatsError(f"pair {pair!r}: a success needs its time in seconds, not {time_s!r}")
        if pair in self._closed or policy in self._waiting.get(pair, {}):
            raise StatsError(f"pair {pair!r} already has an episode of {policy!r}: an episode counts once")
        score = max(0.0, 1.0 - float(time_s) / self.tau_s) if success and time_s is not None else 0.0
        both = self._waiting.setdefault(pair, {})
        both[policy] = (bool(success), score)
        if len(both) == 2 and self._decision == "continue":
            del self._waiting[pair]
            self._closed.add(pair)
            (success_a, score_a), (success_b, score_b) = both[self.names[0]], both[self.names[1]]
            self._successes[0] += success_a
            self._successes[1] += success_b
            self._share.update(success_a, success_b)
            self._score.update(score_a, score_b)
            self._decide()
        return self.state

    def drop(self, pair: str) -> SequentialState:
        """Leave out a pair that will not be completed because an episode of it ended in an error."""
        if self._waiting.pop(pair, None) is not None or pair not in self._closed:
            self._closed.add(pair)
            self._dropped += 1
        return self.state

    @property
    def e(self) -> float:
        """Mean wealth of both e-processes."""
        return 0.5 * (self._share.e + self._score.e)

    @property
    def decision(self) -> Decision:
        """``continue`` until resolved, or until ``n_max`` pairs are in."""
        return self._decision

    @property
    def state(self) -> SequentialState:
        """Everything a progress line or a report needs."""
        n = self._share.n
        a, b = self.names
        counts = f"{self._successes[0]} against {self._successes[1]} successes in {n} pairs"
        if self._decision == "continue":
            text = f"{a} and {b} are not resolved yet: {counts}, evidence {self.e:.3g} of {1 / self.alpha:.3g} needed."
        elif self._decision == "not_resolved":
            text = f"{a} and {b} are not resolved after all {n} pairs: {counts}."
        else:
            winner, loser = (a, b) if self._decision == "a_better" else (b, a)
            text = (
                f"Stopped early after {n} of {self.n_max} pairs: {winner} is better than {loser} "
                f"({counts}; evidence {self.e:.3g}, anytime-valid at {self.alpha:g})."
            )
        return SequentialState(self._decision, self.e, n, self.n_max, self.alpha, text)

    def _decide(self) -> None:
        if self.e >= 1 / self.alpha:
            lead = self._share.b - self._share.c if self._share.e >= self._score.e else self._score.mean
            self._decision = "a_better" if lead > 0 else "b_better"
        elif self._share.n >= self.n_max:
            self._decision = "not_resolved"
