"""Every answer of the bank gets the scores it is listed with, in both modes, and runs or does not as listed."""

from __future__ import annotations

import pytest

from proctor.planner import BankPlan, read_bank

BANK = read_bank()
HALF_OF_LAST_DIGIT = 0.0005 + 1e-9


def _ids(plan: BankPlan) -> str:
    return f"{plan.id}-{plan.case}-{plan.kind}"


def test_the_bank_has_its_thirty_plans() -> None:
    assert [plan.id for plan in BANK.plans] == [f"b{k:02d}" for k in range(1, 31)]


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_scores_are_those_listed(plan: BankPlan) -> None:
    got = BANK.judge(plan).score
    figures = {
        "skill_P": got.skill.precision,
        "skill_R": got.skill.recall,
        "skill_F1": got.skill.f1,
        "param_F1": got.parameter.f1,
        "call_F1": got.call.f1,
        "dag_P": got.order.precision,
        "dag_R": got.order.recall,
        "dag_F1": got.order.f1,
        "score": got.total,
    }
    expected = {name: value for name, value in plan.expected.items() if name != "exact"}
    assert figures == pytest.approx(expected, abs=HALF_OF_LAST_DIGIT, rel=0)
    assert got.exact is plan.expected["exact"]


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_the_papers_scores_are_those_listed(plan: BankPlan) -> None:
    got = BANK.judge(plan).paper
    figures = {
        "SR": got.skill,
        "PR": got.parameter,
        "SPR": got.skill_parameter,
        "PM": got.plan,
        "total": got.total,
    }
    assert figures == pytest.approx(dict(plan.expected_paper), abs=0.005 + 1e-9, rel=0)


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_plans_run_as_listed(plan: BankPlan) -> None:
    judged = BANK.judge(plan)
    assert judged.parsed.failed is plan.fails_to_parse
    assert (judged.execution is not None and judged.execution.runs) is plan.runs
