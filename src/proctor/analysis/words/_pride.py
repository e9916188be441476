"""PRIDE of a policy: its success weighted by how far each instruction is from the original (LIBERO-Para, eq. 4).

    PRIDE = sum(success PD) / sum(PD)        overestimation = (SR - PRIDE) / SR

``paper`` takes every row, as the published program does. ``corrected`` counts each distinct instruction of a task once,
with the mean success of its rows (203 of the 4,092 published rows repeat a text), and leaves out texts that are
no instruction (`PREAMBLE`). Intervals are the caller's, for this package knows no statistics: `pride_summary` hands
columns, task names and a function of the column sums to the ``interval`` that it is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from proctor.tasks.words import LanguageError

from ._distance import ALPHA, Mode, PairScore, require_alpha
from ._pride_checks import PREAMBLE

Floats = NDArray[np.float64]
SWEEP = tuple(step / 10 for step in range(11))


class Estimate(Protocol):
    """A number with its interval; the ends are None where they cannot be known."""

    @property
    def estimate(self) -> float: ...

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


Interval = Callable[[Floats, Sequence[Hashable], Callable[[Floats], Floats], tuple[float, float]], Estimate]
"""(columns [n, k], clusters [n], statistic of sums [..., k], bounds) -> estimate, clustered by task."""


@dataclass(frozen=True, slots=True)
class SentenceAttempt:
    """One completed episode with a paraphrase: what was said, to which task, and whether it succeeded."""

    original: str
    paraphrase: str
    success: bool
    task: str
    object_type: str = ""
    action_type: str = ""


@dataclass(frozen=True, slots=True)
class PrideGroup:
    """The rows of one task or one cell: how many distinct instructions, their success and their mean distance."""

    name: str
    n: int
    success: float
    pd: float


@dataclass(frozen=True, slots=True)
class PrideSummary:
    """The scores of one policy. ``repeated`` rows were merged and ``left_out`` rows were no instructions."""

    mode: Mode
    alpha: float
    n_rows: int
    n_texts: int
    n_tasks: int
    repeated: int
    identical: int
    left_out: int
    mean_pd: float
    success: Estimate
    pride: Estimate
    overestimation: Estimate
    sweep: tuple[tuple[float, Estimate], ...]
    tasks: tuple[PrideGroup, ...]
    cells: tuple[PrideGroup, ...]
    correlation: float | None


# Vectors in single precision leave a distance of about 1e-8 between equal texts on some processors.
EQUAL_PD = 1e-6


@dataclass(slots=True)
class _Unit:
    attempt: SentenceAttempt
    score: PairScore
    successes: float = 0.0
    rows: int = 0

    @property
    def success(self) -> float:
        return self.successes / self.rows


def pride_summary(
    attempts: Sequence[SentenceAttempt],
    scores: Sequence[PairScore],
    interval: Interval,
    *,
    mode: Mode = "corrected",
    alpha: float = ALPHA,
) -> PrideSummary:
    """Return the scores of ``attempts``, whose distances are ``scores`` (of `score_pairs`), each with ``interval``."""
    require_alpha(alpha)
    if not attempts:
        raise LanguageError("no completed episode with a paraphrase: PRIDE has nothing to weigh")
    units = _units(attempts, scores, mode)
    if not units:
        raise LanguageError("no row holds an instruction: every text looks like the preamble of a language model")
    clusters = [unit.attempt.task for unit in units]
    success = np.array([unit.success for unit in units])
    ones = np.ones(len(units))

    def estimates(weight: float) -> Estimate:
        distance = np.array([unit.score.pd(weight) for unit in units])
        return interval(np.column_stack([success * distance, distance]), clusters, _ratio, (0.0, 1.0))

    distance = np.array([unit.score.pd(alpha) for unit in units])
    if distance.mean() < EQUAL_PD:
        raise LanguageError(
            "every paraphrase equals its original: PRIDE is undefined, for no distance is left to weigh"
        )
    columns = np.column_stack([success * distance, distance, success, ones])
    # A text with two labels belongs to two cells, so cells are counted apart.
    cells = _groups(_units(attempts, scores, mode, by_cell=True), lambda unit: _cell(unit.attempt), alpha)
    used = sum(unit.rows for unit in units)
    return PrideSummary(
        mode=mode,
        alpha=alpha,
        n_rows=len(attempts),
        n_texts=len(units),
        n_tasks=len(set(clusters)),
        repeated=used - len(units),
        identical=sum(_same(unit.attempt) for unit in units),
        left_out=len(attempts) - used,
        mean_pd=float(distance.mean()),
        success=interval(np.column_stack([success, ones]), clusters, _ratio, (0.0, 1.0)),
        pride=estimates(alpha),
        overestimation=interval(columns, clusters, _overestimation, (-np.inf, 1.0)),
        sweep=tuple((weight, estimates(weight)) for weight in SWEEP),
        tasks=_groups(units, lambda unit: unit.attempt.task, alpha),
        cells=cells,
        correlation=_correlation(cells),
    )


def _units(
    attempts: Sequence[SentenceAttempt], scores: Sequence[PairScore], mode: Mode, *, by_cell: bool = False
) -> list[_Unit]:
    units: dict[Hashable, _Unit] = {}
    for number, (attempt, score) in enumerate(zip(attempts, scores, strict=True)):
        if mode == "corrected" and PREAMBLE in score.notes:
            continue
        text = (attempt.task, attempt.original, attempt.paraphrase, _cell(attempt) if by_cell else "")
        key: Hashable = text if mode == "corrected" else number
        unit = units.setdefault(key, _Unit(attempt, score))
        unit.successes += attempt.success
        unit.rows += 1
    return list(units.values())


def _ratio(sums: Floats) -> Floats:
    """Sum of the first column over sum of the second, nan where the latter is 0."""
    top, bottom = sums[..., 0], sums[..., 1]
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)


def _overestimation(sums: Floats) -> Floats:
    pride, success = _ratio(sums[..., :2]), _ratio(sums[..., 2:])
    return np.divide(success - pride, success, out=np.full_like(success, np.nan), where=success > 0)


def _same(attempt: SentenceAttempt) -> bool:
    return " ".join(attempt.original.lower().split()) == " ".join(attempt.paraphrase.lower().split())


def _cell(attempt: SentenceAttempt) -> str:
    return f"{attempt.object_type or 'none'} x {attempt.action_type or 'none'}"


def _groups(units: Sequence[_Unit], name: Callable[[_Unit], str], alpha: float) -> tuple[PrideGroup, ...]:
    members: dict[str, list[_Unit]] = defaultdict(list)
    for unit in units:
        members[name(unit)].append(unit)
    return tuple(
        PrideGroup(
            label,
            len(group),
            sum(unit.success for unit in group) / len(group),
            sum(unit.score.pd(alpha) for unit in group) / len(group),
        )
        for label, group in sorted(members.items())
    )


def _correlation(cells: Sequence[PrideGroup]) -> float | None:
    """Return Pearson's r of mean distance and success over the cells; None below three cells or without variation."""
    distance, success = np.array([cell.pd for cell in cells]), np.array([cell.success for cell in cells])
    if len(cells) < 3 or np.ptp(distance) == 0 or np.ptp(success) == 0:
        return None
    return float(np.corrcoef(distance, success)[0, 1])
