"""How often luck alone may solve a task."""

from __future__ import annotations

from dataclasses import replace

from proctor.run.certificates import guess
from proctor.tasks.cbddl import And, Task
from proctor.tasks.suites import builtin_suites, find, task_of


def drawn(name: str) -> Task:
    return task_of(next(ref.path for ref in find("knowledge/primitive") if ref.path.stem == name))


def test_a_guess_is_one_button_of_those_that_stand_there() -> None:
    scene = drawn("weight_qa")
    assert guess(scene) == 1 / sum(entity.name.startswith("button_") for entity in scene.fixtures)


def test_nothing_is_forgiven_where_more_is_asked_than_a_press() -> None:
    assert guess(drawn("select_fruit")) == 0
    scene = drawn("weight_qa")
    assert guess(replace(scene, goal=And((scene.goal, scene.goal), scene.goal.span))) == 0


def test_luck_is_granted_to_the_drawn_suites_alone_and_one_layout_in_twenty() -> None:
    granted = {suite.name: suite.random_share for suite in builtin_suites()}
    assert {name: share for name, share in granted.items() if share} == {
        name: 0.05 for name in granted if name.startswith("knowledge/")
    }
    assert {ref.random_share for ref in find("knowledge/primitive")} == {0.05}
