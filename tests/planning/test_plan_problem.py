"""A task as a planning problem: the order its text implies, what its goal does not tell apart, and what runs."""

from __future__ import annotations

import itertools

import pytest
from plan_bank import read_bank

from proctor.assets import make
from proctor.planning import Problem, SkillCall, execute, number_marks, problem_of, score
from proctor.planning.exam import arguments_of
from proctor.tasks.cbddl import Task, parse
from proctor.tasks.knowledge import draw, drawable

HEAD = "(define (problem Tabletop_Manipulation) (:domain robosuite) (:language Do it.) (:regions) "
HEAT = (
    HEAD
    + """(:fixtures main_table - table microwave_1 - microwave) (:objects soup_1 bread_1 - bowl)
  (:obj_of_interest soup_1)
  (:init (On soup_1 main_table) (On bread_1 main_table))
  (:goal (And (In soup_1 microwave_1) (Joint microwave_1/door -0.05 0.10)
    (OnceAfter (Pressed microwave_1/button) (Joint microwave_1/door -0.05 0.10))))
  (:subgoals (open (Once (Joint microwave_1/door 0.9 1.8))) (hold (Held soup_1))
    (put (Placed soup_1 microwave_1) (after hold open))
    (close (Joint microwave_1/door -0.05 0.10) (after put)) (go (Pressed microwave_1/button) (after close)))
  (:plan (open microwave_1/door) (pick soup_1) (place microwave_1) (close microwave_1/door)
    (press microwave_1/button)))"""
)
SORT = (
    HEAD
    + """(:fixtures main_table - table) (:objects tray_1 tray_2 - tray bear_1 rabbit_1 truck_1 car_1 - bowl)
  (:obj_of_interest bear_1)
  (:init (On bear_1 main_table) (On rabbit_1 main_table) (On truck_1 main_table) (On car_1 main_table))
  (:goal (Or
    (And (In bear_1 tray_1) (In rabbit_1 tray_1) (In truck_1 tray_2) (In car_1 tray_2))
    (And (In bear_1 tray_2) (In rabbit_1 tray_2) (In truck_1 tray_1) (In car_1 tray_1))))
  (:subgoals (h1 (Held bear_1)) (p1 (In bear_1 tray_1) (after h1)) (h2 (Held rabbit_1))
    (p2 (In rabbit_1 tray_1) (after h2)) (h3 (Held truck_1)) (p3 (In truck_1 tray_2) (after h3))
    (h4 (Held car_1)) (p4 (In car_1 tray_2) (after h4)))
  (:plan (pick bear_1) (place tray_1) (pick rabbit_1) (place tray_1) (pick truck_1) (place tray_2)
    (pick car_1) (place tray_2)))"""
)
COFFEE = (
    HEAD
    + """(:fixtures main_table - table coffee_machine_1 - coffee_machine) (:objects mug_1 sugar_1 - mug)
  (:obj_of_interest mug_1)
  (:init (On mug_1 main_table) (On sugar_1 main_table))
  (:goal (And (Filled mug_1 coffee) (Poured sugar_1 mug_1 0.3) (Upright mug_1)))
  (:subgoals (hm (Held mug_1)) (pm (Placed mug_1 coffee_machine_1) (after hm))
    (go (Pressed coffee_machine_1/button) (after pm)) (fill (Filled mug_1 coffee) (after go))
    (h2 (Held mug_1) (after fill)) (out (Placed mug_1 main_table) (after h2)) (hs (Held sugar_1))
    (ps (Poured sugar_1 mug_1 0.3) (after hs out)))
  (:plan (pick mug_1) (place coffee_machine_1) (press coffee_machine_1/button) (wait 2) (pick mug_1)
    (place main_table) (pick sugar_1) (pour mug_1)))"""
)


def _task(text: str) -> Task:
    return parse(text, "<test>")


def _line_ups(problem: Problem) -> list[tuple[int, ...]]:
    """Return every order of the plan's calls that its reference allows, by brute force."""
    nodes = problem.references[0].nodes
    allowed = []
    for order in itertools.permutations(range(len(nodes))):
        at = {node: k for k, node in enumerate(order)}
        if all(at[j] < at[k] for k, node in enumerate(nodes) for j in node.after):
            allowed.append(order)
    return allowed


def test_heating_has_the_order_of_the_bank() -> None:
    problem = problem_of(_task(HEAT))
    bank = read_bank("listed_plans.json").cases["heat"].references[0]
    assert [node.call.skill for node in problem.references[0].nodes] == [node.call.skill for node in bank.nodes]
    closed = [set(node.after) for node in bank.nodes]
    for k in range(len(closed)):
        closed[k] |= set().union(*(closed[j] for j in closed[k]))
    assert [set(node.after) for node in problem.references[0].nodes] == closed


