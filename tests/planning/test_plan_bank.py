"""Every listed answer gets the scores it is listed with, in both measures, and runs or does not as listed.

``listed_plans`` define the scores by example; ``own_plans`` were kept aside; the figures of ``adversarial_plans`` were
computed by hand, those of ``derived_plans`` counted from the specification, a case for every family of tasks: all but
four before the scorer was read, two of them (f13, co4) once more after it differed.
"""

from __future__ import annotations

import json

import pytest
from plan_bank import read_bank

FILES = ("listed_plans.json", "own_plans.json", "adversarial_plans.json", "derived_plans.json")


@pytest.mark.parametrize("name", FILES)
def test_scores_are_those_listed(name: str) -> None:
    bank = read_bank(name)
    assert bank.plans
    for plan in bank.plans:
        where = f"{plan['id']} {plan['case']}"
        judged = bank.judge(plan["raw_output"], plan["case"])
        listed, paper = plan.get("expected", {}), plan.get("expected_compat", {})
        assert {key: judged.figures[key] for key in listed} == pytest.approx(listed, abs=0.0005 + 1e-9, rel=0), where
        assert {key: judged.paper[key] for key in paper} == pytest.approx(paper, abs=0.005 + 1e-9, rel=0), where
        assert plan.get("parse_failure") in (None, judged.parsed.failed), where
        assert plan.get("expected_executes") in (None, judged.runs), where


def test_what_is_no_button_cannot_be_pressed() -> None:
    bank = read_bank("listed_plans.json")
    right = [plan for plan in bank.plans if plan["expected_executes"] and plan["case"] in ("fruit", "dish", "chem")]
    assert right
    for plan in right:
        calls = json.loads(plan["raw_output"].strip("`").removeprefix("json"))
        assert bank.judge(json.dumps(calls), plan["case"]).runs
        more = [*calls, {"skill": "press", "args": {"object": 3}}]
        assert not bank.judge(json.dumps(more), plan["case"]).runs
