"""How often luck alone may solve a task."""

from __future__ import annotations

from dataclasses import replace

from proctor.cbddl import And, Task
from proctor.check import guess
from proctor.suites import find, task_of


def drawn(name: str) -> Task:
    return task_of(next(ref.path for ref in find("bench/primitive") if ref.path.stem == name))


def test_a_guess_is_one_button_of_those_that_stand_there() -> None:
    scene = drawn("weight_qa")
    assert guess(scene) == 1 / sum(entity.name.startswith("button_") for entity in scene.fixtures)


def test_nothing_is_forgiven_where_more_is_asked_than_a_press() -> None:
    assert guess(drawn("select_fruit")) == 0
    scene = drawn("weight_qa")
    assert guess(replace(scene, goal=And((scene.goal, scene.goal), scene.goal.span))) == 0
