"""An open drawer that nothing needs and that hangs over what is taken, or over where it goes, is shut first of all."""

from __future__ import annotations

import pytest
from expert_bench import solves
from world_bench import Bench

from proctor.policies.scripted import Hands
from proctor.policies.scripted._script import Script
from proctor.tasks.cbddl import Atom

UNDER, BESIDE = (0.08, -0.01), (-0.05, -0.2)
ROOFED = {
    "objects": {"cake_1": "cake", "green_mug_1": "green_mug"},
    "fixtures": {"white_cabinet_1": "white_cabinet"},
    "at": {"cake_1": (-0.12, -0.25), "green_mug_1": UNDER},
    "regions": "(top_region (:target white_cabinet_1)) (middle_region (:target white_cabinet_1))"
    " (place (:target main_table) (:ranges ((-0.03 0.25 -0.01 0.27))) (:yaw_rotation ((0.3 0.3))))",
    "init": "(On white_cabinet_1 main_table_place) (Open white_cabinet_1_top_region)",
    "goal": "(On cake_1 green_mug_1)",
}


def _in_the_way(bench: Bench, **task: object) -> bool:
    scene = bench.build(**(ROOFED | task))
    goal = scene.task.goal.items[0] if not isinstance(scene.task.goal, Atom) else scene.task.goal
    (top,) = (handle for handle in scene.assets["white_cabinet_1"].handles if handle.joint == "top")
    return Script(Hands(bench.env))._in_the_way(*map(str, goal.args))("white_cabinet_1", top)


@pytest.mark.parametrize(
    ("task", "is_it"),
    [
        ({}, True),
        ({"goal": "(On green_mug_1 cake_1)"}, True),
        ({"at": {"cake_1": (-0.12, -0.25), "green_mug_1": BESIDE}}, False),
        ({"goal": "(In cake_1 white_cabinet_1_middle_region)"}, True),
        ({"goal": "(In green_mug_1 white_cabinet_1_top_region)"}, False),
        ({"goal": "(And (On cake_1 green_mug_1) (Close white_cabinet_1_top_region))"}, False),
    ],
    ids=[
        "over the target",
        "over the object",
        "beside both",
        "a lower drawer",
        "the drawer itself",
        "named by the goal",
    ],
)
def test_what_hangs_over_the_object_or_its_place_is_in_the_way(
    bench: Bench, task: dict[str, object], *, is_it: bool
) -> None:
    assert _in_the_way(bench, **task) == is_it


def test_the_drawer_over_the_mug_is_shut_before_the_cake_is_taken(bench: Bench) -> None:
    """Shut only after two attempts in vain, it took more than 500 steps."""
    solved, why = solves(bench, ROOFED, 1, 330)
    assert solved, why


@pytest.mark.parametrize("seed", [2, 5])
def test_on_a_crowded_table_an_egg_is_put_beside_the_drawers_way_and_not_under_it(bench: Bench, seed: int) -> None:
    """With five centimetres around it there is no free place but under the drawer that is opened next."""
    crowd = {"plate_1": (-0.24, 0.02), "bowl_1": (0.09, -0.22), "cake_1": (-0.11, -0.25), "mug_1": (0.08, -0.01)}
    kinds = {"plate_1": "porcelain_plate", "bowl_1": "porcelain_bowl", "cake_1": "cake", "mug_1": "green_mug"}
    task: dict[str, object] = {
        "objects": {"egg_1": "egg", **kinds},
        "fixtures": {"white_cabinet_1": "white_cabinet", "wooden_shelf_1": "wooden_shelf"},
        "at": {"egg_1": (-0.022, -0.1), **crowd},
        "regions": f"{ROOFED['regions']} (rack (:target main_table) (:ranges ((-0.28 -0.3 -0.26 -0.28)))"
        " (:yaw_rotation ((2 2))))",
        "init": "(On white_cabinet_1 main_table_place) (On wooden_shelf_1 main_table_rack)",
        "goal": "(In egg_1 white_cabinet_1_middle_region)",
    }
    solved, why = solves(bench, task, seed, 400)
    assert solved, why
