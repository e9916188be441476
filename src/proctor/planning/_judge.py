"""From a model's reply to everything that is said of it: class, plan, scores in both modes, execution."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from proctor.core.chat import ChatError, ChatTimeoutError, Reply

from ._executor import Execution, execute
from ._paper import NO_PAPER_SCORE, PaperScore, paper_score
from ._parse import Parsed, parse
from ._problem import Problem
from ._score import NO_PLAN, PlanScore, score

Outcome = Literal["ok", "repaired", "no_json", "cut_off", "wrong_type", "refused", "timeout", "error"]
ANSWERED: tuple[Outcome, ...] = ("ok", "repaired", "no_json", "cut_off", "wrong_type", "refused")
"""Outcomes that are the model's own: they are scored. The others are errors, counted apart and asked again."""
PLANNED: tuple[Outcome, ...] = ("ok", "repaired")

_REFUSING = re.compile(
    r"\b(i(?:'m| am) (?:sorry|unable|not able)"
    r"|i (?:can(?:no|')t|won't|will not) (?:help|assist|do|comply|provide|fulfil)"
    r"|as an ai\b|against my (?:policy|guidelines))|(?:抱歉|对不起|无法(?:提供|协助|帮助))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlanJudgement:
    """What is said of a reply. ``execution`` is None where there is no plan to carry out."""

    outcome: Outcome
    parsed: Parsed
    score: PlanScore
    paper: PaperScore
    execution: Execution | None


def judge(reply: Reply, problem: Problem) -> PlanJudgement:
    parsed = parse(reply.text, stopped_at_limit=reply.finish == "length")
    if parsed.failed:
        plain = parsed.kind == "no_json"
        outcome: Outcome = "refused" if refuses(reply if plain else replace(reply, text="")) else parsed.kind
        return PlanJudgement(outcome, parsed, NO_PLAN, NO_PAPER_SCORE, None)
    wanted = problem.marked(problem.plan)
    return PlanJudgement(
        parsed.kind,
        parsed,
        score(parsed.calls, problem.references, problem.names, problem.free),
        paper_score(parsed.calls, wanted, problem.references[0].paper_order),
        execute(parsed.calls, problem.world, problem.names),
    )


def refuses(reply: Reply) -> bool:
    """Whether a reply that holds no plan declines to give one: the server says so, or its words do."""
    said = reply.text.replace("\u2019", "'")
    return bool(reply.refusal) or reply.finish == "content_filter" or _REFUSING.search(said) is not None


def failed(error: ChatError) -> Outcome:
    return "timeout" if isinstance(error, ChatTimeoutError) else "error"
