"""Rules by kind of question. A rule maps (question, items) to all answers; a check is a second, independent one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from proctor.core import ProctorError, did_you_mean

from .._model import Answer, Found, Item, Question

RuleFunction: TypeAlias = Callable[[Question, Sequence[Item]], Found]
CheckFunction: TypeAlias = Callable[[Question, Sequence[Item]], frozenset[Answer]]


@dataclass(frozen=True, slots=True)
class Rule:
    """How a kind of question is answered; ``text`` says when exactly one answer exists."""

    kind: str
    text: str
    function: RuleFunction


_RULES: dict[str, Rule] = {}
_CHECKS: dict[str, CheckFunction] = {}


def rule(kind: str, text: str) -> Callable[[RuleFunction], RuleFunction]:
    def register(function: RuleFunction) -> RuleFunction:
        _RULES[kind] = Rule(kind, text, function)
        return function

    return register


def check(kind: str) -> Callable[[CheckFunction], CheckFunction]:
    """Register an independent solver that must agree with the rule of a kind."""

    def register(function: CheckFunction) -> CheckFunction:
        _CHECKS[kind] = function
        return function

    return register


def rule_of(kind: str) -> Rule:
    """Return the rule of a kind of question."""
    if kind not in _RULES:
        raise ProctorError(f"no rule answers questions of kind {kind!r}{did_you_mean(kind, _RULES)}")
    return _RULES[kind]


def check_of(kind: str) -> CheckFunction | None:
    """Return the independent solver of a kind, if there is one."""
    return _CHECKS.get(kind)


def known_kinds() -> tuple[str, ...]:
    """Return all kinds of question."""
    return tuple(sorted(_RULES))
