"""Goals of several steps: things that share a box, an order, something to be gone, a drawer closed before and after."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_expert import CABINET, play
from world_bench import Bench, episode, task_text

from proctor.policies.scripted import ExpertPolicy

BOX = "(contain_region (:target box_1))"
DRAWER = "(top_region (:target white_cabinet_1))"
GOALS = {
    "three apples share a box": task_text(
        objects={"apple_1": "apple", "apple_2": "apple", "apple_3": "apple", "box_1": "box"},
        at={"apple_1": (-0.2, 0.26), "apple_2": (-0.06, 0.25), "apple_3": (-0.17, 0.12), "box_1": (-0.09, -0.21)},
        regions=BOX,
        goal="(And " + " ".join(f"(In apple_{i} box_1_contain_region)" for i in (1, 2, 3)) + ")",
    ),
    "the plate is emptied before it is filled": task_text(
        objects={"tomato_1": "tomato", "orange_1": "orange", "plate_1": "ceramic_plate", "bowl_1": "new_bowl"},
        at={"plate_1": (-0.12, 0.16), "bowl_1": (-0.12, -0.22), "orange_1": (0.02, -0.06)},
        init="(On tomato_1 plate_1)",
        goal="(Then (On tomato_1 bowl_1) (And (On tomato_1 bowl_1) (On orange_1 plate_1)))",
    ),
    "a plate is emptied first although the goal names it last": task_text(
        objects={"tomato_1": "tomato", "orange_1": "orange", "plate_1": "ceramic_plate", "bowl_1": "new_bowl"},
        at={"plate_1": (-0.12, 0.16), "bowl_1": (-0.12, -0.22), "orange_1": (0.02, -0.06)},
        init="(On tomato_1 plate_1)",
        goal="(And (On orange_1 plate_1) (On tomato_1 bowl_1))",
    ),
    "the apple only has to be gone": task_text(
        objects={"apple_1": "apple", "plate_1": "ceramic_plate"},
        at={"plate_1": (-0.12, 0.1)},
        init="(On apple_1 plate_1)",
        goal="(Not (On apple_1 plate_1))",
    ),
    "into a drawer that is closed before and after": task_text(
        objects={"lime_1": "lime"},
        fixtures=CABINET,
        at={"lime_1": (-0.15, -0.24), "white_cabinet_1": (-0.03, 0.37)},
        regions=DRAWER,
        goal="(Then (Open white_cabinet_1_top_region) (In lime_1 white_cabinet_1_top_region)"
        " (And (In lime_1 white_cabinet_1_top_region) (Close white_cabinet_1_top_region)))",
    ),
    "a drawer that is closed is opened first": task_text(
        objects={"lime_1": "lime"},
        fixtures=CABINET,
        at={"lime_1": (-0.15, -0.24), "white_cabinet_1": (-0.03, 0.37)},
        regions=DRAWER,
        goal="(And (In lime_1 white_cabinet_1_top_region))",
    ),
    "past an open drawer to the top of its cabinet": task_text(
        objects={"mug_1": "green_mug"},
        fixtures=CABINET,
        at={"mug_1": (0.1, 0.0), "white_cabinet_1": (-0.05, 0.39)},
        regions="(top_side (:target white_cabinet_1)) " + DRAWER,
        init="(Open white_cabinet_1_top_region)",
        goal="(And (On mug_1 white_cabinet_1_top_side) (Open white_cabinet_1_top_region))",
    ),
    "what is wider than a mug rests on its rim": task_text(
        objects={"cake_1": "cake", "mug_1": "green_mug"},
        at={"cake_1": (-0.15, 0.2), "mug_1": (-0.1, -0.2)},
        goal="(And (On cake_1 mug_1))",
    ),
    "an egg stays on a cake": task_text(
        objects={"egg_1": "egg", "cake_1": "cake"},
        at={"egg_1": (-0.15, 0.2), "cake_1": (-0.1, -0.2)},
        goal="(And (On egg_1 cake_1))",
    ),
    "a knob beside the arm's own foot is turned with a leaning hand": task_text(
        objects={"lime_1": "lime"},
        fixtures={"flat_stove_1": "flat_stove"},
        at={"flat_stove_1": (-0.418, 0.208), "lime_1": (-0.15, -0.24)},
        goal="(And (TurnOn flat_stove_1))",
    ),
    "what stands where the plate shall go is taken away": task_text(
        objects={"plate_1": "plate", "cream_cheese_1": "cream_cheese"},
        at={"plate_1": (-0.12, -0.2), "cream_cheese_1": (-0.1, 0.2)},
        regions="(front (:target main_table) (:ranges ((-0.13 0.17 -0.07 0.23))))",
        goal="(And (On plate_1 main_table_front))",
    ),
    "the stove is turned on, and off again": task_text(
        objects={"lime_1": "lime"},
        fixtures={"flat_stove_1": "flat_stove"},
        at={"flat_stove_1": (-0.1, 0.15), "lime_1": (-0.15, -0.24)},
        goal="(Then (TurnOn flat_stove_1) (TurnOff flat_stove_1))",
    ),
}


@pytest.mark.parametrize("name", GOALS)
def test_it_reaches_goals_of_several_steps(bench: Bench, tmp_path: Path, name: str) -> None:
    path = tmp_path / "task.cbddl"
    path.write_text(GOALS[name])
    policy = ExpertPolicy()
    outcome, _ = play(bench, episode(path, 2), policy, steps=600)
    assert outcome.success, policy.failure


def test_what_holds_already_is_left_alone(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "task.cbddl"
    path.write_text(
        task_text(
            objects={"apple_1": "apple", "plate_1": "ceramic_plate"},
            at={"plate_1": (-0.12, 0.1)},
            init="(On apple_1 plate_1)",
            goal="(And (On apple_1 plate_1))",
        )
    )
    outcome, actions = play(bench, episode(path, 2), ExpertPolicy(), steps=15)
    assert outcome.success
    assert (actions[:, :6] == 0).all()
