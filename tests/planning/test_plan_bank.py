"""Every answer of the bank gets the scores it is listed with, in both modes, and runs or does not as listed."""

from __future__ import annotations

import pytest

from proctor.planning import BankPlan, read_bank

BANK = read_bank()
HALF_OF_LAST_DIGIT = 0.0005 + 1e-9


def _ids(plan: BankPlan) -> str:
    return f"{plan.id}-{plan.case}-{plan.kind}"


def test_the_bank_has_its_thirty_plans() -> None:
    assert [plan.id for plan in BANK.plans] == [f"b{k:02d}" for k in range(1, 31)]


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_scores_are_those_listed(plan: BankPlan) -> None:
    judged = BANK.judge(plan)
    assert judged.figures() == pytest.approx(dict(plan.expected), abs=HALF_OF_LAST_DIGIT, rel=0)
    assert judged.score.exact is plan.expected["exact"]


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_the_papers_scores_are_those_listed(plan: BankPlan) -> None:
    assert BANK.judge(plan).paper_figures() == pytest.approx(dict(plan.expected_paper), abs=0.005 + 1e-9, rel=0)


@pytest.mark.parametrize("plan", BANK.plans, ids=_ids)
def test_plans_run_as_listed(plan: BankPlan) -> None:
    judged = BANK.judge(plan)
    assert judged.parsed.failed is plan.fails_to_parse
    assert (judged.execution is not None and judged.execution.runs) is plan.runs
