"""The words of a text, what they may be the plural of, and the closed classes that instructions are read by.

The classes stand in ``words.toml``: determiners, prepositions by relation, verbs of picking and putting, and so on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("words.toml")
_TABLE: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


def _texts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _classes(name: str, sep: str | None = None) -> dict[str, str]:
    """Return, for each word of a table, the class that it is listed under."""
    return {word.strip(): kind for kind, text in _TABLE[name].items() for word in text.split(sep)}


ANY_OBJECT = _words("any_object")
AFTER_VERB = _words("after_verb")
COLOURS = _words("colours")
COMMON_WORDS = _words("common")
DETERMINERS = _words("determiners")
DOUBLED = frozenset(_TABLE["inflections"]["doubled"].split())
DRAWERS = _classes("drawers")
EXTREMES = _classes("extremes")
FUNCTION_WORDS = _words("function_words")
IRREGULAR: Mapping[str, str] = _TABLE["inflections"]["irregular"]
GENERIC = _words("generic")
NEGATIONS = _words("negations")
NUMBERS: Mapping[str, str] = _TABLE["numbers"]
ORDER = tuple(tuple(text.split()) for text in _texts(_TABLE["order"]))
ORDINALS = {word: place for place, word in enumerate(_TABLE["ordinals"].split())}
PICK_VERBS = _words("pick_verbs")
PLACES = _words("places")
PRONOUNS = _texts(_TABLE["pronouns"])
PUT_VERBS = _words("put_verbs")
# Each preposition with its class, the longest first, so that "to the front of" is not read as "of".
RELATIONS = dict(sorted(_classes("relations", "|").items(), key=lambda item: (-len(item[0].split()), item[0])))
STOPS = _words("stops")
WRITTEN_DETERMINERS = _texts(_TABLE["written_determiners"])


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation; hyphens and apostrophes stay inside words."""
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.lower())


def singulars(word: str) -> frozenset[str]:
    """Return ``word`` and what it may be the regular plural of."""
    forms = {word}
    for ending, replacement in (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            forms.add(word.removesuffix(ending) + replacement)
    return frozenset(forms)


def content_words(text: str) -> list[str]:
    """Return the words that carry a meaning of their own, numbers as digits, without a possessive ``'s``.

    A text of nothing but one small word keeps it.
    """
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]s\b", "", text.lower()))
    return [NUMBERS.get(word, word) for word in words if word not in FUNCTION_WORDS or len(words) == 1]


def order_words(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the places where words demand an order in time, and these words: ``then``, ``one by one``."""
    for at in range(len(words)):
        phrase = next((phrase for phrase in ORDER if tuple(words[at : at + len(phrase)]) == phrase), None)
        if phrase is not None:
            yield at, " ".join(phrase)


def preposition_before(words: Sequence[str], start: int) -> str:
    """Return the preposition that ends just before a place among the words; empty if none does."""
    for preposition in RELATIONS:
        parts = preposition.split()
        if list(words[max(0, start - len(parts)) : start]) == parts:
            return preposition
    return ""
