"""Errors that a user can cause. Their text is one line: what was wrong, where, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ProctorError(Exception):
    """A user's mistake or an environment problem: the command line prints its text and exits with ``exit_code``."""

    exit_code = 2


def did_you_mean(name: str, known: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return ``"; did you mean 'x'?"`` for the closest known name, or ``""`` when nothing is close."""
    choices = sorted(set(known))
    folded = {choice.casefold(): choice for choice in reversed(choices)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=cutoff)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""
