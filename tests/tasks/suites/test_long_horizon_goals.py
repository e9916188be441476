"""The goals of the long tasks: all that the instruction says, in its order. Upstream's leave most of it out."""

from __future__ import annotations

from proctor.tasks.cbddl import And, Atom, Then, atoms_of, read_task
from proctor.tasks.suites import find

SUITE = "arena/long_horizon"


def goal(name: str) -> object:
    (ref,) = find(f"{SUITE}/{name}")
    return read_task(ref.path).goal


def said(expr: object) -> set[str]:
    return {" ".join([atom.predicate, *map(str, atom.args)]) for atom in atoms_of(expr)}  # type: ignore[arg-type]


def test_all_of_the_drawers_are_three() -> None:
    layers = said(goal("L1/close_all_of_the_drawers_of_the_cabinet"))
    assert layers == {f"Close white_cabinet_1_{layer}_region" for layer in ("top", "middle", "bottom")}


def test_an_instruction_that_demands_an_order_has_a_goal_that_does() -> None:
    ordered = 0
    for ref in find(SUITE):
        task = read_task(ref.path)
        words = set(task.language.lower().replace(",", "").split())
        if words & {"then", "last", "afterward"}:
            ordered += 1
            assert isinstance(task.goal, Then), ref.id
            last = task.goal.items[-1]
            # What was reached on the way still holds at the end, or is a drawer that had to be opened.
            assert isinstance(last, And)
            before = {line for line in said(task.goal) if not line.startswith("Open")}
            assert before <= said(last), ref.id
    assert ordered == 5


def test_drawers_are_closed_after_they_were_filled() -> None:
    for ref in find(f"{SUITE}/L2"):
        task = read_task(ref.path)
        if isinstance(task.goal, Then) and "Close" in {atom.predicate for atom in atoms_of(task.goal)}:
            *first, last = task.goal.items
            assert not any(line.startswith("Close") for part in first for line in said(part)), ref.id
            assert any(isinstance(item, Atom) and item.predicate == "Close" for item in last.items), ref.id  # type: ignore[union-attr]
