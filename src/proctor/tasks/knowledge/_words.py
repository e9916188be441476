"""Words for numbers."""

from __future__ import annotations

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(number: int) -> str:
    """Return ``second`` for 2."""
    return ORDINALS[number - 1]
