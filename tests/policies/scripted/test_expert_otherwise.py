"""What cannot be done at once: drawers that nothing needs are shut, the hand comes tipped, grasps must lift freely."""

from __future__ import annotations

import math

import numpy as np
import pytest
from expert_bench import solves
from world_bench import Bench

from proctor.policies.scripted import Candidate, Doing, Hands, SkillError
from proctor.policies.scripted._pick import TIP_RISE_M, _tipped
from proctor.policies.scripted._script import Script
from proctor.sim import heading
from proctor.tasks.cbddl import Atom

OUT = "(out (:target main_table) (:ranges ((-0.2 -0.3 0 -0.1))))"
OPENED = {
    "objects": {"lime_1": "lime", "plate_1": "plate"},
    "fixtures": {"white_cabinet_1": "white_cabinet"},
    "at": {"lime_1": (-0.15, -0.12), "plate_1": (-0.1, -0.3), "white_cabinet_1": (-0.03, 0.37)},
    "regions": "(top_region (:target white_cabinet_1))",
    "init": "(Open white_cabinet_1_top_region)",
    "goal": "(On lime_1 plate_1)",
}


def _shut(bench: Bench, **task: object) -> tuple[bool, float]:
    """Let the script shut what may be shut; return what it says, and how far the drawer is open then."""
    bench.build(**(OPENED | task))
    return _run(bench)


def _run(bench: Bench) -> tuple[bool, float]:
    doing = Script(Hands(bench.env))._shut_drawers()
    said = False
    while True:
        try:
            bench.env.step(next(doing))
        except StopIteration as stop:
            said = bool(stop.value)
            break
    return said, bench.scene.joint("white_cabinet_1", "top")


def test_a_drawer_that_nothing_needs_is_shut(bench: Bench) -> None:
    said, opening = _shut(bench)
    assert said
    assert opening < 0.005


def test_one_that_the_hand_has_pushed_half_shut_is_shut_as_well(bench: Bench) -> None:
    """Below ``open_above`` a drawer counts as open no more, and still hangs over what stands under it."""
    bench.build(**OPENED)
    data = bench.scene.data
    data.joint("white_cabinet_1/top").qpos[:] *= 0.8
    said, opening = _run(bench)
    assert said
    assert opening < 0.005


@pytest.mark.parametrize("category", ["knife_n", "rotated_knife"])
def test_a_knife_is_laid_along_the_drawer_whichever_way_its_category_is_turned(bench: Bench, category: str) -> None:
    """Across it would rest on the front and on the cabinet, over the drawer and not in it."""
    task = {
        "objects": {"knife_1": category},
        "fixtures": {"white_cabinet_1": "white_cabinet"},
        "at": {"knife_1": (-0.08, 0.27)},
        "regions": "(top_region (:target white_cabinet_1)) (place (:target main_table)"
        " (:ranges ((-0.02 -0.28 0 -0.26))) (:yaw_rotation ((2.8 2.9))))",
        "init": "(On white_cabinet_1 main_table_place) (Open white_cabinet_1_top_region)",
        "goal": "(In knife_1 white_cabinet_1_top_region)",
    }
    solved, why = solves(bench, task, 1, 180)
    assert solved, why


@pytest.mark.parametrize(
    "task",
    [
        {"cost": "(InContact robot white_cabinet_1)"},
        {"goal": "(And (On lime_1 plate_1) (Open white_cabinet_1_top_region))"},
        {
            "at": {"plate_1": (-0.1, -0.3), "white_cabinet_1": (-0.03, 0.37)},
            "init": "(Open white_cabinet_1_top_region) (In lime_1 white_cabinet_1_top_region)",
        },
    ],
    ids=["cost", "goal", "content"],
)
def test_one_that_the_task_speaks_of_is_left_open(bench: Bench, task: dict[str, object]) -> None:
    said, opening = _shut(bench, **task)
    assert not said
    assert opening > 0.14


