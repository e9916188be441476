"""``proctor show``: every task of ours can be said in words, and what is said is what the file asks."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from proctor.cli import app
from proctor.tasks.cbddl import PREDICATES, cost_in_words, goal_in_words, parse
from proctor.tasks.suites import find_all, task_of

TASK = """(define (problem x) (:domain robosuite) (:language Move the mug)
 (:regions (spot (:target table) (:ranges ((-0.1 0 0.1 0.2)))))
 (:fixtures table - table) (:objects mug_1 - porcelain_mug bowl_1 - porcelain_bowl)
 (:obj_of_interest mug_1) (:init (On mug_1 table_spot))
 (:goal %s) (:cost %s))"""


def test_every_predicate_can_be_said() -> None:
    for predicate in PREDICATES.values():
        for signature in predicate.signatures:
            args = {"number": "0.5", "signed": "0.5", "names": "(mug_1 bowl_1)", "parts": "(rim)", "axis": "x+"}
            words = " ".join(args.get(kind, "mug_1") for kind in signature)
            task = parse(TASK % (f"(And ({predicate.name} {words}))", ""), "x.cbddl")
            said = goal_in_words(task)
            assert said
            assert "{" not in said
            assert "_" not in said


def test_place_order_negation_and_counts_are_said() -> None:
    goal = "(Then (Lifted mug_1) (And (On mug_1 table_spot) (Not (Or (Fall mug_1) (Fall bowl_1)))))"
    task = parse(TASK % (goal, "(And (InContact robot bowl_1) (Fall bowl_1))"), "x.cbddl")
    assert goal_in_words(task) == (
        "mug 1 has been lifted, then mug 1 is on the place spot of table and "
        "it is not so that (mug 1 has fallen or bowl 1 has fallen)"
    )
    assert cost_in_words(task) == [
        "1 for each control step in which robot touches bowl 1",
        "10 at the end if bowl 1 has fallen",
    ]


def test_every_written_task_is_said_without_names_that_only_a_file_has() -> None:
    for ref in find_all(["arena", "goal"]):
        task = task_of(ref.path)
        said = [goal_in_words(task), *cost_in_words(task)]
        assert all(line and "_" not in line for line in said), ref.id
        assert len(said) == 1 + len(task.cost)


def test_a_written_and_a_drawn_task_are_shown_with_their_layout() -> None:
    for name in ("goal/L0/put_the_bowl_on_the_plate", "knowledge/primitive/L1/select_fruit"):
        page = CliRunner().invoke(app, ["show", name], catch_exceptions=False).output
        facts = json.loads(CliRunner().invoke(app, ["show", name, "--json"], catch_exceptions=False).output)
        assert all(
            line in page for line in (facts["instruction"], facts["goal"], f"{facts['max_steps']} control steps")
        )
        sketch = page[page.index("+-") : page.rindex("-+")]
        assert all(str(number) in sketch for number in range(1, min(len(facts["things"]), 9) + 1))
        assert (
            CliRunner().invoke(app, ["show", name, "--json"]).output
            == CliRunner().invoke(app, ["show", name, "--json"]).output
        )
