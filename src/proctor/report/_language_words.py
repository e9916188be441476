"""Two more questions on instructions: how success falls with words replaced, and whether they are followed at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from proctor.analysis.words import Following, following
from proctor.results import Episode
from proctor.tasks.words import CONTROLS, LanguageError

from ._clustered import Difference, Share, difference_of, share_of
from ._language_rows import ORIGINAL, WORD_LEVELS, Listener


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
