"""The blocks of the bench suite: what they mean, and what is said where they mean nothing."""

from __future__ import annotations

import pytest

from proctor.tasks.cbddl import Atom, Once, OnceAfter, Seq, Task, atoms_of, check, format_task, parse
from proctor.tasks.words import instruction_defects

BLOCKS = {
    "goal": "(And (Placed mango_1 plate_1) (Once (Held mango_1)))",
    "looks": '(mango_1 (seed 14)) (plate_1 (title "The Sea and the Lamp") (rank A))',
    "subgoals": "(hold (Held mango_1)) (put (Placed mango_1 plate_1) (after hold) (weight 0.5))",
    "plan": "(pick mango_1) (place plate_1/top) (wait 2)",
    "intent": "mango_1 plate_1",
    "faults": "(On lemon_1 plate_1) (Ordered y- (mango_1 lemon_1) 0.02)",
}


def text(**changed: str) -> str:
    blocks = "\n".join(f"(:{name} {content})" for name, content in {**BLOCKS, **changed}.items())
    return f"""
    (define (problem Tabletop_Manipulation) (:domain robosuite) (:language Something ripe on the plate)
      (:regions (a (:target t) (:ranges ((-0.2 0 -0.2 0)))) (b (:target t) (:ranges ((-0.2 0.2 -0.2 0.2))))
                (c (:target t) (:ranges ((-0.2 -0.2 -0.2 -0.2)))))
      (:fixtures t - table) (:objects mango_1 - mango lemon_1 - lemon plate_1 - plate)
      (:init (On mango_1 t_a) (On lemon_1 t_b) (On plate_1 t_c)) {blocks})"""


def defects(**changed: str) -> list[str]:
    return [f"{defect.code}: {defect.message}" for defect in check(text(**changed), rules=instruction_defects)[1]]


@pytest.fixture(scope="module")
def task() -> Task:
    return parse(text())


def test_what_the_blocks_mean(task: Task) -> None:
    assert check(text())[1] == []
    assert task.look("mango_1") is not None
    assert [(look.name, look.seed, look.look) for look in task.looks] == [
        ("mango_1", 14, ()),
        ("plate_1", None, (("title", "The Sea and the Lamp"), ("rank", "A"))),
    ]
    assert [(s.name, s.after, s.weight) for s in task.subgoals] == [("hold", (), 1.0), ("put", ("hold",), 0.5)]
    assert [(call.skill, call.args) for call in task.plan] == [
        ("pick", ("mango_1",)),
        ("place", ("plate_1/top",)),
        ("wait", (2.0,)),
    ]
    assert task.intent == ("mango_1", "plate_1")
    last = task.faults[1]
    assert isinstance(last, Atom)
    assert last.args == ("y-", ("mango_1", "lemon_1"), 0.02)


def test_a_printed_text_keeps_its_letters_through_the_formatter(task: Task) -> None:
    once = format_task(text())
    assert "The Sea and the Lamp" in once
    assert format_task(once) == once
    assert parse(once).text_hash == task.text_hash
    assert parse(text(looks="(mango_1 (seed 15))")).text_hash != task.text_hash


def test_memory_connectives_keep_their_parts() -> None:
    goal = parse(text(goal="(And (Seq (Held mango_1) (Held lemon_1)) (OnceAfter (Held mango_1) (Up lemon_1)))")).goal
    assert [type(item) for item in getattr(goal, "items", ())] == [Seq, OnceAfter]
    assert [atom.predicate for atom in atoms_of(goal)] == ["Held", "Held", "Held", "Up"]
    assert isinstance(parse(text(goal="(Once (Held mango_1))")).goal, Once)


def test_the_instruction_of_a_task_with_a_plan_may_hint() -> None:
    assert any(line.startswith("language-goal-mismatch") for line in defects(plan=""))
    assert not any(line.startswith("language") for line in defects())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"looks": "(mangoe_1 (seed 1))"}, "unknown-name: 'mangoe_1' is not declared; did you mean"),
        ({"looks": "(mango_1 (seed 1)) (mango_1 (seed 2))"}, "duplicate-look: 'mango_1' has two looks"),
        ({"looks": "(mango_1 (seed 1) (seed 2))"}, "duplicate-block: seed is given twice"),
        ({"looks": "(mango_1 (seed -1))"}, "value-range: a seed is a whole number"),
        ({"looks": "(mango_1 (kind))"}, "empty-expression: kind has no value"),
        ({"looks": "mango_1"}, "syntax-shape: expected an entity"),
        ({"subgoals": "(a (Held mango_1)) (a (Held lemon_1))"}, "duplicate-subgoal: 'a' is there already"),
        ({"subgoals": "(a (Held mango_1) (after b)) (b (Held lemon_1))"}, "unknown-name: sub-goal 'a' comes after 'b'"),
        ({"subgoals": "(a)"}, "empty-expression: sub-goal 'a' has no condition"),
        ({"subgoals": "(a (Held mango_1) (weight 0))"}, "value-range: a weight of 0"),
        ({"subgoals": "(a (Held mango_1) (until b))"}, "unknown-attribute: unknown attribute 'until'"),
        ({"subgoals": "(a (Then (Held mango_1) (Held lemon_1)))"}, "misplaced-predicate: Then may stand in :goal"),
        ({"plan": "(grab mango_1)"}, "unknown-value: unknown skill 'grab'"),
        ({"plan": "(pick)"}, "wrong-arity: 0 arguments for pick; it takes 1"),
        ({"plan": "(pick mangoe_1)"}, "unknown-name: 'mangoe_1' is not declared"),
        ({"plan": "(wait 90)"}, "value-range: wait 90 s"),
        ({"intent": "mango_2"}, "unknown-name: 'mango_2' is not declared"),
        ({"faults": "(In lemon_2 plate_1)"}, "unknown-name: 'lemon_2' is not declared"),
        ({"goal": "(OnceAfter (Held mango_1))"}, "wrong-arity: OnceAfter takes two expressions, found 1"),
        ({"goal": "(Ordered left (mango_1) 0.1)"}, "unknown-value: unknown direction 'left'"),
        ({"goal": "(OnlyIn plate_1 mango_1)"}, "wrong-argument: names stand in parentheses; write (mango_1)"),
        ({"goal": "(OnlyIn plate_1 (mango_2))"}, "unknown-name: 'mango_2' is not declared"),
        ({"goal": "(Held mango_1/stone)"}, "unknown-name: 'mango_1/stone' is not declared"),
    ],
)
def test_what_means_nothing_is_said(changed: dict[str, str], said: str) -> None:
    assert any(line.startswith(said) for line in defects(**changed)), defects(**changed)


def test_once_has_no_place_in_a_cost() -> None:
    found = check(text().replace("(:plan", "(:cost (Once (Held mango_1))) (:plan"))[1]
    assert [defect.code for defect in found] == ["misplaced-predicate"]
