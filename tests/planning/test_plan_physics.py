"""Plans played by the scripted skills: the reference succeeds, and nothing that a model may write ends the run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.assets import make
from proctor.core import EpisodeSpec
from proctor.planning import Problem, SkillCall, execute, number_marks, problem_of
from proctor.planning.exam import arguments_of, play_plan
from proctor.policies.scripted.skills import SkillError
from proctor.sim import SimEnv
from proctor.tasks.cbddl import parse
from proctor.tasks.knowledge import draw

POTS = """(define (problem Tabletop_Manipulation) (:domain robosuite) (:language Pot it.) (:regions)
  (:fixtures main_table - table) (:objects tray_1 tray_2 - tray bear_1 - mug) (:obj_of_interest bear_1)
  (:init (On bear_1 main_table)) (:goal (Or (In bear_1 tray_1) (In bear_1 tray_2)))
  (:plan (pick bear_1) (place tray_1)))"""
NONSENSE = (
    SkillCall("fly", {"object": 1}),
    SkillCall("pick", {}),
    SkillCall("pick", {"object": 99}),
    SkillCall("pick", {"object": True}),
    SkillCall("pick", {"object": "plate_1/nothing"}),
    SkillCall("pick", {"object": ["plate_1"]}),
    SkillCall("press", {"object": "plate_1"}),
    SkillCall("open", {"object": "plate_1"}),
    SkillCall("close", {"object": "main_table"}),
    SkillCall("pour", {"target": "plate_1"}),
    SkillCall("insert", {"target": "plate_1"}),
    SkillCall("hang", {"target": "plate_1"}),
    SkillCall("strike", {"object": "plate_1", "target": "plate_1"}),
    SkillCall("wait", {"seconds": "soon"}),
    SkillCall("wait", {"seconds": 31}),
    SkillCall("wait", {"seconds": float("nan")}),
)


@pytest.fixture(scope="module")
def fruit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SimEnv, EpisodeSpec, Problem]]:
    drawn = draw("select_fruit", 7, 0)
    path = tmp_path_factory.mktemp("fruit") / "fruit.cbddl"
    path.write_text(drawn.text, encoding="utf-8")
    spec = EpisodeSpec(
        "bench", "fruit", "L0", drawn.task_hash, 0, 7, drawn.instruction, "", task_path=str(path), max_steps=300
    )
    env = SimEnv()
    env.reset(spec)
    marks = number_marks(env.scene.assets, 7)
    yield env, spec, problem_of(env.scene.task, marks, env.scene.assets, slug="select_fruit")
    env.close()


def test_the_reference_succeeds_by_name_and_by_number(fruit: tuple[SimEnv, EpisodeSpec, Problem]) -> None:
    env, spec, problem = fruit
    by_name = play_plan(env, spec, problem, problem.plan)
    by_number = play_plan(env, spec, problem, problem.marked(problem.plan))
    assert by_name.success
    assert by_name.progress == 1.0
    assert by_name == by_number


def test_nonsense_is_skipped_and_counted_and_the_plan_goes_on(fruit: tuple[SimEnv, EpisodeSpec, Problem]) -> None:
    env, spec, problem = fruit
    played = play_plan(env, spec, problem, [*NONSENSE, *problem.plan])
    assert all(played.why_not[: len(NONSENSE)]), [w for w in zip(NONSENSE, played.why_not, strict=False) if not w[1]]
    assert not any(played.why_not[len(NONSENSE) :])
    assert all("\n" not in why for why in played.why_not)
    assert played.success


def test_the_rules_skip_the_same_nonsense(fruit: tuple[SimEnv, EpisodeSpec, Problem]) -> None:
    _, _, problem = fruit
    done = execute([*NONSENSE, *problem.plan], problem.world, problem.names)
    assert [attempt.done for attempt in done.attempts] == [False] * len(NONSENSE) + [True] * len(problem.plan)
    assert done.reached
    assert not done.runs


def test_too_little_time_is_said(fruit: tuple[SimEnv, EpisodeSpec, Problem]) -> None:
    env, spec, problem = fruit
    short = EpisodeSpec(**{**{name: getattr(spec, name) for name in spec.__slots__}, "max_steps": 10})
    played = play_plan(env, short, problem, problem.plan)
    assert not played.success
    assert played.steps == 10
    assert played.why_not[-1] == "no time left"


def test_things_that_stand_for_one_another_are_scored_as_one_and_played_as_meant() -> None:
    task = parse(POTS, "<test>")
    assets = {entity.name: make(entity.category, 0, ()) for entity in task.objects}
    problem = problem_of(task, {1: "tray_1", 2: "tray_2", 3: "bear_1"}, assets)
    call = SkillCall("place", {"target": 2})
    assert problem.names.read(2) == "tray_1"
    assert arguments_of(problem, call) == ["tray_2"]
    with pytest.raises(SkillError, match="'9' names nothing"):
        arguments_of(problem, SkillCall("place", {"target": 9}))


def test_only_what_has_a_hole_can_be_inserted_into() -> None:
    task = parse(POTS, "<test>")
    assets = {entity.name: make(entity.category, 0, ()) for entity in task.objects}
    problem = problem_of(task, None, assets)
    plan = [SkillCall("pick", {"object": "bear_1"}), SkillCall("insert", {"target": "tray_1"})]
    assert execute(plan, problem.world, problem.names).attempts[1].why_not == "tray_1 has no hole"
    assert execute(plan, problem_of(task).world, problem.names).runs
