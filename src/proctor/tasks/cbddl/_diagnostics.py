"""What is wrong with a file, where, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from proctor.tasks.cbddl._codes import CODES, Severity
from proctor.tasks.cbddl._model import Span

MAX_PROBLEMS = 200
MAX_SUGGESTIONS = 50
MAX_MESSAGE = 400


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One defect. ``line`` and ``column`` count from 1 and point at the offending token."""

    file: str
    line: int
    column: int
    code: str
    severity: Severity
    message: str

    @property
    def fatal(self) -> bool:
        """Whether the file has no defined meaning because of this."""
        return CODES[self.code].fatal

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code}: {self.message}"


class CbddlError(ValueError):
    """A task file without a defined meaning; the text is its gravest defect, ``diagnostics`` are all of them."""

    exit_code = 2

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        # A block is often missing only because something in it, or around it, could not be read.
        fatal = sorted((d for d in self.diagnostics if d.fatal), key=_gravity)
        more = f" (and {len(fatal) - 1} more; run 'proctor lint')" if len(fatal) > 1 else ""
        super().__init__(f"{fatal[0]}{more}" if fatal else "unreadable task")

    def __reduce__(self) -> tuple[type[CbddlError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


def _gravity(diagnostic: Diagnostic) -> int:
    if diagnostic.code.startswith("syntax-"):
        return 0
    return 2 if diagnostic.code == "missing-block" else 1


class Problems:
    """Collects the defects of one file, at most ``MAX_PROBLEMS`` of them. ``fatal``: one of them leaves no meaning."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Diagnostic] = []
        self.suggested = 0
        self.truncated = False
        self.fatal = False

    def add(self, code: str, span: Span, message: str, severity: Severity | None = None) -> None:
        """Report ``code`` at ``span``; ``severity`` overrides the code's usual one.

        A first fatal defect is kept even beyond the limit: whether there is a task must not depend on the others.
        """
        room = MAX_PROBLEMS - len(self.found)
        if room <= 0 and (self.fatal or not CODES[code].fatal):
            if self.truncated:
                return
            self.truncated = True
            code, message = "too-many-problems", f"more than {MAX_PROBLEMS} problems; repair these and lint again"
            severity = None
        text = "".join(char if char.isprintable() else "?" for char in message[:MAX_MESSAGE])
        severity = severity or CODES[code].severity
        self.fatal = self.fatal or CODES[code].fatal
        self.found.append(Diagnostic(self.file, span.line, span.column, code, severity, text))

    def suggest(self, name: str, known: Collection[str], otherwise: str) -> str:
        """Return ``did you mean 'x'?`` for the closest known name, or ``otherwise`` when nothing is close.

        Comparing is slow, so long names, long lists and files with many unknown names go without.
        """
        if len(name) > 80 or len(known) > 500 or self.suggested >= MAX_SUGGESTIONS:
            return otherwise
        self.suggested += 1
        choices = {choice.casefold(): choice for choice in sorted(known, reverse=True)}
        close = difflib.get_close_matches(name.casefold(), list(choices), n=1, cutoff=0.6)
        return f"did you mean {choices[close[0]]!r}?" if close else otherwise

    def sorted(self) -> list[Diagnostic]:
        """Return the defects in the order of the file."""
        return sorted(dict.fromkeys(self.found), key=lambda d: (d.line, d.column, d.code, d.message))


def shown(text: str) -> str:
    """Return ``text`` quoted for a one-line message, cut where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
