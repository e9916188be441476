"""Rates of the page on language: by paraphrase, by cell of the grid, by words replaced, with intervals over tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.stats import ClusterInterval, cluster_interval, wilson
from proctor.analysis.words import Following, following
from proctor.results import Episode
from proctor.tasks.words import ACTION_TYPES, CONTROLS, OBJECT_TYPES, LanguageError

from ._format import rows_link
from ._load import ReportArm, colour_class

PARAPHRASE = "paraphrase"
ORIGINAL = "W0"
WORD_LEVELS = ("W1", "W2", "W3", "W4")
KEPT = ""  # the type of an axis that a paraphrase leaves alone
_SHORT = {kind.name: kind.short for kind in (*OBJECT_TYPES, *ACTION_TYPES)}


@dataclass(frozen=True, slots=True)
class Listener:
    """One policy with its arguments, and its completed episodes over all runs of the report."""

    label: str
    index: int
    arms: tuple[ReportArm, ...]
    episodes: tuple[Episode, ...]

    @property
    def colour(self) -> str:
        return colour_class(self.index)

    def told(self, *languages: str) -> list[Episode]:
        """Return the episodes with one of these values of ``language``."""
        return [episode for episode in self.episodes if episode.language.variant in languages]

    def link(self, **wanted: str) -> str:
        """Return the address of this policy's completed rows with these values."""
        return rows_link("episodes.html", policy=self.label, **{"result": "completed", **wanted})


def listeners_of(arms: Sequence[ReportArm]) -> list[Listener]:
    """Return each policy that was told anything but its tasks' own words, with all that it was told."""
    groups: dict[str, list[ReportArm]] = {}
    for arm in arms:
        groups.setdefault(arm.policy, []).append(arm)
    found = []
    for label, group in groups.items():
        episodes = tuple(row for arm in group for row in arm.episodes if row.status == "completed")
        if any(row.language.variant in (PARAPHRASE, *WORD_LEVELS, *CONTROLS) for row in episodes):
            found.append(Listener(label, group[0].index, tuple(group), episodes))
    return found


def words_for(kind: str) -> str:
    """Return a type as a reader knows it: ``same_polarity_habitual`` → ``habitual``, two together by short names."""
    if kind == KEPT:
        return "preserved"
    if "+" in kind:
        return " + ".join(_SHORT.get(part, part) for part in kind.split("+"))
    return {"addition_deletion": "addition"}.get(kind, kind.removeprefix("same_polarity_").replace("_", " "))


def wanted_type(kind: str) -> str:
    """Return a type as a filter of the page of rows knows it."""
    return kind or "none"


# Shares of episodes with intervals over tasks: rows of one task fail together, so it is tasks that were drawn.
#
# The interval is the delete-one-task jackknife (`proctor.analysis.stats.cluster_interval`). It is blind where all tasks
# have the same rate; at 0 and 1, where that is common, Wilson's interval takes its place with each task as one trial.
# With one task there is none.

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """``k`` of ``n`` episodes of ``n_tasks`` tasks, with its interval over tasks."""

    k: int
    n: int
    n_tasks: int
    interval: tuple[float, float] | None

    @property
    def rate(self) -> float | None:
        """Return k / n, or None when n is 0."""
        return self.k / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Difference:
    """Rate of the second group minus that of the first, over the tasks that both have.

    The interval is over tasks too; None with one task, or where all tasks change alike, which says nothing of others.
    """

    value: float
    interval: tuple[float, float] | None
    n_tasks: int


def over_tasks(
    columns: Floats,
    clusters: Sequence[Hashable],
    statistic: Callable[[Floats], Floats],
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> ClusterInterval:
    """Return a function of column sums with its 95 % interval over ``clusters``, as `pride_summary` asks for it."""
    return cluster_interval(columns, clusters, statistic, bounds=bounds)


def ratio(sums: Floats) -> Floats:
    """Return the first sum over the second, nan where the latter is 0."""
    top, bottom = sums[..., 0], sums[..., 1]
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)


def share_of(episodes: Sequence[Episode]) -> Share:
    n, tasks = len(episodes), [episode.spec.task for episode in episodes]
    k, n_tasks = sum(bool(episode.outcome.success) for episode in episodes), len(set(tasks))
    if n_tasks < 2:
        return Share(k, n, n_tasks, None)
    if k in (0, n):
        return Share(k, n, n_tasks, wilson(n_tasks if k else 0, n_tasks))
    columns = np.array([[bool(episode.outcome.success), 1.0] for episode in episodes])
    found = over_tasks(columns, tasks, ratio, (0.0, 1.0))
    return Share(k, n, n_tasks, None if found.low is None or found.high is None else (found.low, found.high))


def difference_of(first: Sequence[Episode], second: Sequence[Episode]) -> Difference | None:
    """Return how much more often ``second`` succeeded, on shared tasks; None where no task is shared."""
    shared = {episode.spec.task for episode in first} & {episode.spec.task for episode in second}
    rows = [(0, episode) for episode in first] + [(1, episode) for episode in second]
    rows = [(side, episode) for side, episode in rows if episode.spec.task in shared]
    if not rows:
        return None
    columns = np.zeros((len(rows), 4))
    for place, (side, episode) in enumerate(rows):
        columns[place, 2 * side : 2 * side + 2] = bool(episode.outcome.success), 1.0

    def change(sums: Floats) -> Floats:
        return ratio(sums[..., 2:]) - ratio(sums[..., :2])

    found = over_tasks(columns, [episode.spec.task for _, episode in rows], change, (-1.0, 1.0))
    if not found.se or found.low is None or found.high is None:
        return Difference(found.estimate, None, len(shared))
    return Difference(found.estimate, (found.low, found.high), len(shared))


# Success by cell of the paraphrase grid: 3 ways to name things × 10 ways to ask, either of them left alone.
#
# A cell's rate is over its episodes; so are the margins, in which a cell counts as much as it has episodes.

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
class RateGrid:
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


def grid_of(listener: Listener, distances: Distances) -> RateGrid | None:
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
    return RateGrid((*objects, *strange), _action_groups(typed), cells, len(told) - len(typed))


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


# Two more questions on instructions: how success falls with words replaced, and whether they are followed at all.


@dataclass(frozen=True, slots=True)
class WordLevel:
    """Success with so many words replaced, how many were on average, and the change from the task's own words."""

    name: str
    success: Share
    replaced: float
    change: Difference | None


def word_levels_of(listener: Listener) -> tuple[WordLevel, ...]:
    """Return W0 to W4 as far as they were run; nothing where no word was ever replaced."""
    if not listener.told(*WORD_LEVELS):
        return ()
    original = listener.told(ORIGINAL)
    found = []
    for name in (ORIGINAL, *WORD_LEVELS):
        if rows := listener.told(name):
            change = difference_of(original, rows) if name != ORIGINAL and original else None
            found.append(WordLevel(name, share_of(rows), _replaced(rows), change))
    return tuple(found)


def _replaced(rows: Sequence[Episode]) -> float:
    return fmean(len(row.language.substitutions) for row in rows)


def following_of(listener: Listener) -> Following | str | None:
    """Return success under the controls; a line where nothing can be said; None without controls."""
    if not listener.told(*CONTROLS):
        return None
    outcomes: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in listener.episodes:
        outcomes[row.language.variant][row.spec.task].append(bool(row.outcome.success))
    try:
        return following(outcomes)
    except LanguageError as error:
        return str(error)