def test_two_trays_give_two_references_and_pockets_one() -> None:
    problem = problem_of(_task(SORT))
    assert len(problem.references) == 2
    other = [SkillCall(call.skill, {r: _other(v) for r, v in call.args.items()}) for call in problem.plan]
    for plan in (problem.plan, other):
        assert score(plan, problem.references, problem.names).exact
        assert execute(plan, problem.world, problem.names).runs
    mixed = [*problem.plan[:4], *other[4:]]
    assert not score(mixed, problem.references, problem.names).exact
    assert not execute(mixed, problem.world, problem.names).runs
    potted = SORT.replace(
        SORT[SORT.index("(:goal") : SORT.index("(:subgoals")], "(:goal (Or (In bear_1 tray_1) (In bear_1 tray_2))) "
    )
    either = problem_of(_task(potted))
    assert either.names.read("tray_2") == either.names.read("tray_1") == "tray_1"


def _other(name: object) -> object:
    return {"tray_1": "tray_2", "tray_2": "tray_1"}.get(str(name), name)


def test_the_second_pick_of_a_thing_is_another_call() -> None:
    problem = problem_of(_task(COFFEE))
    assert len(problem.references[0].nodes) == 8
    assert _line_ups(problem) == [tuple(range(8))]
    assert score(problem.plan, problem.references, problem.names).exact
    assert execute(problem.plan, problem.world, problem.names).runs
    assert not execute(problem.plan[:-1], problem.world, problem.names).reached


@pytest.mark.parametrize("text", [HEAT, SORT], ids=["heat", "sort"])
def test_every_line_up_of_the_reference_that_the_hand_allows_runs(text: str) -> None:
    """Orders that interleave two grips are caught by the executor; all others run and are exact."""
    problem = problem_of(_task(text))
    ran = 0
    for order in _line_ups(problem):
        plan = [problem.plan[k] for k in order]
        done = execute(plan, problem.world, problem.names)
        if not done.skipped:
            ran += 1
            assert done.runs
            assert score(plan, problem.references, problem.names).exact
    # One order heats; four toys are four pairs of pick and place, which 4! orders leave together.
    assert ran == (1 if text is HEAT else 24)


def test_leaving_out_or_doubling_a_call_is_never_exact() -> None:
    problem = problem_of(_task(HEAT))
    for k in range(len(problem.plan)):
        less = [*problem.plan[:k], *problem.plan[k + 1 :]]
        assert not score(less, problem.references, problem.names).exact
        assert not execute(less, problem.world, problem.names).runs
        more = [*problem.plan[: k + 1], *problem.plan[k:]]
        assert not score(more, problem.references, problem.names).exact


@pytest.mark.parametrize("slug", drawable())
def test_reference_plans_of_the_bench_are_exact_and_run(slug: str) -> None:
    for episode in range(2):
        task = parse(draw(slug, 7, episode).text, slug)
        assets = {
            entity.name: make(entity.category, look.seed or 0, look.look)
            for entity in (*task.fixtures, *task.objects)
            if (look := task.look(entity.name)) is not None
        }
        things = [entity.name for entity in (*task.fixtures, *task.objects)]
        problem = problem_of(task, number_marks(things, episode), assets, slug=slug)
        for plan in (problem.plan, problem.marked(problem.plan)):
            got = score(plan, problem.references, problem.names)
            done = execute(plan, problem.world, problem.names)
            assert got.exact, got
            assert done.runs, done
            assert done.progress == 1.0


@pytest.mark.parametrize(
    ("slug", "skill", "other"),
    [
        ("density_qa", "press", "whole"),
        ("heat_food", "open", "whole"),
        ("heat_food", "close", "whole"),
        ("hammer_loose_nail", "hammer", "whole"),
        ("insert_flower", "insert", "hole"),
        ("take_chemistry_experiment", "insert", "slot3"),
    ],
)
def test_a_thing_and_the_part_that_a_skill_acts_on_are_one(slug: str, skill: str, other: str) -> None:
    """Both have a number in the views: a button and what it stands in, a fridge and its only door."""
    problem = _drawn(slug)
    plan = [
        SkillCall(call.skill, {role: _instead(str(value), other) for role, value in call.args.items()})
        if call.skill == skill
        else call
        for call in problem.plan
    ]
    assert plan != list(problem.plan)
    assert score(plan, problem.references, problem.names, problem.free).exact
    assert execute(plan, problem.world, problem.names).runs
    if skill != "insert":
        told = [[arguments_of(problem, call) for call in calls] for calls in (plan, problem.plan)]
        assert told[0] == told[1]


