"""``proctor.compare``: which policy is better, in one sentence, from the rows of two or more runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from proctor.analysis.stats import Comparison, OpsRule, StatsError, to_plain
from proctor.analysis.stats import compare as compare_arms
from proctor.core import ProctorError
from proctor.report import SafePair, safe_pairs

from ._arms import LoadedArms, load_arms
from ._finished import Run


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Who is better, and who is safer where tasks have a cost. ``comparison`` holds every figure."""

    comparison: Comparison
    safety: tuple[SafePair, ...]
    arms: LoadedArms
    compat: str

    @property
    def sentence(self) -> str:
        """The verdict."""
        return self.comparison.sentence

    def as_dict(self) -> dict[str, Any]:
        """Return everything, with the rule that made the rows, as JSON values."""
        body: dict[str, Any] = {"sentence": self.sentence, **to_plain(self.comparison)}
        body["compat"] = self.compat
        body["has_times"] = self.arms.has_times
        body["errors_left_out"] = self.arms.errors
        body["ops_rule"] = to_plain(self.arms.rule)
        body["safety"] = [
            {"sentence": pair.sentence, "n": pair.n, "difference": pair.difference, **to_plain(pair)}
            for pair in self.safety
        ]
        return body

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(pair.sentence for pair in self.safety)])

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())


def compare(
    *runs: Run | str | os.PathLike[str],
    alpha: float = 0.05,
    tau: float | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    resamples: int = 2000,
    seed: int = 0,
    quiet: bool = False,
) -> ComparedRuns:
    """Compare the policies of two or more runs, print the verdict unless ``quiet``, and return it with every figure.

    Episodes on the same layouts are compared in pairs. ``alpha`` is the chance of a wrong verdict over all pairs
    together, ``tau`` the horizon in seconds (otherwise the longest episode); ``baseline`` compares every other policy
    with that one only, and ``margin`` also tests whether success rates are within this share.
    """
    sources = [run.folder if isinstance(run, Run) else run for run in runs]
    found = compare_sources(
        sources, alpha=alpha, tau=tau, baseline=baseline, margin=margin, resamples=resamples, seed=seed
    )
    if not quiet:
        print(found)
    return found


def compare_sources(
    sources: Sequence[str | os.PathLike[str]],
    *,
    alpha: float = 0.05,
    tau: float | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    resamples: int = 2000,
    seed: int = 0,
    estimator: Literal["pooled", "wang_chang", "first_op"] = "pooled",
    compat: Literal["corrected", "paper"] = "corrected",
    columns: str | None = None,
    step_seconds: float = 0.05,
) -> ComparedRuns:
    """Compare run folders and files of other programs; the options are those of ``proctor compare``."""
    try:
        rule = OpsRule.paper() if compat == "paper" else OpsRule()
        loaded = load_arms(sources, columns=columns, step_s=step_seconds, rule=rule)
        if len(loaded.arms) < 2:
            named = ", ".join(map(str, sources))
            raise ProctorError(f"only one policy in {named}: name a second run to compare with")
        found = compare_arms(
            loaded.arms,
            tau=tau,
            alpha=alpha,
            method="pooled_bootstrap" if compat == "paper" else "permutation",
            estimator=estimator,
            n_resamples=resamples,
            seed=seed,
            margin=margin,
            intervals=loaded.has_times,
            baseline=baseline,
        )
        safety = safe_pairs(loaded.episodes, baseline=baseline, alpha=alpha)
    except StatsError as error:
        raise ProctorError(str(error)) from None
    return ComparedRuns(found, tuple(safety), loaded, compat)
