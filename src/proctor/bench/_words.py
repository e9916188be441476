"""Words for numbers, places and facts."""

from __future__ import annotations

from .knowledge import Question, attribute_table

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(number: int) -> str:
    """Return ``second`` for 2."""
    return ORDINALS[number - 1]


def phrase_of(question: Question) -> str:
    """Return what an attribute question says of its answer, as in ``is a citrus fruit``."""
    facts = attribute_table(question["table"])
    return " and ".join(facts.attributes[name].phrase for name in question["attributes"])


def listed(words: list[str]) -> str:
    """Return ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
