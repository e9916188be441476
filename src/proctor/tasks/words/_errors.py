"""The one exception of this package. Its text is one line: what was wrong, where, what to do."""

from __future__ import annotations


class LanguageError(ValueError):
    """A text, a file or an installation that gives no correct answer."""

    exit_code = 2
