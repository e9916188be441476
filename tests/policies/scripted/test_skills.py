"""Skills: found by name, checked before they begin, and a plan is played in order."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import Bench

from proctor.policies.scripted import SkillError
from proctor.policies.scripted.skills import Hands, perform, play, skills
from proctor.tasks.cbddl import Call, Span

BOWL_AND_APPLE = {
    "objects": {"apple_1": "apple", "bowl_1": "white_bowl"},
    "at": {"apple_1": (-0.15, -0.1), "bowl_1": (-0.1, 0.2)},
}


def say(skill: str, *args: str | float) -> Call:
    return Call(skill, args, Span("plan.cbddl", 1, 1))


def run(bench: Bench, hands: Hands, *calls: Call) -> int:
    """Play calls and step the world with every action; return how many there were."""
    count = 0
    for action in play(hands, calls):
        bench.env.step(action)
        count += 1
    for _ in range(10):
        bench.env.step(hands.idle())
    return count


def test_the_skills_of_the_language_are_found() -> None:
    assert {"lift", "pick", "place"} <= set(skills())


def test_pick_lift_place(bench: Bench) -> None:
    scene = bench.build(**BOWL_AND_APPLE)
    hands = Hands(bench.env)
    before = scene.origin("apple_1")[2]
    run(bench, hands, say("pick", "apple_1"), say("lift"))
    assert hands.holding == "apple_1"
    # Held still after the plan: the hand stays shut.
    assert scene.origin("apple_1")[2] > before + 0.12
    run(bench, hands, say("place", "bowl_1"))
    assert hands.holding is None
    assert bench.holds("In apple_1 bowl_1")


def test_place_on_the_table_is_away_from_what_stands_there(bench: Bench) -> None:
    scene = bench.build(**BOWL_AND_APPLE)
    hands = Hands(bench.env)
    run(bench, hands, say("pick", "apple_1"), say("place", "main_table"))
    assert bench.holds("On apple_1 main_table")
    gap = np.linalg.norm(scene.origin("apple_1")[:2] - scene.origin("bowl_1")[:2])
    assert gap > scene.assets["apple_1"].radius_m + scene.assets["bowl_1"].radius_m


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        ((say("lift"),), "lift needs something in the hand"),
        ((say("place", "bowl_1"),), "place needs something in the hand"),
        ((say("pikc", "apple_1"),), "no skill 'pikc'"),
        ((say("pick", "main_table"),), "main_table cannot be picked up"),
        ((say("pick", "apple_1"), say("pick", "bowl_1")), "pick needs a free hand, which holds apple_1"),
        ((say("pick", "apple_1"), say("place", "bowl_2")), "'bowl_2' is neither"),
    ],
)
def test_what_cannot_be_done_is_said(bench: Bench, calls: tuple[Call, ...], text: str) -> None:
    bench.build(**BOWL_AND_APPLE)
    with pytest.raises(SkillError, match=text):
        run(bench, Hands(bench.env), *calls)


def test_a_skill_is_lazy(bench: Bench) -> None:
    """Nothing is planned before the first action is asked for: plans see the state at their own turn."""
    bench.build(**BOWL_AND_APPLE)
    hands = Hands(bench.env)
    doing = perform(hands, "lift")
    hands.holding = "apple_1"
    assert next(doing).shape == (7,)
