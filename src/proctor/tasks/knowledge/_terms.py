"""The function notation of ``tasks.json``: ``and(held($t),lifted($t,0.10))`` read into a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from ._errors import BenchError

_TOKEN = re.compile(r"\s*([$\w][\w./]*|-?\d[\d.]*|[(),\[\]])")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Call:
    """A predicate, connective or skill with arguments."""

    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A list in brackets."""

    items: tuple[Term, ...]


Term: TypeAlias = Call | Listed | str | float


@cache
def read_term(text: str) -> Term:
    """Return the tree of ``text``; raises where it is not well formed, which only an edited table can cause."""
    tokens = _tokens(text)
    term, rest = _term(tokens, 0, text)
    if rest != len(tokens):
        raise BenchError(f"tasks.json: cannot read {text!r} after {tokens[rest - 1]!r}")
    return term


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise BenchError(f"tasks.json: cannot read {text!r} at {text[at:]!r}")
        tokens.append(match[1])
        at = match.end()
    return tokens


def _term(tokens: list[str], at: int, text: str) -> tuple[Term, int]:
    if at >= len(tokens):
        raise BenchError(f"tasks.json: {text!r} ends too early")
    token = tokens[at]
    if token == "[":
        items, after = _items(tokens, at + 1, "]", text)
        return Listed(items), after
    if at + 1 < len(tokens) and tokens[at + 1] == "(":
        items, after = _items(tokens, at + 2, ")", text)
        return Call(token, items), after
    return (float(token) if _NUMBER.fullmatch(token) else token), at + 1


def _items(tokens: list[str], at: int, end: str, text: str) -> tuple[tuple[Term, ...], int]:
    items: list[Term] = []
    while at < len(tokens) and tokens[at] != end:
        item, at = _term(tokens, at, text)
        items.append(item)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise BenchError(f"tasks.json: {text!r} has no {end!r}")
    return tuple(items), at + 1
