"""What the page on language says, as numbers: failures by class, PRIDE by policy, success against distance of words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import numpy as np

from proctor.analysis.failures import ObjectClass, PathClasses, classify_objects, classify_paths, mean_success
from proctor.analysis.words import (
    ALPHA,
    PREAMBLE,
    Following,
    PairScore,
    PrideSummary,
    SentenceAttempt,
    pride_summary,
    score_pairs,
)
from proctor.results import Episode, read_states
from proctor.results.importers import is_paraphrase
from proctor.tasks.words import LanguageError

from ._language_rates import (
    KEPT,
    ORIGINAL,
    PARAPHRASE,
    Floats,
    Listener,
    RateGrid,
    Share,
    Split,
    WordLevel,
    following_of,
    grid_of,
    listeners_of,
    over_tasks,
    share_of,
    split_of,
    word_levels_of,
)
from ._load import ReportArm

# Why the episodes of a run failed: by their paths and by what was done to each object (docs/explanation/language.md).


def path_classes(
    run: Path, rows: Sequence[Episode], mode: Literal["corrected", "paper"] = "corrected"
) -> dict[str, tuple[list[Episode], PathClasses]]:
    """Return, for each task, the episodes of ``run`` whose states were kept and their classes."""
    kept: dict[str, list[tuple[Episode, Any]]] = defaultdict(list)
    for row in rows:
        states = read_states(run / row.files.steps) if row.files.steps and (run / row.files.steps).exists() else None
        if states is not None and len(states):
            kept[row.spec.task].append((row, states[:, :3]))
    paths = {task: [path for _, path in pairs] for task, pairs in kept.items()}
    won = {task: [bool(row.outcome.success) for row, _ in pairs] for task, pairs in kept.items()}
    means = {task: mean_success(paths[task], won[task]) for task in kept}
    scenes = {task: frozenset(pairs[0][0].outcome.objects) for task, pairs in kept.items()}
    found = {}
    for task, pairs in kept.items():
        # Another task with the same things is what the policy may have taken this one for.
        shared = (means[other] for other in kept if other != task and scenes[other] and scenes[other] == scenes[task])
        rivals = [mean for mean in shared if mean is not None]
        found[task] = ([row for row, _ in pairs], classify_paths(paths[task], won[task], mode=mode, rivals=rivals))
    return found


def object_class(row: Episode) -> ObjectClass:
    """Return what became of one completed episode, by the things that its row tells of."""
    return classify_objects(bool(row.outcome.success), row.outcome.objects)


# Failures by what was changed in the instruction: execution or planning, by path and by objects.

# Class -> words, in the order in which they are drawn.
PATH_CLASSES = {
    "success": "success",
    "near": "near: it slipped (execution)",
    "far": "far: it went elsewhere (planning)",
    "undefined": "undefined: too few successes",
}
OBJECT_CLASSES = {
    "success": "success",
    "unfinished": "unfinished (execution)",
    "missed": "missed (execution)",
    "wrong_object": "wrong object (planning)",
    "wrong_place": "wrong place (planning)",
    "wrong_approach": "wrong approach (planning)",
    "idle": "idle (planning)",
    "undefined": "undefined",
}


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """The episodes of one type on one axis, counted by class."""

    axis: str
    kind: str
    counts: Mapping[str, int]

    @property
    def n(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Parts under one way to tell failures apart; ``classes`` are those that occur, with words for them."""

    way: str
    classes: Mapping[str, str]
    parts: tuple[LanguagePart, ...]
    n_unknown: int

    @property
    def n(self) -> int:
        """Return how many paraphrased episodes are counted."""
        return sum(part.n for part in self.parts if part.axis == "object")


