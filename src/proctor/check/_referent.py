"""Which things in the scene an instruction names.

A noun phrase of an asset (``bowl``, ``white bowl``) names the entities that may be called so; the longest phrase at a
place wins. A phrase that names nothing in the scene is ignored, one that names several things is ambiguous, unless it
says so: a plural (``apples``) names all that its singular may name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def referents(instruction: str, nouns: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return, for each phrase of the instruction that names something, the entities that it may name.

    ``nouns`` maps an entity to the phrases it may be called by.
    """
    words = re.findall(r"[a-z0-9]+", instruction.lower())
    phrases: dict[tuple[str, ...], list[str]] = {}
    for entity, names in nouns.items():
        for name in names:
            *front, last = name.lower().split()
            for form in (last, plural(last)):
                phrases.setdefault((*front, form), []).append(entity)
    found: dict[str, tuple[str, ...]] = {}
    longest = max(map(len, phrases), default=0)
    at = 0
    while at < len(words):
        for size in range(min(longest, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + size])
            if phrase in phrases:
                found[" ".join(phrase)] = tuple(sorted(set(phrases[phrase])))
                at += size - 1
                break
        at += 1
    return found


def plural(noun: str) -> str:
    """Return the regular plural of a noun; one that ends in s (scissors) is its own."""
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "sh", "x", "o")) else f"{noun}s"
