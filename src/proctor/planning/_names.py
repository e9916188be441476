"""What the numbers of the marked views, and words, stand for in a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from proctor.core import named_rng

_NUMBER = re.compile(r"^(?:#|(?:obj|object|mark|entity|id)[ _#]*)?(\d+)$", re.IGNORECASE)


class Names:
    """Reads the references of a plan: mark numbers, ``"3"``, ``"#3"``, ``"obj_3"``, exact names, and words.

    ``marks`` gives the thing behind each number. ``words`` are further texts by which a thing may be called: an object
    that no view shows has no number. ``same`` maps things that stand for one another (any pocket of a table) to one of
    them; ``meant`` does so for (skill, thing), where a skill can mean one part of a thing only (its one door, to open).
    """

    def __init__(
        self,
        marks: Mapping[int, str],
        words: Mapping[str, str] | None = None,
        same: Mapping[str, str] | None = None,
        parts: Iterable[str] = (),
        meant: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self.marks = dict(marks)
        self._meant = dict(meant or {})
        self._same = dict(same or {})
        self._known = {_fold(name): name for name in [*parts, *self.marks.values()]}
        self._words = {_fold(word): name for word, name in (words or {}).items()}

    def read(self, raw: Any) -> str | None:
        """Return the name of what ``raw`` refers to, or of what stands for it; None where it refers to nothing."""
        return self._one(self.exact(raw))

    def exact(self, raw: Any) -> str | None:
        """Return the name of just what ``raw`` refers to, None where it refers to nothing."""
        if isinstance(raw, bool):
            return None
        if isinstance(raw, float) and raw.is_integer():
            raw = int(raw)
        if isinstance(raw, int):
            return self.marks.get(raw)
        if not isinstance(raw, str):
            return None
        text = _fold(raw)
        if (name := self._known.get(text)) is not None:
            return name
        if match := _NUMBER.match(text):
            return self.marks.get(int(match.group(1)))
        return self._words.get(text)

    def part(self, name: str, region: str) -> str | None:
        return self._known.get(_fold(f"{name}/{region}"))

    def number(self, name: str) -> int | None:
        """Return the mark of a thing, None if it has none."""
        return next((number for number, marked in self.marks.items() if marked == name), None)

    def same(self, name: str, skill: str = "") -> str:
        """Return the thing that stands for ``name``, in a call of ``skill``."""
        return self.meant(self._same.get(name, name), skill)

    def meant(self, name: str, skill: str) -> str:
        """Return what ``skill`` acts on when told ``name``: a part of it, or what it is a part of."""
        return self._meant.get((skill, name), name)

    def _one(self, name: str | None) -> str | None:
        return None if name is None else self.same(name)


def number_marks(names: Iterable[str], seed: int) -> dict[int, str]:
    """Number things from 1 in an order drawn by ``seed``, so that a number says nothing of what it marks."""
    ordered = sorted(names)
    order = named_rng(seed, "marks").permutation(len(ordered))
    return {number: ordered[int(k)] for number, k in enumerate(order, start=1)}


def _fold(text: str) -> str:
    return " ".join(text.strip().casefold().split())
