"""Words: what a sentence calls things by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ._scene import Thing

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def plain(text: str) -> str:
    """Return a text in small letters with straight quotes and single spaces."""
    straight = text.translate(str.maketrans("“”’‘–", "\"\"''-"))
    return " ".join(straight.lower().split())


def said(text: str, *patterns: str) -> bool:
    """Return whether one of the patterns occurs."""
    return any(re.search(pattern, text) for pattern in patterns)


def ordinal(text: str) -> int | None:
    """Return the number of the first ordinal word (second: 2), or None."""
    found = re.search(rf"\b({'|'.join(ORDINALS)})\b", text)
    return ORDINALS.index(found[1]) + 1 if found else None


def number(word: str) -> int:
    """Return the value of ``seven`` or ``7``."""
    return NUMBERS.index(word) if word in NUMBERS else int(word)


def mentioned(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that occur as words, longest first; what lies within a longer one does not count."""
    found = []
    for name in sorted(set(names), key=len, reverse=True):
        pattern = rf"\b{re.escape(name.lower())}(s|es)?(?!\w)"
        if name and re.search(pattern, text):
            found.append(name)
            text = re.sub(pattern, "#", text)
    return found


def spoken(kind: str) -> tuple[str, ...]:
    """Return what a kind may be called: ``rice box`` is also a box of rice."""
    head, _, tail = kind.rpartition(" ")
    if tail in ("box", "bag", "bowl", "jar", "carton"):
        return kind, f"{tail} of {head}"
    return (kind,)


def named(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Return the things whose kind is mentioned."""
    names = mentioned(text, [name for thing in things for name in spoken(thing.kind)])
    return [thing for thing in things if any(name in names for name in spoken(thing.kind))]
