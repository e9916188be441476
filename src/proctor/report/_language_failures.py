"""Failures by what was changed in the instruction: execution or planning, by path and by objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from proctor.results import Episode

from ._failures import object_class, path_classes
from ._language_grid import Grid
from ._language_rows import KEPT, ORIGINAL, PARAPHRASE, Listener

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
class Part:
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
    parts: tuple[Part, ...]
    n_unknown: int

    @property
    def n(self) -> int:
        """Return how many paraphrased episodes are counted."""
        return sum(part.n for part in self.parts if part.axis == "object")


def decompositions_of(listener: Listener, grid: Grid) -> list[Decomposition]:
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
    listener: Listener, grid: Grid, way: str, words: Mapping[str, str], classes: Mapping[str, str]
) -> Decomposition:
    told = [row for row in listener.told(PARAPHRASE) if row.language.object_type or row.language.action_type]
    original = Part("", KEPT, _counted(listener.told(ORIGINAL), classes))
    objects = [
        Part("object", kind, _counted((r for r in told if r.language.object_type == kind), classes))
        for kind in grid.objects
    ]
    actions = [
        Part("action", kind, _counted((r for r in told if r.language.action_type == kind), classes))
        for _, kinds in grid.actions
        for kind in kinds
    ]
    parts = tuple(part for part in (original, *objects, *actions) if part.n)
    found = {name: text for name, text in words.items() if any(part.counts.get(name) for part in parts)}
    return Decomposition(way, found, parts, sum(row.episode_id not in classes for row in told))


def _counted(rows: Iterable[Episode], classes: Mapping[str, str]) -> Counter[str]:
    return Counter(classes[row.episode_id] for row in rows if row.episode_id in classes)