def decompositions_of(listener: Listener, grid: RateGrid) -> list[Decomposition]:
    """Return the failures by path and by objects, as far as the rows tell."""
    by_path: dict[str, str] = {}
    for arm in listener.arms:
        rows = [row for row in arm.episodes if row.status == "completed"]
        for run in arm.folders:
            here = [row for row in rows if arm.runs[row.episode_id] is run]
            for episodes, found in path_classes(run.path, here).values():
                by_path |= {row.episode_id: kind for row, kind in zip(episodes, found.classes(), strict=True)}
    by_object = {row.episode_id: str(object_class(row)) for row in listener.episodes if row.outcome.objects}
    ways = (("path", PATH_CLASSES, by_path), ("objects", OBJECT_CLASSES, by_object))
    return [_decomposed(listener, grid, *way) for way in ways if way[2]]


def _decomposed(
    listener: Listener, grid: RateGrid, way: str, words: Mapping[str, str], classes: Mapping[str, str]
) -> Decomposition:
    told = [row for row in listener.told(PARAPHRASE) if row.language.object_type or row.language.action_type]
    original = LanguagePart("", KEPT, _counted(listener.told(ORIGINAL), classes))
    objects = [
        LanguagePart("object", kind, _counted((r for r in told if r.language.object_type == kind), classes))
        for kind in grid.objects
    ]
    actions = [
        LanguagePart("action", kind, _counted((r for r in told if r.language.action_type == kind), classes))
        for _, kinds in grid.actions
        for kind in kinds
    ]
    parts = tuple(part for part in (original, *objects, *actions) if part.n)
    found = {name: text for name, text in words.items() if any(part.counts.get(name) for part in parts)}
    return Decomposition(way, found, parts, sum(row.episode_id not in classes for row in told))


def _counted(rows: Iterable[Episode], classes: Mapping[str, str]) -> Counter[str]:
    return Counter(classes[row.episode_id] for row in rows if row.episode_id in classes)


# Distance and success: PRIDE over α, the rate by distance, and the correlation over cells (LIBERO-Para, section 4).

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
        SentenceAttempt(
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


@dataclass(frozen=True, slots=True)
class Heard:
    """All that the page says of one policy; a part that its rows do not carry is None or empty.

    ``weighed`` and ``following`` may be a line that says why they are undefined.
    """

    listener: Listener
    paraphrased: Share | None
    original: Share | None
    n_texts: int
    grid: RateGrid | None
    split: Split | None
    weighed: Weighed | str | None
    failures: tuple[Decomposition, ...]
    words: tuple[WordLevel, ...]
    following: Following | str | None


@dataclass(frozen=True, slots=True)
class LanguagePage:
    """The policies of the page, and in one line why distances are missing, where they are."""

    heard: tuple[Heard, ...]
    no_distances: str

    @property
    def most_pd(self) -> float:
        """Return the largest mean distance of a cell, which sets the scale of every map."""
        cells = (cell for heard in self.heard if heard.grid for cell in heard.grid.cells.values())
        return max((cell.pd for cell in cells if cell.pd is not None), default=0.0)


def language_page(arms: Sequence[ReportArm]) -> LanguagePage | None:
    """Return the page's content; None where every episode was told its task's own words."""
    listeners = listeners_of(arms)
    if not listeners:
        return None
    scores, problem = scores_of(listeners)
    distances = {pair: score.pd() for pair, score in scores.items()}
    found = []
    for listener in listeners:
        told, original = listener.told(PARAPHRASE), listener.told(ORIGINAL)
        if distances:
            distances |= {(row.language.instruction, row.language.instruction): 0.0 for row in (*told, *original)}
        grid = grid_of(listener, distances)
        found.append(
            Heard(
                listener,
                share_of(told) if told else None,
                share_of(original) if original else None,
                len({(row.spec.task, row.language.sent) for row in told}),
                grid,
                split_of(listener),
                weighed(listener, scores),
                tuple(decompositions_of(listener, grid)) if grid else (),
                word_levels_of(listener),
                following_of(listener),
            )
        )
    return LanguagePage(tuple(found), problem)