def _in_drawer(yaw: str) -> dict[str, object]:
    return {
        "objects": {"mango_1": "mango"},
        "fixtures": {"white_cabinet_1": "white_cabinet"},
        "at": {"white_cabinet_1": (0.04, 0.2)},
        "regions": f"(top_region (:target white_cabinet_1){yaw}) {OUT}",
        "init": "(Open white_cabinet_1_top_region) (In mango_1 white_cabinet_1_top_region)",
        "goal": "(On mango_1 main_table_out)",
    }


@pytest.mark.parametrize(("yaw", "turn"), [("", math.pi / 2), (" (:yaw_rotation ((0 0)))", 0.0)])
def test_a_mango_lies_across_a_drawer_unless_its_file_says_how(bench: Bench, yaw: str, turn: float) -> None:
    for seed in range(3):
        scene = bench.build(seed, **_in_drawer(yaw))
        askew = heading(scene.rotation("mango_1")) - heading(scene.rotation("white_cabinet_1")) - turn
        assert abs((askew + math.pi / 2) % math.pi - math.pi / 2) < 0.1


def test_it_is_taken_out(bench: Bench) -> None:
    solved, why = solves(bench, _in_drawer(""), 0, 300)
    assert solved, why


@pytest.mark.parametrize("angle", [-0.5, 0.2, 0.35])
def test_a_tipped_hand_has_one_finger_lower_and_grasps_higher(angle: float) -> None:
    """The closing axis leaves the level by the angle; the point of the grasp rises with its sine."""
    level = Candidate(1.0, np.array([0.1, 0.2, 0.95]), np.diag([1.0, -1.0, -1.0]), 0.06)
    tipped = _tipped(level, angle)
    assert math.isclose(abs(math.asin(tipped.rotation[2, 1])), abs(angle))
    assert math.isclose(tipped.position[2] - 0.95, TIP_RISE_M * math.sin(abs(angle)))
    assert np.allclose(tipped.rotation @ tipped.rotation.T, np.eye(3))
    assert np.allclose(tipped.rotation[:, 0], level.rotation[:, 0])
    assert tipped.cost > level.cost


def test_level_grasps_come_first_and_unchanged(bench: Bench) -> None:
    bench.build(objects={"apple_1": "apple"}, at={"apple_1": (-0.1, 0.0)})
    picker = Hands(bench.env).picker
    level, tipped = picker.rank("apple_1"), picker.rank("apple_1", tipped=True)
    assert level
    assert [(g.cost, *g.position) for g in tipped] == [(g.cost, *g.position) for g in level]


def test_drawers_are_shut_last_where_the_order_is_open(bench: Bench) -> None:
    goal = "(And (Close white_cabinet_1_top_region) (In lime_1 white_cabinet_1_top_region) (On plate_1 main_table_out))"
    bench.build(**(OPENED | {"goal": goal, "regions": f"{OPENED['regions']} {OUT}"}))
    steps = Script(Hands(bench.env))._in_order(bench.scene.task.goal)
    assert [step.predicate for step in steps if isinstance(step, Atom)] == ["In", "On", "Close"]


def test_a_placement_that_never_came_true_goes_on_to_the_other_ways(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It used to end without a word: the expert held still for the rest of the episode, and named no failure."""
    bench.build(**OPENED)
    script, puts = Script(Hands(bench.env)), []

    def in_vain(*_: object, careful: bool = False) -> Doing:
        puts.append(careful)
        yield script._arm.action()

    monkeypatch.setattr(script, "_put", in_vain)
    with pytest.raises(SkillError, match="lime_1"):
        any(bench.env.step(action).success for action in script.play())
    assert puts == [False, False, True, True]


@pytest.mark.parametrize("seed", [0, 1])
def test_where_the_arm_ends_before_an_upright_hand_gets_there_the_hand_leans(bench: Bench, seed: int) -> None:
    task = {
        "objects": {"lemon_1": "lemon", "ramekin_1": "glazed_rim_porcelain_ramekin"},
        "at": {"lemon_1": (-0.1, -0.1), "ramekin_1": (0.16, 0.16)},
        "goal": "(On lemon_1 ramekin_1)",
    }
    solved, why = solves(bench, task, seed, 420)
    assert solved, why
