"""The one exception of this package. Its text is one line: what was wrong, where, what to do."""

from __future__ import annotations


class StatsError(ValueError):
    """Input that has no correct answer: the text says what was wrong, where, and what to do."""
