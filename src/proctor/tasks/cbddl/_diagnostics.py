"""What is wrong with a task file, where, and what to do about it; and every code that says so."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from proctor.tasks.cbddl._model import Span

# Every code that a diagnostic may carry. Codes are stable: they are never renamed and never reused.

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means.

    ``fatal``: the file has no defined meaning, so there is no ``Task``. ``fixable``: ``--fix`` repairs it without
    changing what the task means to Proctor.
    """

    severity: Severity
    summary: str
    fatal: bool = False
    fixable: bool = False


def _fatal(summary: str) -> Code:
    return Code("error", summary, fatal=True)


CODES: dict[str, Code] = {
    # Files that cannot be read as the language.
    "syntax-empty": _fatal("the file holds no expression"),
    "syntax-too-large": _fatal("the file is larger than 1 MiB"),
    "syntax-not-utf8": _fatal("the file is not UTF-8 text"),
    "syntax-unreadable": _fatal("the file cannot be opened"),
    "syntax-control-character": _fatal("a NUL or another control character: the file is binary or damaged"),
    "syntax-unbalanced": _fatal("a parenthesis is missing, or one is too many"),
    "syntax-too-deep": _fatal("parentheses nested deeper than 64"),
    "syntax-define": _fatal("the file is not one (define (problem NAME) ...)"),
    "syntax-trailing": _fatal("something follows the closing parenthesis of define"),
    "syntax-shape": _fatal("a list where a word belongs, a word where a list belongs, or a wrong number of items"),
    "syntax-number": _fatal("not a finite number"),
    "syntax-angle": _fatal("not a number or simple arithmetic with pi"),
    "syntax-boolean": _fatal("neither true nor false"),
    "syntax-typed-list": _fatal("a typed list that is not 'name ... - category'"),
    # Words that mean nothing here.
    "unknown-block": _fatal("a block that the language does not have"),
    "unknown-attribute": _fatal("an attribute that the block does not have"),
    "unknown-predicate": _fatal("a predicate that the language does not have"),
    "unknown-name": _fatal("a name that is neither an object, a fixture nor the full name of a region"),
    "unknown-value": _fatal("a word outside the allowed set, such as a motion type"),
    "unknown-category": Code("warning", "a category for which this installation has no asset"),
    "unknown-target": Code("error", "a region on a fixture or object that is not declared (warning if it is unused)"),
    "unknown-interest": Code("error", ":obj_of_interest names something that is not declared"),
    "unknown-problem": Code("warning", "a problem class that the reference does not register"),
    "unknown-domain": Code("warning", "a domain other than robosuite"),
    # Structure.
    "missing-block": _fatal("a mandatory block is missing"),
    "missing-attribute": _fatal("a region without target, or a motion without a parameter that it needs"),
    "duplicate-block": Code("error", "a block is written twice (lists are merged, of single values the first wins)"),
    "ignored-block": Code("warning", "a block that is accepted and has no effect"),
    "ignored-attribute": Code("info", "an attribute that has no effect for this motion type"),
    "wrong-arity": _fatal("too few or too many arguments"),
    "wrong-argument": _fatal("an argument of the wrong kind"),
    "misplaced-predicate": _fatal("a predicate or connective that is not allowed in this block"),
    "empty-expression": _fatal("And, Or, Not, Then, :goal or a part list without content"),
    "value-range": _fatal("a number outside its meaningful range"),
    "several-goals": Code(
        "error", ":goal has several expressions without And; the reference drops all but the first", fixable=True
    ),
    "several-costs": Code(
        "error", ":cost has several expressions without And; the reference drops all but the first", fixable=True
    ),
    "then-alone": Code("warning", "Then with a single goal orders nothing"),
    # Declarations and placement.
    "duplicate-entity": _fatal("a fixture or object is declared twice"),
    "duplicate-region": Code("error", "two regions have the same full name; the last one wins"),
    "duplicate-interest": Code("warning", "a name occurs twice in :obj_of_interest"),
    "duplicate-mover": _fatal("an object has two motions"),
    "duplicate-fill": _fatal("a vessel is filled twice"),
    "duplicate-look": _fatal("an entity has two looks"),
    "duplicate-subgoal": _fatal("two sub-goals have the same name"),
    "reserved-name": _fatal("an object has a name that stands for the robot"),
    "split-category": Code("warning", "a category is listed twice; the reference keeps only the later list"),
    "never-placed": Code("error", "an object or fixture that :init does not place"),
    "placed-twice": Code("error", "an object or fixture that :init places twice"),
    "placement-cycle": _fatal("objects that are placed on each other in a circle"),
    "empty-range": Code("error", "a rectangle whose minimum is larger than its maximum"),
    "empty-yaw": Code("error", "a yaw interval whose minimum is larger than its maximum"),
    "placed-without-range": Code("error", "a table or floor region without :ranges is used to place something"),
    "region-outside-table": Code("error", "a rectangle that is not on the table (warning: partly; info: goal only)"),
    "regions-overlap": Code("error", "two things whose places lie too close for both to stand (warning: most often)"),
    "unused-region": Code("warning", "a region that nothing refers to (info: it names a site)", fixable=True),
    "yaw-on-object": Code("info", "a yaw for a movable object: Proctor applies it, the reference ignores it"),
    "path-starts-elsewhere": Code("warning", "a path of waypoints that does not begin where :init puts its object"),
    "part-number": Code("info", "parts are given as geom numbers instead of names"),
    # Goal and cost.
    "in-without-contain-site": Code("error", "In with an object instead of its contain site (info: the asset has one)"),
    "on-whole-fixture": Code("warning", "On with a whole fixture; name its site, such as top_side"),
    "duplicate-cost": Code("warning", "a cost predicate is repeated, which multiplies its weight"),
    "siblings-not-monitored": Code("warning", "NotOn watches some objects of a category and not the others"),
    "never-filled": Code("warning", "Spilled watches something that holds nothing at the start"),
    "goal-holds-at-start": Code("warning", "every goal predicate is already stated in :init"),
    # Instruction.
    "language-file-mismatch": Code("warning", "the instruction differs from the one in the file name"),
    "language-goal-mismatch": Code("warning", "the goal is about an object that the instruction does not name"),
    "language-all-not-covered": Code("warning", "the instruction says all, the goal covers fewer"),
    "language-order-unchecked": Code("warning", "the instruction demands an order, the goal has no Then"),
    "language-preposition": Code("warning", "the instruction says on the drawer, the goal says In"),
    # Bookkeeping.
    "too-many-problems": Code("error", "more than 200 problems in one file; the rest is not shown"),
}


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
