"""The CBDDL of ``tasks.json`` with variables, and what a draw puts in their place.

A binding is a name (an entity, or ``entity/part``), several names (``pockets``, ``best5``) or a look-up from one entity
to another, written ``(slot_of $a)``. Several names are alternatives where a predicate takes one thing
(``(In $t pockets)`` holds for any pocket) and a list in parentheses (``(OnlyIn rack (best5))``). ``(All x NAMES BODY)``
and ``(Any ...)`` repeat their body for each name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeAlias

from ._errors import KnowledgeError

Binding: TypeAlias = str | tuple[str, ...] | Mapping[str, str] | Mapping[str, tuple[str, ...]]
Bindings: TypeAlias = Mapping[str, Binding]
Node: TypeAlias = "str | tuple[Node, ...]"
_CONNECTIVES = ("And", "Or", "Once", "OnceAfter", "Seq")


def written(template: str, bindings: Bindings) -> str:
    """Return the expression, or the skill call, that ``template`` is under ``bindings``."""
    return _expression(_tree(template), bindings)


def resolve(template: str, bindings: Bindings) -> tuple[str, ...]:
    """Return the entities (or ``entity/part``) that a name of the table stands for."""
    return _names(_tree(template), bindings)


@cache
def _tree(template: str) -> Node:
    tokens = iter(re.findall(r"[()]|[^\s()]+", template))
    return _node(next(tokens), tokens)


def _node(token: str, tokens: Iterator[str]) -> Node:
    return tuple(_node(inner, tokens) for inner in iter(lambda: next(tokens), ")")) if token == "(" else token


def _expression(node: Node, bindings: Bindings) -> str:
    assert not isinstance(node, str)
    head, *args = node
    if head in ("All", "Any"):
        variable, domain, body = args
        items = [_expression(body, {**bindings, str(variable): name}) for name in _names(domain, bindings)]
        return _joined("And" if head == "All" else "Or", items)
    if head in _CONNECTIVES:
        return _joined(str(head), [_expression(arg, bindings) for arg in args])
    words = [str(head)]
    for place, arg in enumerate(args, start=1):
        names = _names(arg, bindings)
        if not isinstance(arg, str) and not _is_lookup(arg, bindings):
            words.append(f"({' '.join(names)})")
        elif len(names) == 1:
            words.append(names[0])
        else:
            options = [(*node[:place], name, *node[place + 1 :]) for name in names]
            return _joined("Or", [_expression(option, bindings) for option in options])
    return f"({' '.join(words)})"


def _joined(connective: str, items: list[str]) -> str:
    return items[0] if len(items) == 1 and connective in ("And", "Or") else f"({connective} {' '.join(items)})"


def _is_lookup(node: Node, bindings: Bindings) -> bool:
    return isinstance(node[0], str) and isinstance(bindings.get(node[0]), Mapping)


def _names(node: Node, bindings: Bindings) -> tuple[str, ...]:
    """Return the names that a word, a list or a look-up stands for; a name of the scene stands for itself."""
    if not isinstance(node, str):
        if not _is_lookup(node, bindings):
            return tuple(name for item in node for name in _names(item, bindings))
        found = bindings[str(node[0])]
        (key,) = _names(node[1], bindings)
        assert isinstance(found, Mapping)
        bound: Binding = found[key]
    elif node in bindings:
        bound = bindings[node]
    else:
        owner, slash, part = node.partition("/")
        return tuple(f"{name}/{part}" for name in _names(owner, bindings)) if slash else (node,)
    if isinstance(bound, Mapping):
        raise KnowledgeError(f"tasks.json: {node!r} is a look-up, which needs an entity")
    return (bound,) if isinstance(bound, str) else tuple(bound)
