"""Repairs that do not change what a task means.

Several expressions in ``:goal`` or ``:cost`` are wrapped in one ``And``, rectangles that nothing refers to are removed
(with the comments that belong to them), and the text is formatted. Repeated cost predicates stay: they are a weight.
"""

from __future__ import annotations

from proctor.cbddl._diagnostics import CbddlError, Problems
from proctor.cbddl._format import format_document
from proctor.cbddl._index import used_names
from proctor.cbddl._parse import parse
from proctor.cbddl._sexp import Document, Form, Node, Word, read_document


def fix_task(text: str, file: str = "<text>") -> str:
    """Return ``text`` with its safe repairs, formatted; raises ``CbddlError`` where it has no defined meaning."""
    task = parse(text, file)
    problems = Problems(file)
    document = read_document(text, problems)
    if problems.fatal:
        raise CbddlError(problems.found)
    used = used_names(task)
    unused = {region.span for region in task.regions if region.ranges and region.full_name not in used}
    for block in _blocks(document):
        if block.head == ":regions":
            block.items = [item for item in block.items if not (isinstance(item, Form) and _name_span(item) in unused)]
        elif block.head in (":goal", ":cost") and len(block.items) > 2:
            _wrap(block)
    return format_document(document)


def _blocks(document: Document) -> list[Form]:
    define = document.nodes[0]
    return [item for item in define.items if isinstance(item, Form)] if isinstance(define, Form) else []


def _name_span(form: Form) -> object:
    return form.items[0].span if form.items else None


def _wrap(block: Form) -> None:
    """Put the expressions of ``block`` into one ``And``; in ``:cost`` a top-level ``And`` is a sum already."""
    head, *expressions = block.items
    items: list[Node] = []
    for expression in expressions:
        if (
            block.head == ":cost"
            and isinstance(expression, Form)
            and expression.head == "and"
            and not _comments(expression)
        ):
            items.extend(expression.items[1:])
        else:
            items.append(expression)
    block.items = [head, Form(block.span, [Word("And", block.span), *items])]


def _comments(form: Form) -> bool:
    return bool(form.before or form.inside or form.after or form.items[0].before or form.items[0].after)
