"""The row of a question: an episode of kind "plan", whose success is that the plan reaches the goal by the rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.core import EnvSpec, EpisodeSpec, Outcome, PolicySpec
from proctor.core.chat import ChatError, Reply
from proctor.results import Episode, PlanFields, PlannedCall, PromptPart, Tally, Value, make_row

from .._call import SkillCall
from .._judge import PlanJudgement, failed
from ._question import PlanQuestion, dimension_of

Prices = tuple[float | None, float | None]
"""Of a million tokens in and out."""
NO_PRICES: Prices = (None, None)


def row_ids(spec: EpisodeSpec) -> tuple[str, str]:
    """Return the ids of a question's row and pair: other than those of an episode in which a policy acts."""
    return f"plan-{spec.episode_id}", f"plan-{spec.pair_id}"


def view_path(identity: str, picture: str) -> str:
    """Return where a run folder keeps a picture."""
    return Path("views", identity, f"{picture}.png").as_posix()


def asked_fields(question: PlanQuestion, shots: Sequence[str], prompt: Sequence[Mapping[str, Any]]) -> PlanFields:
    """Return what is known before there is an answer."""
    problem = question.problem
    return PlanFields(
        dimension=dimension_of(question.spec),
        verdict="",
        views=tuple(view.camera for view in question.viewed.views),
        marks={str(number): name for number, name in question.viewed.marks.items()},
        shots=tuple(shots),
        prompt=tuple(part for message in prompt for part in _parts(message)),
        reference=planned(problem.marked(problem.plan)),
    )


def answered(fields: PlanFields, reply: Reply, judgement: PlanJudgement, prices: Prices) -> PlanFields:
    """Add an answer and all that is said of it."""
    score, paper, done = judgement.score, judgement.paper, judgement.execution
    return replace(
        fields,
        verdict=judgement.outcome,
        answer=_text(reply.text),
        finish=reply.finish,
        refusal=_text(reply.refusal),
        served_by=reply.model,
        tries=reply.tries,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        price_usd=_price(reply, prices),
        reasoning=_text(judgement.parsed.reasoning),
        note=_text(judgement.parsed.note),
        calls=planned(judgement.parsed.calls),
        bound=tuple(_text(str(call)) for call in score.bound),
        verdicts=tuple(score.verdicts),
        why_not=tuple(_text(attempt.why_not) for attempt in done.attempts) if done else (),
        faults=tuple(done.faults) if done else (),
        runs=done is not None and done.runs,
        reached=done is not None and done.reached,
        exact=score.exact,
        scores={
            "score": score.total / 100,
            "skill_f1": score.skill.f1,
            "parameter_f1": score.parameter.f1,
            "call_f1": score.call.f1,
            "order_precision": score.order.precision,
            "order_recall": score.order.recall,
            "order_f1": score.order.f1,
            "length_ratio": score.length_ratio,
        },
        paper={
            "skill": paper.skill,
            "parameter": paper.parameter,
            "skill_parameter": paper.skill_parameter,
            "plan": paper.plan,
            "total": paper.total,
        },
    )


def plan_row(
    spec: EpisodeSpec,
    fields: PlanFields,
    policy: PolicySpec,
    env: EnvSpec,
    tally: Tally,
    *,
    progress: float | None = None,
    error: ChatError | None = None,
    attempt: int = 1,
) -> Episode:
    """Return the row of an answer, or of an ``error``: that is the server's or the model's, and no answer."""
    common: dict[str, Any] = {"tally": tally, "attempt": attempt, "kind": "plan", "ids": row_ids(spec)}
    if error is not None:
        fields = replace(fields, verdict=failed(error))
        return make_row(spec, policy, env, status="policy_error", error=str(error), plan=fields, **common)
    outcome = Outcome(fields.runs, None, 0, 0.0, 0.0, (), (), "", progress=progress, family=spec.family)
    return make_row(spec, policy, env, status="completed", outcome=outcome, plan=fields, **common)


def planned(calls: Sequence[SkillCall]) -> tuple[PlannedCall, ...]:
    return tuple(
        PlannedCall(
            skill=_text(call.skill), arguments={_text(name): _value(value) for name, value in call.args.items()}
        )
        for call in calls
    )


def _parts(message: Mapping[str, Any]) -> list[PromptPart]:
    content = message["content"]
    parts = [{"text": content}] if isinstance(content, str) else content
    return [
        PromptPart(role=message["role"], text=_text(part.get("text", "")), picture=part.get("picture", ""))
        for part in parts
    ]


def _value(value: Any) -> Value:
    """Return an argument as a row can hold it: what is no plain value, however odd, as its text."""
    if isinstance(value, bool | None) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _text(value if isinstance(value, str) else str(value))


def _price(reply: Reply, prices: Prices) -> float | None:
    price_in, price_out = prices
    if reply.tokens_in is None or reply.tokens_out is None or (price_in is None and price_out is None):
        return None
    return (reply.tokens_in * (price_in or 0.0) + reply.tokens_out * (price_out or 0.0)) / 1e6


def _text(text: str) -> str:
    """Half a pair of surrogates, which JSON can hold and UTF-8 cannot, is kept as an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
