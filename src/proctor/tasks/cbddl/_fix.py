"""Repairs that do not change what a task means.

Several expressions in ``:goal`` or ``:cost`` are wrapped in one ``And``, rectangles that nothing refers to are removed
(with the comments that belong to them), and the text is formatted. Repeated cost predicates stay: they are a weight.
"""

from __future__ import annotations

from proctor.tasks.cbddl._diagnostics import CbddlError, Problems
from proctor.tasks.cbddl._format import format_document
from proctor.tasks.cbddl._parse import parse
from proctor.tasks.cbddl._rules import used_names
from proctor.tasks.cbddl._sexp import Document, Form, Node, Word, read_document


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
    comments: list[str] = []
    for expression in expressions:
        if block.head == ":cost" and isinstance(expression, Form) and expression.head == "and":
            connective, *terms = expression.items
            comments += expression.before + ([connective.after] if connective.after is not None else [])
            terms[0].before = comments + terms[0].before
            items += terms
            comments = expression.inside + ([expression.after] if expression.after is not None else [])
        else:
            expression.before = comments + expression.before
            items.append(expression)
            comments = []
    wrapper = Form(block.span, [Word("And", block.span), *items], inside=comments, commented=block.commented)
    block.items = [head, wrapper]
