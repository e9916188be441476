"""Compare any number of arms: one verdict per pair, adjusted for the number of pairs, and letters over all.

Every pair is tested by permuting episodes within strata (within pairs where the arms share layouts). The gate of a
verdict is the combined p of macro-KS, RMST and success share (Westfall-Young), adjusted by Holm over pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ._bootstrap import Interval, score_interval
from ._checks import Bools, StatsError, check_share, check_tau
from ._difference import is_paired, score_difference
from ._intervals import wilson
from ._macro import MacroTests, Method, horizon, macro_tests
from ._multiplicity import compact_letters, holm
from ._operations import Operations
from ._proportions import mcnemar_exact, newcombe, newcombe_paired, paired_table
from ._scores import episode_totals
from ._survival import Estimator, kaplan_meier
from ._verdict import Equivalence, Verdict, tost, verdict


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """One policy: episodes, full successes with Wilson's interval, restricted mean with its interval, median time."""

    name: str
    n_episodes: int
    n_success: int
    success: float
    success_low: float
    success_high: float
    rmst: Interval | None
    median_s: float
    letters: str


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two policies: tests, the verdict, and differences a - b with their intervals.

    ``discordant`` is (pairs that only a solved, pairs that only b solved), ``success_p`` McNemar's exact p, both for
    paired arms; otherwise ``success_p`` is the permutation p. ``unmatched`` episodes had no partner and are left out.
    """

    a: str
    b: str
    paired: bool
    n_pairs: int
    unmatched: int
    tests: MacroTests
    p_adjusted: float
    verdict: Verdict
    sentence: str
    success_difference: float
    success_low: float
    success_high: float
    success_p: float
    discordant: tuple[int, int] | None
    rmst_difference: Interval | None
    equivalence: Equivalence | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Arms best first, every pair, and the settings that reproduce it."""

    arms: tuple[ArmSummary, ...]
    pairs: tuple[PairComparison, ...]
    strata: tuple[str, ...]
    left_out_strata: tuple[str, ...]
    tau: float
    alpha: float
    conf: float
    method: Method
    estimator: Estimator
    n_resamples: int
    seed: int
    baseline: str | None = None

    @property
    def sentence(self) -> str:
        if len(self.pairs) == 1:
            return self.pairs[0].sentence
        if self.baseline is not None:
            outcomes = [pair.verdict.outcome for pair in self.pairs]
            ways = (("a_better", "better"), ("b_better", "worse"), ("crossing", "different, neither better throughout"))
            counts = [f"{outcomes.count(outcome)} {word}" for outcome, word in ways if outcome in outcomes]
            counts.append(f"{outcomes.count('not_resolved')} not resolved")
            return f"Against {self.baseline}: {', '.join(counts)}, of {len(outcomes)}, at {self.alpha:g} in all."
        resolved = sum(pair.verdict.resolved for pair in self.pairs)
        best = [arm.name for arm in self.arms if set(arm.letters) & set(self.arms[0].letters)]
        lead = (
            f"{best[0]} leads" if len(best) == 1 else f"{', '.join(best)} share the lead, not resolved from one another"
        )
        return f"{lead}; {resolved} of {len(self.pairs)} pairs are resolved at {self.alpha:g} in all."


def compare(
    arms: Mapping[str, Operations],
    *,
    tau: float | None = None,
    alpha: float = 0.05,
    method: Method = "permutation",
    estimator: Estimator = "pooled",
    n_resamples: int = 2000,
    seed: int = 0,
    margin: float | None = None,
    intervals: bool = True,
    baseline: str | None = None,
) -> Comparison:
    """Compare arms on the strata they share; ``margin`` asks for equivalence of success shares within it.

    With ``baseline``, the name of an arm, every other is compared with it alone: fewer pairs, so that Holm's adjustment
    costs less, and no letters, which would speak of pairs that nobody looked at. ``intervals=False`` leaves out the
    resampled intervals of restricted means (for data without times).
    """
    if len(arms) < 2:
        raise StatsError("a comparison needs two arms or more")
    if baseline is not None and baseline not in arms:
        raise StatsError(f"baseline {baseline!r} is not among the policies: {', '.join(arms)}")
    check_share(alpha, "alpha")
    shared = set.intersection(*(set(arm.strata) for arm in arms.values()))
    every = set.union(*(set(arm.strata) for arm in arms.values()))
    if not shared:
        raise StatsError("the policies have no task in common: compare runs of the same tasks")
    used = {name: _within(arm, shared) for name, arm in arms.items()}
    tau = horizon(list(used.values())) if tau is None else check_tau(tau)
    conf = 1 - alpha
    drafts = [
        _pair(a, b, used[a], used[b], tau, alpha, method, estimator, n_resamples, seed, margin, intervals)
        for a, b in pairs_of(used, baseline)
    ]
    adjusted = holm([draft.tests.combined_p for draft in drafts])
    pairs = tuple(_judge(draft, float(p), alpha) for draft, p in zip(drafts, adjusted, strict=True))
    means = {name: _macro_rmst(arm, tau, estimator) for name, arm in used.items()}
    order = sorted(used, key=lambda name: (means[name], name))
    letters = dict.fromkeys(order, "")
    if baseline is None:
        letters = compact_letters(order, {(pair.a, pair.b): pair.verdict.resolved for pair in pairs})
    summaries = tuple(
        _summary(name, used[name], letters[name], tau, conf, estimator, n_resamples, seed, intervals) for name in order
    )
    return Comparison(
        summaries,
        pairs,
        tuple(sorted(shared)),
        tuple(sorted(every - shared)),
        tau,
        alpha,
        conf,
        method,
        estimator,
        n_resamples,
        seed,
        baseline,
    )