def test_one_drawer_of_several_is_not_the_cabinet() -> None:
    problem = _drawn("find_condiment_and_add")
    plan = [SkillCall(call.skill, {"object": "cabinet_1"}) if call.skill == "open" else call for call in problem.plan]
    assert not score(plan, problem.references, problem.names, problem.free).exact
    assert not execute(plan, problem.world, problem.names).runs


def _instead(name: str, part: str) -> str:
    return name.partition("/")[0] if part == "whole" else f"{name}/{part}"


def _drawn(slug: str) -> Problem:
    task = parse(draw(slug, 7, 0).text, slug)
    looks = [(entity, task.look(entity.name)) for entity in (*task.fixtures, *task.objects)]
    assets = {
        entity.name: make(entity.category, look.seed or 0, look.look) for entity, look in looks if look is not None
    }
    return problem_of(task, None, assets, slug=slug)


def test_a_place_with_two_names_is_one_place() -> None:
    """A hole of a stand is known by its number and by its row and column."""
    task = parse(draw("rearrange_tube", 7, 0).text, "tubes")
    looks = [(entity, task.look(entity.name)) for entity in (*task.fixtures, *task.objects)]
    assets = {
        entity.name: make(entity.category, look.seed or 0, look.look) for entity, look in looks if look is not None
    }
    problem = problem_of(task, None, assets, slug="rearrange_tube")
    assert problem.names.read("tubestand_1/r2c4") == problem.names.read("tubestand_1/slot8")
    assert problem.names.read("tubestand_1/r2c4") != problem.names.read("tubestand_1/slot7")
    told = {"slot8": "r2c4", "slot5": "r2c1", "slot6": "r2c2", "slot7": "r2c3"}
    other = [
        SkillCall(
            call.skill, {r: f"tubestand_1/{told[str(v).partition('/')[2]]}" if "/" in str(v) else v for r, v in args}
        )
        for call in problem.plan
        for args in [list(call.args.items())]
    ]
    assert other != list(problem.plan)
    assert score(other, problem.references, problem.names).exact
    assert execute(other, problem.world, problem.names).runs


def test_putting_a_tube_back_is_optional() -> None:
    """The goal of the experiment says nothing of where the tubes go once they are poured (specification, C01)."""
    problem = problem_of(parse(draw("take_chemistry_experiment", 7, 0).text, "chemistry"))
    nodes = problem.references[0].nodes
    assert [node.call.skill for node in nodes if node.optional] == ["insert", "insert"]
    away = [SkillCall("place", {"target": "main_table"}) if call.skill == "insert" else call for call in problem.plan]
    got = score(away[:-1], problem.references, problem.names)
    assert (got.order.recall, got.order.precision) == (1.0, 0.8)
    assert execute(away, problem.world, problem.names).runs
    assert not any(node.optional for node in problem_of(_task(HEAT)).references[0].nodes)


@pytest.mark.parametrize("slug", ["texas_holdem", "organize_study_table"])
def test_any_slots_will_do_but_each_takes_one(slug: str) -> None:
    """The goal names the rack or the shelf, not its slots."""
    problem = _drawn(slug)
    used = [str(call.args["target"]) for call in problem.plan if call.skill == "insert"]
    assert len(set(used)) == len(used) > 1
    for places in (used[::-1], used[1:] + used[:1]):
        plan = _put_into(problem, dict(zip(used, places, strict=True)))
        assert plan != list(problem.plan)
        assert score(plan, problem.references, problem.names, problem.free).exact
        assert execute(plan, problem.world, problem.names).runs
    crowded = _put_into(problem, dict.fromkeys(used, used[0]))
    assert not score(crowded, problem.references, problem.names, problem.free).exact
    assert not execute(crowded, problem.world, problem.names).runs


def test_free_slots_keep_the_order_that_the_goal_asks_for() -> None:
    problem = _drawn("book_rearrange")
    used = [str(call.args["target"]) for call in problem.plan if call.skill == "insert"]
    for places, right in ((used, True), (used[::-1], False), ([*used[1:], used[0]], False)):
        plan = _put_into(problem, dict(zip(used, places, strict=True)))
        assert score(plan, problem.references, problem.names, problem.free).exact is right
        assert execute(plan, problem.world, problem.names).runs is right


def _put_into(problem: Problem, places: dict[str, str]) -> list[SkillCall]:
    return [
        SkillCall(call.skill, {"target": places[str(call.args["target"])]}) if call.skill == "insert" else call
        for call in problem.plan
    ]


def _drawn(slug: str) -> Problem:
    task = parse(draw(slug, 7, 0).text, slug)
    looks = [(entity, task.look(entity.name)) for entity in (*task.fixtures, *task.objects)]
    assets = {
        entity.name: make(entity.category, look.seed or 0, look.look) for entity, look in looks if look is not None
    }
    return problem_of(task, None, assets, slug=slug)
