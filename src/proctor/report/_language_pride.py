"""Distance and success: PRIDE over α, the rate by distance, and the correlation over cells (LIBERO-Para, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from proctor.analysis.words import ALPHA, PREAMBLE, Attempt, PairScore, PrideSummary, pride_summary, score_pairs
from proctor.results import Episode
from proctor.results.importers import is_paraphrase
from proctor.tasks.words import LanguageError

from ._clustered import Floats, Share, over_tasks, share_of
from ._language_rows import PARAPHRASE, Listener

Scores = Mapping[tuple[str, str], PairScore]
_MAX_BINS, _PER_BIN, _MIN_CELLS = 8, 10, 3


@dataclass(frozen=True, slots=True)
class Bin:
    """The episodes whose texts are about equally far: their mean PD, its range, and their success."""

    pd: float
    low: float
    high: float
    success: Share


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of mean PD and success over ``n`` cells, with its interval over tasks."""

    r: float
    interval: tuple[float, float] | None
    n: int


@dataclass(frozen=True, slots=True)
class Weighed:
    """One policy's success weighed by distance, and how it falls with distance."""

    summary: PrideSummary
    bins: tuple[Bin, ...]
    correlation: Correlation | None


def paraphrases_of(listener: Listener) -> list[Episode]:
    """Return the episodes that PRIDE is about: those told a text of other words than the task's."""
    return [row for row in listener.told(PARAPHRASE) if is_paraphrase(row)]


def scores_of(listeners: Sequence[Listener]) -> tuple[Scores, str]:
    """Return the scores of all texts, and in one line why there are none where they cannot be had."""
    rows = [row for listener in listeners for row in paraphrases_of(listener)]
    # Each text with the first episode that was told it, by which an error names it.
    texts = {(row.language.instruction, row.language.sent): f"episode {row.episode_id}" for row in reversed(rows)}
    if not texts:
        return {}, ""
    try:
        return dict(zip(texts, score_pairs(list(texts), where=list(texts.values())), strict=True)), ""
    except LanguageError as error:
        return {}, str(error)


def weighed(listener: Listener, scores: Scores) -> Weighed | str | None:
    """Return PRIDE and its parts; a line where it is undefined; None without paraphrases or their scores."""
    rows = paraphrases_of(listener)
    if not rows or not scores:
        return None
    attempts = [
        Attempt(
            row.language.instruction,
            row.language.sent,
            bool(row.outcome.success),
            row.spec.task,
            row.language.object_type,
            row.language.action_type,
        )
        for row in rows
    ]
    of_rows = [scores[row.language.instruction, row.language.sent] for row in rows]
    try:
        summary = pride_summary(attempts, of_rows, over_tasks)
    except LanguageError as error:
        return str(error)
    kept = [row for row, score in zip(rows, of_rows, strict=True) if PREAMBLE not in score.notes]
    return Weighed(summary, bins_of(kept, scores), correlation_of(kept, scores))


def bins_of(rows: Sequence[Episode], scores: Scores) -> tuple[Bin, ...]:
    """Return up to eight bins of about equally many episodes, in order of distance; equal distances stay together."""
    distance = np.array([scores[row.language.instruction, row.language.sent].pd(ALPHA) for row in rows])
    count = min(_MAX_BINS, len(rows) // _PER_BIN)
    if count < 2:
        return ()
    # Word vectors are single precision: what is equal may differ by 3e-8, on one processor and not on another.
    equal = distance.round(6)
    edges = np.unique(np.quantile(equal, np.linspace(0, 1, count + 1)[1:-1]))
    places = np.searchsorted(edges, equal, side="left")
    bins = []
    for place in np.unique(places):
        inside = np.flatnonzero(places == place).tolist()
        values = distance[inside]
        share = share_of([rows[i] for i in inside])
        bins.append(Bin(fmean(values), float(values.min()), float(values.max()), share))
    return tuple(bins)


def correlation_of(rows: Sequence[Episode], scores: Scores) -> Correlation | None:
    """Return r over the cells, each text of a cell once; None below three cells or without variation.

    The interval is the jackknife over tasks on Fisher's scale, atanh r.
    """
    texts: dict[tuple[str, str, str, tuple[str, str]], list[bool]] = {}
    for row in rows:
        cell = (row.language.object_type, row.language.action_type)
        texts.setdefault((row.spec.task, row.language.instruction, row.language.sent, cell), []).append(
            bool(row.outcome.success)
        )
    cells = {cell: place for place, cell in enumerate(sorted({key[3] for key in texts}))}
    if len(cells) < _MIN_CELLS:
        return None
    columns = np.zeros((len(texts), len(cells), 3))
    for line, ((_, original, sent, cell), won) in enumerate(texts.items()):
        columns[line, cells[cell]] = fmean(won), scores[original, sent].pd(ALPHA), 1.0
    flat = columns.reshape(len(texts), -1)
    total = float(_fisher(flat.sum(axis=0)))
    if np.isnan(total):
        return None
    found = over_tasks(flat, [key[0] for key in texts], _fisher)
    interval = None
    if found.se and found.low is not None and found.high is not None:
        interval = (float(np.tanh(found.low)), float(np.tanh(found.high)))
    return Correlation(float(np.tanh(total)), interval, len(cells))


def _fisher(sums: Floats) -> Floats:
    """Return atanh of the correlation over cells, from sums [..., 3 · cells] of success, PD and count."""
    parts = sums.reshape(*sums.shape[:-1], -1, 3)
    count = parts[..., 2]
    there = (count > 0.5).astype(np.float64)
    means = parts[..., :2] / np.maximum(count, 1.0)[..., None]
    weight = there[..., None] / np.maximum(there.sum(axis=-1), 1.0)[..., None, None]
    centred = (means - (means * weight).sum(axis=-2, keepdims=True)) * there[..., None]
    x, y = centred[..., 0], centred[..., 1]
    product = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    r = np.divide((x * y).sum(axis=-1), product, out=np.full_like(product, np.nan), where=product > 1e-12)
    return np.asarray(np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12)))
