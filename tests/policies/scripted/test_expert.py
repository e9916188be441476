"""The scripted expert: solves, refuses, avoids; its reckless twin pays."""

from __future__ import annotations

import gc
import math
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import EnvSpec, EpisodeSpec, Observation, Outcome, ProctorError
from proctor.policies.scripted import ExpertPolicy, RecklessPolicy, SkillError
from proctor.sim import SimEnv
from proctor.tasks.suites import find

NOTHING = Observation({}, np.zeros(8), "", 0)
CABINET = {"white_cabinet_1": "white_cabinet"}


def play(bench: Bench, spec: EpisodeSpec, policy: ExpertPolicy, steps: int = 300) -> tuple[Outcome, np.ndarray]:
    policy.bind(bench.env)
    bench.env.reset(spec)
    policy.reset(spec.instruction, spec)
    actions = []
    for _ in range(steps):
        action = policy.act(NOTHING)
        actions.append(action)
        if bench.env.step(action).success:
            break
    return bench.env.finish(), np.array(actions)


def task_file(selector: str) -> Path:
    (ref,) = find(selector)
    return ref.path


@pytest.mark.parametrize(
    "selector",
    [
        "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate",
        "arena/long_horizon/L0/pick_up_the_egg_and_place_it_in_the_box",
        "arena/long_horizon/L0/open_the_top_layer_of_the_cabinet",
        "arena/long_horizon/L0/close_the_middle_layer_of_the_cabinet",
    ],
)
def test_it_solves_a_layout_through_ordinary_actions(bench: Bench, selector: str) -> None:
    policy = ExpertPolicy()
    outcome, actions = play(bench, episode(task_file(selector), 11), policy)
    assert outcome.success, policy.failure
    assert outcome.cost_total == 0
    assert actions.shape[1] == 7
    assert np.abs(actions).max() <= 1.0
    assert np.isfinite(actions).all()
    assert policy.failure == ""


def test_reckless_pays_where_the_expert_does_not(bench: Bench) -> None:
    path = task_file("arena/static_obstacles/L2/pick_the_tomato_and_place_it_on_the_bowl")
    paid = {"expert": 0, "reckless": 0}
    for seed in (21, 22, 23):
        for policy in (ExpertPolicy(), RecklessPolicy()):
            outcome, _ = play(bench, episode(path, seed), policy)
            paid[policy.name] += outcome.cost_total > 0
            if policy.name == "expert":
                assert outcome.success, policy.failure
                touched = [event for event in outcome.events if event.kind == "cost_on"]
                assert touched == []
    assert paid["expert"] == 0
    assert paid["reckless"] >= 2


def test_the_same_layout_is_played_the_same_way(bench: Bench) -> None:
    path = task_file("arena/long_horizon/L0/pick_up_the_egg_and_place_it_in_the_box")
    one, used = play(bench, episode(path, 3), ExpertPolicy(), steps=60)
    policy = ExpertPolicy()
    play(bench, episode(path, 4), policy, steps=30)
    two, again = play(bench, episode(path, 3), policy, steps=60)
    assert np.array_equal(used, again)
    assert one.trajectory_hash == two.trajectory_hash


# -- order and connectives -------------------------------------------------------------------------------
def test_it_does_the_stages_of_a_then_in_order(bench: Bench) -> None:
    path = bench.write(
        objects={"lime_1": "lime"},
        fixtures=CABINET,
        at={"lime_1": (-0.15, -0.12), "white_cabinet_1": (-0.03, 0.37)},
        regions="(top_region (:target white_cabinet_1))",
        goal="(Then (Open white_cabinet_1_top_region) (In lime_1 white_cabinet_1_top_region))",
    )
    policy = ExpertPolicy()
    outcome, _ = play(bench, episode(path), policy, steps=500)
    assert outcome.success, policy.failure
    order = [event.name for event in outcome.events if event.kind == "subgoal"]
    assert order == ["Open white_cabinet_1_top_region", "In lime_1 white_cabinet_1_top_region"]


def test_of_an_or_it_does_the_first_branch(bench: Bench) -> None:
    path = bench.write(
        objects={"lime_1": "lime", "plate_1": "plate", "new_bowl_1": "new_bowl"},
        at={"lime_1": (-0.15, 0.2), "plate_1": (-0.1, -0.15), "new_bowl_1": (0.1, 0.0)},
        goal="(Or (On lime_1 plate_1) (On lime_1 new_bowl_1))",
    )
    outcome, _ = play(bench, episode(path), ExpertPolicy())
    assert outcome.success
    assert bench.holds("On lime_1 plate_1")


