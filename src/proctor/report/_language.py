"""The page on language: what a policy makes of its tasks in other words (LIBERO-Para, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.analysis.words import Following

from ._clustered import Share, share_of
from ._language_failures import Decomposition, decompositions_of
from ._language_grid import Grid, Split, grid_of, split_of
from ._language_pride import Weighed, scores_of, weighed
from ._language_rows import ORIGINAL, PARAPHRASE, Listener, listeners_of
from ._language_words import WordLevel, following_of, word_levels_of
from ._load import Arm


@dataclass(frozen=True, slots=True)
class Heard:
    """All that the page says of one policy; a part that its rows do not carry is None or empty.

    ``weighed`` and ``following`` may be a line that says why they are undefined.
    """

    listener: Listener
    paraphrased: Share | None
    original: Share | None
    n_texts: int
    grid: Grid | None
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


def language_page(arms: Sequence[Arm]) -> LanguagePage | None:
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
