"""Success by cell of the paraphrase grid: 3 ways to name things × 10 ways to ask, either of them left alone.

A cell's rate is over its episodes; so are the margins, in which a cell counts as much as it has episodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from proctor.results import Episode
from proctor.tasks.words import ACTION_TYPES, OBJECT_TYPES

from ._clustered import Difference, Share, difference_of, share_of
from ._language_rows import KEPT, ORIGINAL, PARAPHRASE, Listener

ALL = "*"
Distances = Mapping[tuple[str, str], float]
"""(original, paraphrase) -> PD."""
# Rows of the grid stand in these groups; what is in none of them (compound cells) comes last.
_LEVELS = ("lexical", "structural", "pragmatic")


@dataclass(frozen=True, slots=True)
class GridCell:
    """The episodes of one cell: their success, how many texts they were told, and the texts' mean distance."""

    success: Share
    n_texts: int
    pd: float | None


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells by (object type, action type); `ALL` stands for a margin. (`KEPT`, `KEPT`) is the task's own words."""

    objects: tuple[str, ...]
    actions: tuple[tuple[str, tuple[str, ...]], ...]
    cells: Mapping[tuple[str, str], GridCell]
    n_untyped: int

    @property
    def n_filled(self) -> int:
        """Return how many cells of paraphrases have episodes."""
        return sum(ALL not in place and place != (KEPT, KEPT) for place in self.cells)


@dataclass(frozen=True, slots=True)
class Split:
    """Success where things keep their names, where they do not, and the change from one to the other."""

    original: Share | None
    preserved: Share
    paraphrased: Share
    change: Difference | None


def grid_of(listener: Listener, distances: Distances) -> Grid | None:
    """Return the grid of the policy's paraphrases; None where it was told none that has a type."""
    told = listener.told(PARAPHRASE)
    typed = [row for row in told if (row.language.object_type, row.language.action_type) != (KEPT, KEPT)]
    if not typed:
        return None
    members: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    for row in typed:
        for place in (
            (row.language.object_type, row.language.action_type),
            (ALL, row.language.action_type),
            (row.language.object_type, ALL),
            (ALL, ALL),
        ):
            members[place].append(row)
    if original := listener.told(ORIGINAL):
        members[KEPT, KEPT] = original
    cells = {place: _cell(rows, distances) for place, rows in members.items()}
    objects = (KEPT, *(kind.name for kind in OBJECT_TYPES))
    strange = sorted({row.language.object_type for row in typed} - set(objects))
    return Grid((*objects, *strange), _action_groups(typed), cells, len(told) - len(typed))


def _cell(rows: Sequence[Episode], distances: Distances) -> GridCell:
    texts = {(row.spec.task, row.language.instruction, row.language.sent) for row in rows}
    known = [distances[text[1:]] for text in sorted(texts) if text[1:] in distances]
    return GridCell(share_of(rows), len(texts), fmean(known) if len(known) == len(texts) else None)


def _action_groups(rows: Sequence[Episode]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: list[tuple[str, tuple[str, ...]]] = [("", (KEPT,))]
    groups += [(level, tuple(kind.name for kind in ACTION_TYPES if kind.level == level)) for level in _LEVELS]
    known = {name for _, names in groups for name in names}
    other = tuple(sorted({row.language.action_type for row in rows} - known))
    return (*groups, ("compound", other)) if other else tuple(groups)


def split_of(listener: Listener) -> Split | None:
    """Return success by whether things keep their names; None unless both kinds were told."""
    typed = [row for row in listener.told(PARAPHRASE) if row.language.object_type or row.language.action_type]
    kept = [row for row in typed if row.language.object_type == KEPT]
    changed = [row for row in typed if row.language.object_type != KEPT]
    if not kept or not changed:
        return None
    original = listener.told(ORIGINAL)
    return Split(
        share_of(original) if original else None, share_of(kept), share_of(changed), difference_of(kept, changed)
    )
