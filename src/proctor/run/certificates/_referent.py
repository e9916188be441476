"""Which things in the scene the words of an instruction may name.

A noun phrase of an asset (``bowl``, ``white bowl``) names the entities that may be called so; the longest phrase at a
place wins. A phrase that names nothing in the scene is ignored. One that names several things is ambiguous, unless it
says so (a plural, ``apples``, names all that its singular may name) or a relation tells them apart
(`_referent_words`, `_referent_space`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun of the instruction: its place among the words (``end`` exclusive), what it may name, one or all of it."""

    start: int
    end: int
    noun: str
    entities: tuple[str, ...]
    many: bool = False


def words_of(instruction: str) -> list[str]:
    """Return the words of an instruction, lower case, without punctuation."""
    return re.findall(r"[a-z0-9]+", instruction.lower())


def mentions(words: list[str], nouns: Mapping[str, tuple[str, ...]]) -> list[Mention]:
    """Return the nouns among ``words`` in order; ``nouns`` maps an entity to the phrases it may be called by."""
    singular: set[tuple[str, ...]] = set()
    phrases: dict[tuple[str, ...], set[str]] = {}
    for entity, names in nouns.items():
        for name in names:
            *front, last = name.lower().split()
            singular.add((*front, last))
            for form in (last, plural(last)):
                phrases.setdefault((*front, form), set()).add(entity)
    longest = max(map(len, phrases), default=0)
    found: list[Mention] = []
    at = 0
    while at < len(words):
        for size in range(min(longest, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + size])
            if phrase in phrases:
                named = tuple(sorted(phrases[phrase]))
                found.append(Mention(at, at + size, " ".join(phrase), named, phrase not in singular))
                at += size - 1
                break
        at += 1
    return found


def referents(instruction: str, nouns: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return, for each noun of the instruction that names something, the entities that it may name."""
    return {mention.noun: mention.entities for mention in mentions(words_of(instruction), nouns)}


def plural(noun: str) -> str:
    """Return the regular plural of a noun; one that ends in s (scissors) is its own."""
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "sh", "x", "o")) else f"{noun}s"
