"""What a policy was told, over all its runs: the rows that the page on language is about, and words for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.results import Episode
from proctor.tasks.words import ACTION_TYPES, CONTROLS, OBJECT_TYPES

from ._links import rows_link
from ._load import Arm, colour_class

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
    arms: tuple[Arm, ...]
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


def listeners_of(arms: Sequence[Arm]) -> list[Listener]:
    """Return each policy that was told anything but its tasks' own words, with all that it was told."""
    groups: dict[str, list[Arm]] = {}
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