def pairs_of(names: Iterable[str], baseline: str | None = None) -> list[tuple[str, str]]:
    """Return the pairs that a comparison looks at: all of them, or every other name with ``baseline``."""
    if baseline is None:
        return list(itertools.combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def episode_success(arm: Operations) -> Bools:
    """Say for each episode whether all of its items were done."""
    if arm.items is not None:
        return np.asarray(episode_totals(arm)[0] >= arm.items)
    failed = np.bincount(arm.episode, weights=~(arm.events & np.isfinite(arm.times)), minlength=arm.n_episodes)
    return np.asarray(failed == 0)


def match_pairs(a: Operations, b: Operations) -> tuple[Operations, Operations, int]:
    """Keep the episodes that share a pair, when both arms have unique pair labels; else drop the labels.

    Returns both arms and how many episodes were left out. Arms without any common pair stay whole and unpaired.
    """
    if a.block is None or b.block is None:
        return replace(a, block=None), replace(b, block=None), 0
    keys_a = list(zip(a.stratum.tolist(), a.block.tolist(), strict=True))
    keys_b = list(zip(b.stratum.tolist(), b.block.tolist(), strict=True))
    common = set(keys_a) & set(keys_b)
    if len(set(keys_a)) < len(keys_a) or len(set(keys_b)) < len(keys_b):
        return a, b, 0
    if not common:
        return replace(a, block=None), replace(b, block=None), 0
    kept_a = a.select(np.array([key in common for key in keys_a]))
    kept_b = b.select(np.array([key in common for key in keys_b]))
    return kept_a, kept_b, len(keys_a) + len(keys_b) - 2 * len(common)


def _within(arm: Operations, strata: set[str]) -> Operations:
    return arm.select(np.isin(arm.stratum, sorted(strata)))


def _enough(*arms: Operations) -> bool:
    """Whether every stratum has two episodes or more, so that strata can be resampled one by one."""
    return all(np.unique(arm.stratum, return_counts=True)[1].min() >= 2 for arm in arms)


def _macro_rmst(arm: Operations, tau: float, estimator: Estimator) -> float:
    values = []
    for label in arm.strata:
        rows = (arm.stratum == label)[arm.episode]
        curve = kaplan_meier(arm.times[rows], arm.events[rows], episode=arm.episode[rows], estimator=estimator)
        values.append(curve.rmst(tau))
    return float(np.mean(values))


def _pair(
    name_a: str,
    name_b: str,
    whole_a: Operations,
    whole_b: Operations,
    tau: float,
    alpha: float,
    method: Method,
    estimator: Estimator,
    n_resamples: int,
    seed: int,
    margin: float | None,
    intervals: bool,
) -> PairComparison:
    a, b, unmatched = match_pairs(whole_a, whole_b)
    paired = is_paired(a, b)
    tests = macro_tests(a, b, method=method, n_resamples=n_resamples, seed=seed, tau=tau, estimator=estimator)
    win_a, win_b = episode_success(a), episode_success(b)
    difference = float(win_a.mean() - win_b.mean())
    discordant = None
    success_p = tests.success.p
    counts = (int(win_a.sum()), win_a.size, int(win_b.sum()), win_b.size)
    low, high = newcombe(*counts, 1 - alpha)
    wide = newcombe(*counts, 1 - 2 * alpha)
    if paired:
        key_a, key_b = _pair_order(a), _pair_order(b)
        table = paired_table(win_a[key_a], win_b[key_b])
        discordant = table[1:3]
        success_p = mcnemar_exact(*discordant)
        low, high = newcombe_paired(*table, 1 - alpha)
        wide = newcombe_paired(*table, 1 - 2 * alpha)
    many = a.n_episodes > 1 and b.n_episodes > 1
    rmst = (
        score_difference(
            a,
            b,
            "rmst",
            tau=tau,
            conf=1 - alpha,
            n_resamples=n_resamples,
            seed=seed,
            estimator=estimator,
            aggregate="macro" if _enough(a, b) else "pooled",
        )
        if intervals and many
        else None
    )
    equivalence = None if margin is None else tost(*wide, margin, alpha=alpha)
    return PairComparison(
        name_a,
        name_b,
        paired,
        a.n_episodes if paired else 0,
        unmatched,
        tests,
        tests.combined_p,
        verdict(tests, alpha=alpha),
        "",
        difference,
        low,
        high,
        success_p,
        discordant,
        rmst,
        equivalence,
    )


def _pair_order(arm: Operations) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    assert arm.block is not None
    return np.lexsort((arm.block, arm.stratum))


def _judge(draft: PairComparison, p: float, alpha: float) -> PairComparison:
    found = verdict(draft.tests, alpha=alpha, p=p)
    text = found.sentence(draft.a, draft.b)
    if draft.equivalence is not None and draft.equivalence.equivalent:
        text += f" Their success rates are shown to be within {100 * draft.equivalence.margin:g} points."
    return replace(draft, p_adjusted=p, verdict=found, sentence=text)


def _summary(
    name: str,
    arm: Operations,
    letters: str,
    tau: float,
    conf: float,
    estimator: Estimator,
    n_resamples: int,
    seed: int,
    intervals: bool,
) -> ArmSummary:
    wins = int(episode_success(arm).sum())
    low, high = wilson(wins, arm.n_episodes, conf)
    rmst = None
    if intervals and arm.n_episodes > 1:
        rmst = score_interval(
            arm,
            "rmst",
            tau=tau,
            conf=conf,
            n_resamples=n_resamples,
            seed=seed,
            estimator=estimator,
            aggregate="macro" if _enough(arm) else "pooled",
        )
    median = kaplan_meier(arm.times, arm.events, episode=arm.episode, estimator=estimator).median
    return ArmSummary(name, arm.n_episodes, wins, wins / arm.n_episodes, low, high, rmst, median, letters)
