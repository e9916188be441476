"""Suites whose tasks share one scene: what is asked can only be told from the instruction."""

from __future__ import annotations

import pytest

from proctor.tasks.cbddl import Task, atoms_of, read_task
from proctor.tasks.suites import find

GOAL = {
    "open the middle drawer of the cabinet",
    "open the top drawer and put the bowl inside",
    "push the plate to the front of the stove",
    "put the bowl on the plate",
    "put the bowl on the stove",
    "put the bowl on top of the cabinet",
    "put the cream cheese in the bowl",
    "put the wine bottle on the rack",
    "put the wine bottle on top of the cabinet",
    "turn on the stove",
}


def scene(task: Task) -> tuple[object, ...]:
    """What there is and where it may stand: everything but instruction, goal and the regions that only a goal names."""
    placing = {str(atom.args[1]) for atom in task.init if atom.predicate == "On"}
    where = {
        (region.full_name, tuple((r.x_min, r.y_min, r.x_max, r.y_max) for r in region.ranges), region.yaw_rad)
        for region in task.regions
        if region.full_name in placing
    }
    things = [(entity.name, entity.category) for entity in (*task.fixtures, *task.objects)]
    return things, [(atom.predicate, atom.args) for atom in task.init], where


@pytest.mark.parametrize(("suite", "count"), [("goal", 10), ("arena/task_workflows", 15)])
def test_all_tasks_start_from_the_same_scene(suite: str, count: int) -> None:
    tasks = [read_task(ref.path) for ref in find(suite)]
    assert len(tasks) == count
    first = scene(tasks[0])
    for task in tasks:
        assert scene(task) == first, task.file
    assert len({task.language for task in tasks}) == count
    goals = {repr([(atom.predicate, atom.args) for atom in atoms_of(task.goal)]) for task in tasks}
    assert len(goals) == count, "two goals are equal"


def test_the_goal_suite_has_liberos_instructions() -> None:
    assert {read_task(ref.path).language.lower() for ref in find("goal")} == GOAL


@pytest.mark.parametrize("suite", ["goal", "arena/task_workflows"])
def test_layouts_vary_by_centimetres_and_yaw(suite: str) -> None:
    task = read_task(find(suite)[0].path)
    placing = {str(atom.args[1]) for atom in task.init if atom.predicate == "On"}
    for region in task.regions:
        if region.full_name in placing:
            (rect,) = region.ranges
            assert min(rect.x_max - rect.x_min, rect.y_max - rect.y_min) >= 0.039, region.name
            assert region.yaw_rad is not None
            assert region.yaw_rad[1] - region.yaw_rad[0] >= 0.19, region.name


def test_workflows_recombine_what_level_0_pairs() -> None:
    """L1 has the objects and destinations of L0 in other pairs; L2 puts things on what L0 moves, with one exception."""
    pairs = {
        level: {
            (str(atom.args[0]), str(atom.args[1]))
            for ref in find(f"arena/task_workflows/{level}")
            for atom in read_task(ref.path).goal.items  # type: ignore[union-attr]
        }
        for level in ("L0", "L1", "L2")
    }
    moved = {a for a, _ in pairs["L0"]}
    assert {a for a, _ in pairs["L1"]} == moved
    assert {b for _, b in pairs["L1"]} == {b for _, b in pairs["L0"]}
    assert not pairs["L0"] & pairs["L1"]
    assert not (pairs["L0"] | pairs["L1"]) & pairs["L2"]
    assert [b for _, b in sorted(pairs["L2"]) if b not in moved] == ["white_cabinet_1_top_side"]
