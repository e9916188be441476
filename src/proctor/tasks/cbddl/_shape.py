"""Small readers that turn nodes into words, numbers, vectors and attributes, and report what does not fit."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._model import Span
from proctor.tasks.cbddl._numbers import parse_number
from proctor.tasks.cbddl._sexp import Form, Node, Word


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
