"""The prover: exactly one answer, nothing unknown, and the independent solver agrees where there is one."""

from __future__ import annotations

from collections.abc import Sequence

from ._model import Item, NotUniqueError, Proof, Question
from .rules import check_of, rule_of


def prove(question: Question, items: Sequence[Item]) -> Proof:
    """Return the proof that exactly one answer fits; raises `NotUniqueError` with what is wrong."""
    rule = rule_of(question.kind)
    found = rule.function(question, items)
    what = " ".join([question.kind, *(f"{key}={value}" for key, value in question.params.items())])
    if found.doubts:
        raise NotUniqueError(f"{what}: in doubt: {'; '.join(found.doubts)}")
    if len(found.answers) != 1:
        raise NotUniqueError(f"{what}: {len(found.answers)} answers where the rule asks for one ({rule.text})")
    check = check_of(question.kind)
    if check is not None and check(question, items) != found.answers:
        raise NotUniqueError(f"{what}: two solvers disagree; report this scene as a bug")
    (winner,) = found.answers
    return Proof(rule.text, question, tuple(item.name for item in items), winner, found.margin)


def holds(question: Question, items: Sequence[Item], target: str) -> bool:
    """Return whether ``target`` alone is the one answer."""
    try:
        return prove(question, items).winner == ((target,),)
    except NotUniqueError:
        return False
