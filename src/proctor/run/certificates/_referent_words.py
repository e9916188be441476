"""Noun phrases with a relation: ``the tomato next to the cereal``, ``the bowl in the top layer of the drawer``.

A relation is read after the noun that is picked up (``pick up the tomato on the board``) and after the noun that says
where it goes (``place it on the bowl beside it``). After ``put the apple`` no relation is read: there ``on the plate``
says where it goes. ``it`` is the thing last picked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._referent import Mention, mentions, words_of

Kind: TypeAlias = Literal["next to", "between", "on", "in"]
IT = "it"
_PICK = frozenset({"pick", "take", "grab", "grasp", "lift"})
_SKIPPED = frozenset({"the", "a", "an", "up", "out"})
_LAYERS = {"top": "top", "first": "top", "middle": "middle", "second": "middle", "bottom": "bottom", "third": "bottom"}


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a thing is: ``kind`` and its anchors; an anchor is what may be meant by a noun, or `IT`.

    ``layer`` names the drawer of a cabinet; ``on`` a layer may mean in that drawer or on the cabinet.
    """

    kind: Kind
    anchors: tuple[Mention | str, ...]
    layer: str = ""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun with its relation, if any; ``text`` as in the instruction; ``picked`` up or not."""

    text: str
    head: Mention
    relation: Relation | None
    picked: bool


def noun_phrases(instruction: str, nouns: Mapping[str, tuple[str, ...]]) -> list[NounPhrase]:
    """Return the noun phrases of an instruction in order; nouns that serve as anchors are inside their phrase."""
    words = words_of(instruction)
    at = {mention.start: mention for mention in mentions(words, nouns)}
    found: list[NounPhrase] = []
    end = 0
    for start, head in at.items():
        if start < end:
            continue
        picked = _is_picked(words, start)
        relation, end = None, head.end
        if picked or _is_destination(words, start):
            relation, end = _Reader(words, at).relation(head.end)
        found.append(NounPhrase(" ".join(words[start:end]), head, relation, picked))
    return found


def has_relations(phrases: list[NounPhrase]) -> bool:
    """Whether the words alone cannot say which things are meant."""
    return any(phrase.relation is not None for phrase in phrases)


def _is_picked(words: list[str], start: int) -> bool:
    before = start - 1
    while before >= 0 and words[before] in _SKIPPED:
        before -= 1
    return before >= 0 and words[before] in _PICK


def _is_destination(words: list[str], start: int) -> bool:
    """Whether ``it on the`` stands before the noun."""
    before = [word for word in words[max(0, start - 3) : start] if word not in _SKIPPED]
    return len(before) >= 2 and before[-2] in (IT, "them") and before[-1] in ("on", "in", "into", "onto", "to")


class _Reader:
    """Reads a relation from a place among the words on."""

    def __init__(self, words: list[str], at: Mapping[int, Mention]) -> None:
        self._words = words
        self._at = at

    def relation(self, start: int) -> tuple[Relation | None, int]:
        """Return the relation that begins at ``start`` and the place behind it, or None and ``start``."""
        for read in (self._next_to, self._between, self._on_top, self._layer, self._plain):
            relation, end = read(start)
            if relation is not None:
                return relation, end
        return None, start

    def _says(self, start: int, *words: str) -> bool:
        return self._words[start : start + len(words)] == list(words)

    def _anchor(self, start: int) -> tuple[Mention | str | None, int]:
        start += self._says(start, "the")
        if self._says(start, IT):
            return IT, start + 1
        mention = self._at.get(start)
        return (mention, mention.end) if mention is not None else (None, start)

    def _one(self, kind: Kind, start: int, layer: str = "") -> tuple[Relation | None, int]:
        anchor, end = self._anchor(start)
        return (None, start) if anchor is None else (Relation(kind, (anchor,), layer), end)

    def _next_to(self, start: int) -> tuple[Relation | None, int]:
        if self._says(start, "beside"):
            return self._one("next to", start + 1)
        return self._one("next to", start + 2) if self._says(start, "next", "to") else (None, start)

    def _between(self, start: int) -> tuple[Relation | None, int]:
        if not self._says(start, "between"):
            return None, start
        first, end = self._anchor(start + 1)
        if first is None or not self._says(end, "and"):
            return None, start
        second, end = self._anchor(end + 1)
        return (None, start) if second is None else (Relation("between", (first, second)), end)

    def _on_top(self, start: int) -> tuple[Relation | None, int]:
        if self._words[start : start + 1] not in (["on"], ["at"]):
            return None, start
        top = start + 1 + self._says(start + 1, "the")
        return self._one("on", top + 2) if self._says(top, "top", "of") else (None, start)

    def _layer(self, start: int) -> tuple[Relation | None, int]:
        """``in the top layer of the cabinet``, ``in the top drawer``."""
        if self._words[start : start + 1] not in (["on"], ["in"]):
            return None, start
        kind: Kind = "on" if self._says(start, "on") else "in"
        at = start + 1 + self._says(start + 1, "the")
        layer = _LAYERS.get(self._words[at]) if at + 1 < len(self._words) else None
        if layer is None or self._words[at + 1] not in ("layer", "drawer"):
            return None, start
        return self._one(kind, at + 3 if self._says(at + 2, "of") else at + 1, layer)

    def _plain(self, start: int) -> tuple[Relation | None, int]:
        if self._says(start, "on"):
            return self._one("on", start + 1)
        return self._one("in", start + 1) if self._says(start, "in") else (None, start)