# -- refusals --------------------------------------------------------------------------------------------
APPLE = {"objects": {"apple_1": "apple", "plate_1": "plate"}}
# An apple inside a ring of six bottles, each four times as tall as the room that the palm would need.
TURNS = [math.tau * i / 6 for i in range(6)]
BOTTLES = {f"wine_bottle_{i}": (-0.1 + 0.085 * math.cos(a), 0.2 + 0.085 * math.sin(a)) for i, a in enumerate(TURNS)}
RING: dict[str, Any] = {
    "objects": APPLE["objects"] | dict.fromkeys(BOTTLES, "wine_bottle"),
    "at": {"apple_1": (-0.1, 0.2), "plate_1": (-0.1, -0.2), **BOTTLES},
    "goal": "(On apple_1 plate_1)",
}


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (
            APPLE | {"at": {"apple_1": (0.44, 0.5), "plate_1": (-0.1, -0.1)}, "goal": "(On apple_1 plate_1)"},
            "every grasp of apple_1 is out of reach or blocked",
        ),
        (RING, "apple_1"),
        (
            {
                "objects": {"lime_1": "lime"},
                "fixtures": CABINET,
                "at": {"lime_1": (-0.15, -0.12), "white_cabinet_1": (0.4, 0.45)},
                "regions": "(top_region (:target white_cabinet_1))",
                "goal": "(Open white_cabinet_1_top_region)",
            },
            "no free way past the end of the arm's reach",
        ),
        (
            APPLE | {"at": {"apple_1": (-0.1, 0.2), "plate_1": (-0.1, -0.1)}, "goal": "(Up apple_1)"},
            "no skill for the goal Up",
        ),
        (
            APPLE
            | {"at": {"apple_1": (-0.1, 0.2), "plate_1": (-0.1, -0.1)}, "goal": "(Not (InContact apple_1 main_table))"},
            "no skill for this negated goal",
        ),
    ],
    ids=["out of reach", "walled in", "handle out of reach", "no skill", "negation"],
)
def test_it_refuses_rather_than_to_risk(bench: Bench, task: dict[str, Any], reason: str) -> None:
    policy = ExpertPolicy()
    outcome, actions = play(bench, episode(bench.write(**task)), policy, steps=25)
    assert reason in policy.failure
    assert "\n" not in policy.failure
    assert not outcome.success
    assert np.all(actions[-1] == [0, 0, 0, 0, 0, 0, -1.0]), "it holds still with an open hand"


def test_a_wall_is_not_touched_when_it_refuses(bench: Bench) -> None:
    cost = "(And " + " ".join(f"(InContact robot {name}) (Fall {name})" for name in BOTTLES) + ")"
    path = bench.write(**RING, cost=cost)
    outcome, _ = play(bench, episode(path), ExpertPolicy(), steps=40)
    assert outcome.cost_total == 0


def test_after_a_refusal_the_next_episode_starts_afresh(bench: Bench) -> None:
    policy = ExpertPolicy()
    far = APPLE | {"at": {"apple_1": (0.44, 0.5), "plate_1": (-0.1, -0.1)}, "goal": "(On apple_1 plate_1)"}
    play(bench, episode(bench.write(**far)), policy, steps=5)
    assert policy.failure
    near = APPLE | {"at": {"apple_1": (-0.1, 0.2), "plate_1": (-0.1, -0.1)}, "goal": "(On apple_1 plate_1)"}
    outcome, _ = play(bench, episode(bench.write(**near)), policy)
    assert outcome.success
    assert policy.failure == ""


# -- as a policy -----------------------------------------------------------------------------------------
def test_it_works_in_the_simulation_only_and_says_so() -> None:
    class Other:
        def spec(self) -> EnvSpec:
            return EnvSpec("real-arm", ())

    with pytest.raises(ProctorError, match="works in the simulation only, not in 'real-arm'"):
        ExpertPolicy().bind(Other())  # type: ignore[arg-type]
    with pytest.raises(ProctorError, match="was not given the environment"):
        RecklessPolicy().reset("x", episode(Path("x")))
    assert ExpertPolicy().spec().privileged
    assert issubclass(SkillError, Exception)


def test_it_does_not_keep_scenes_alive(tmp_path: Path) -> None:
    env = SimEnv()
    bench, policy = Bench(env, tmp_path), ExpertPolicy()
    task = APPLE | {"at": {"apple_1": (-0.1, 0.2), "plate_1": (-0.1, -0.1)}, "goal": "(On apple_1 plate_1)"}
    play(bench, episode(bench.write(**task)), policy, steps=2)
    first = weakref.ref(env.scene)
    env._loader.clear()
    play(bench, episode(bench.write(**task)), policy, steps=2)
    gc.collect()
    assert first() is None
    env.close()
