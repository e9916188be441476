"""Tokens and S-expressions, with the place of every token and the comments beside it.

Lexical rules: ``(``, ``)``, words (runs of anything else but white space), and comments from ``;`` to the end of the
line. The reader is a loop with its own stack, so that nesting cannot exhaust Python's, and it recovers from a missing
or superfluous parenthesis at the next block keyword.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import Span

MAX_BYTES = 1 << 20
MAX_DEPTH = 64

BLOCKS = (
    ":domain",
    ":language",
    ":regions",
    ":fixtures",
    ":objects",
    ":moving_objects",
    ":fill",
    ":looks",
    ":obj_of_interest",
    ":init",
    ":goal",
    ":cost",
    ":subgoals",
    ":plan",
    ":intent",
    ":faults",
    ":image_settings",
    ":noise",
    ":camera",
    ":random_color",
    ":requirements",
    ":scene_properties",
)

_TOKEN = re.compile(r"(?P<newline>\n)|(?P<space>[^\S\n]+)|(?P<paren>[()])|;(?P<comment>[^\n]*)|(?P<word>[^\s();]+)")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(slots=True)
class Word:
    """A word as written. ``before``: comments on the lines above; ``after``: a comment on the same line."""

    text: str
    span: Span
    before: list[str] = field(default_factory=list)
    after: str | None = None

    @property
    def folded(self) -> str:
        """The word in lower case: everything but the instruction is case-insensitive."""
        return self.text.lower()


@dataclass(slots=True)
class Form:
    """A parenthesised list. ``inside``: comments between the last item and the closing parenthesis.

    ``commented``: whether a comment stands anywhere between its parentheses (one before the head counts as outside).
    """

    span: Span
    items: list[Node] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    after: str | None = None
    commented: bool = False

    @property
    def head(self) -> str:
        """The first item in lower case if it is a word, otherwise an empty string."""
        first = self.items[0] if self.items else None
        return first.folded if isinstance(first, Word) else ""


Node: TypeAlias = Word | Form


@dataclass(slots=True)
class Document:
    """All top-level nodes of a file, and the comments after the last one."""

    nodes: list[Node]
    comments: list[str]


class _Reader:
    def __init__(self, text: str, problems: Problems) -> None:
        self.text = text
        self.problems = problems
        self.root: list[Node] = []
        self.stack: list[Form] = []
        self.pending: list[str] = []
        self.last: Node | None = None  # the node that a comment on the same line belongs to
        self.last_line = 0
        self.superfluous = False

    def read(self) -> Document:
        line, line_start = 1, 0
        file = self.problems.file
        for match in _TOKEN.finditer(self.text):
            kind = match.lastgroup
            if kind == "newline":
                line, line_start = line + 1, match.end()
                continue
            if kind == "space":
                continue
            span = Span(file, line, match.start() - line_start + 1)
            token = match.group()
            if kind == "comment":
                self._comment(match.group("comment").strip(), line)
            elif token == "(":
                if len(self.stack) >= MAX_DEPTH:
                    self.problems.add("syntax-too-deep", span, f"more than {MAX_DEPTH} open parentheses; nest less")
                    return Document(self.root, [])
                self._open(Form(span))
            elif token == ")":
                self._close(span)
            else:
                self._word(Word(token, span))
            if kind != "comment":
                self.last_line = line
        if self.stack:
            self.problems.add(
                "syntax-unbalanced",
                self.stack[-1].span,
                f"this parenthesis is never closed ({len(self.stack)} open at the end of the file); add ')'",
            )
        return Document(self.root, self.pending)

    def _comment(self, comment: str, line: int) -> None:
        if self.last is not None and self.last_line == line and self.last.after is None and not self.pending:
            self.last.after = comment
            self._mark(self.stack)
        else:
            self.pending.append(comment)

    @staticmethod
    def _mark(forms: list[Form]) -> None:
        for form in forms:
            form.commented = True

    def _attach(self, node: Node) -> None:
        comments, self.pending = self.pending, []
        if comments and isinstance(node, Word) and self.stack and not self.stack[-1].items:
            self.stack[-1].before.extend(comments)
            self._mark(self.stack[:-1])
        elif comments:
            node.before = comments
            self._mark(self.stack)
        (self.stack[-1].items if self.stack else self.root).append(node)

    def _open(self, form: Form) -> None:
        self._attach(form)
        self.stack.append(form)
        self.last = None

    def _close(self, span: Span) -> None:
        if not self.stack:
            if not self.superfluous:
                self.superfluous = True
                self.problems.add("syntax-unbalanced", span, "this parenthesis closes nothing; remove it")
            return
        if self.pending:
            self._mark(self.stack)
        form = self.stack.pop()
        form.inside, self.pending = self.pending, []
        self.last = form

    def _word(self, word: Word) -> None:
        is_block = word.text[0] == ":" and word.folded in BLOCKS
        if is_block and len(self.stack) > 2 and not self.stack[-1].items:
            self._recover(word)
        self._attach(word)
        self.last = word

    def _recover(self, word: Word) -> None:
        """Close what a missing parenthesis left open: a block keyword can only stand directly inside define."""
        form, unclosed = self.stack[-1], self.stack[1]
        self.stack[-2].items.pop()
        self.problems.add(
            "syntax-unbalanced",
            unclosed.span,
            f"not closed before {word.text!r} in line {word.span.line}; add {len(self.stack) - 2} ')' before that line",
        )
        del self.stack[1:]
        self.stack[0].items.append(form)
        self.stack.append(form)


def read_document(text: str, problems: Problems) -> Document:
    """Read ``text``; defects go to ``problems`` and as much as can be understood is returned."""
    start = Span(problems.file, 1, 1)
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_BYTES:
        problems.add("syntax-too-large", start, "larger than 1 MiB; a task file has a few hundred lines, split it")
        return Document([], [])
    control = _CONTROL.search(text)
    if control is not None:
        line_start = text.rfind("\n", 0, control.start()) + 1
        span = Span(problems.file, text.count("\n", 0, control.start()) + 1, control.start() - line_start + 1)
        found = f"U+{ord(control.group()):04X}"
        problems.add("syntax-control-character", span, f"control character {found}; save the file as plain text")
        return Document([], [])
    document = _Reader(text, problems).read()
    if not document.nodes and not problems.found:
        problems.add("syntax-empty", start, "no expression in this file; write (define (problem NAME) ...)")
    return document
