"""S-expressions and their readers: tokens with their places and comments; words, numbers, vectors, attributes.

Lexical rules: ``(``, ``)``, words (runs of anything else but white space), and comments from ``;`` to the end of the
line. The reader is a loop with its own stack, so that nesting cannot exhaust Python's, and it recovers from a missing
or superfluous parenthesis at the next block keyword.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from proctor.tasks.cbddl._diagnostics import Problems, shown
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


# Numbers and angles. Nothing in a file is ever evaluated as code.

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_ANGLE_TOKEN = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|pi|[-+*/]", re.ASCII)
_MAX_LENGTH = 64


def parse_number(text: str) -> float | None:
    """Return the finite decimal number written as ``text``, or None."""
    if len(text) > _MAX_LENGTH or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def parse_angle(text: str) -> float | None:
    """Return the angle in radians written as ``text``, or None.

    Grammar: ``angle = product {("+" | "-") product}``, ``product = value {("*" | "/") value}``,
    ``value = ["+" | "-"] (number | "pi")``; for example ``pi``, ``-pi/2``, ``3*pi/4``, ``pi-0.1``.
    """
    tokens = _angle_tokens(text.lower()) if len(text) <= _MAX_LENGTH else []
    try:
        value = _product(tokens)
        while tokens:
            sign = -1.0 if _take(tokens, "+-") == "-" else 1.0
            value += sign * _product(tokens)
    except (ValueError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None


def _angle_tokens(text: str) -> list[str]:
    """Return the tokens of ``text`` last first, or nothing when a character belongs to none."""
    tokens = _ANGLE_TOKEN.findall(text)
    return tokens[::-1] if "".join(tokens) == text else []


def _take(tokens: list[str], allowed: str) -> str:
    if not tokens or tokens[-1] not in allowed:
        raise ValueError(allowed)
    return tokens.pop()


def _value(tokens: list[str]) -> float:
    sign = 1.0
    if tokens and tokens[-1] in "+-":
        sign = -1.0 if tokens.pop() == "-" else 1.0
    if not tokens:
        raise ValueError("value")
    token = tokens.pop()
    return sign * (math.pi if token == "pi" else float(token))


def _product(tokens: list[str]) -> float:
    value = _value(tokens)
    while tokens and tokens[-1] in "*/":
        value = value * _value(tokens) if tokens.pop() == "*" else value / _value(tokens)
    return value


# Small readers that turn nodes into words, numbers, vectors and attributes, and report what does not fit.


def describe(node: Node) -> str:
    return shown(node.text) if isinstance(node, Word) else "a list"


def arguments(form: Form) -> list[Node]:
    """Return the items after the head."""
    return form.items[1:]


def words(nodes: list[Node], what: str, problems: Problems) -> list[Word]:
    """Return the words among ``nodes``; lists are reported."""
    for node in nodes:
        if isinstance(node, Form):
            problems.add("syntax-shape", node.span, f"a list where {what} belongs; remove the parentheses")
    return [node for node in nodes if isinstance(node, Word)]


def forms(nodes: list[Node], what: str, problems: Problems) -> Iterator[Form]:
    """Yield the lists among ``nodes`` that start with a word; everything else is reported."""
    for node in nodes:
        if isinstance(node, Form) and isinstance(node.items[0] if node.items else None, Word):
            yield node
        elif isinstance(node, Form):
            problems.add("syntax-shape", node.span, f"expected {what}; write a name after the parenthesis")
        else:
            problems.add("syntax-shape", node.span, f"expected {what}, found {describe(node)}; put it in parentheses")


def number(node: Node, problems: Problems) -> float | None:
    """Return the number that ``node`` is; anything else is reported."""
    value = parse_number(node.text) if isinstance(node, Word) else None
    if value is None:
        problems.add("syntax-number", node.span, f"expected a number, found {describe(node)}; write it like 0.25")
    return value


def vector(node: Node, length: int, example: str, problems: Problems) -> tuple[float, ...] | None:
    """Return the list of ``length`` numbers that ``node`` is; anything else is reported."""
    if not isinstance(node, Form) or len(node.items) != length:
        problems.add("syntax-shape", node.span, f"expected {length} numbers in parentheses; write {example}")
        return None
    values = [number(item, problems) for item in node.items]
    finite = tuple(value for value in values if value is not None)
    return finite if len(finite) == length else None


def vector3(node: Node, problems: Problems) -> tuple[float, float, float] | None:
    """Return the three numbers that ``node`` holds; anything else is reported."""
    values = vector(node, 3, "(x y z)", problems)
    return None if values is None else (values[0], values[1], values[2])


def single(form: Form, problems: Problems) -> Node | None:
    """Return the only argument of ``form``; none or several are reported."""
    if len(form.items) == 2:
        return form.items[1]
    problems.add("syntax-shape", form.span, f"{form.head} takes one value, found {len(form.items) - 1}; write one")
    return None


def boolean(node: Node, problems: Problems) -> bool | None:
    """Return true or false; anything else is reported."""
    value = {"true": True, "false": False}.get(node.folded) if isinstance(node, Word) else None
    if value is None:
        problems.add("syntax-boolean", node.span, f"expected true or false, found {describe(node)}; write one of them")
    return value


def head_span(form: Form) -> Span:
    """Return where the head of ``form`` stands (the parenthesis if it has none)."""
    return form.items[0].span if form.items else form.span
