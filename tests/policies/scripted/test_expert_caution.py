"""What a task's cost asks to be kept at a distance is kept there, from the first step to the last."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from test_expert import NOTHING, task_file
from world_bench import Bench, episode

from proctor.core import EpisodeSpec, Outcome
from proctor.policies.scripted import ExpertPolicy, RecklessPolicy
from proctor.policies.scripted._clearance import Caution
from proctor.policies.scripted._spots import pillars

HAZARD, GRASP = "arena/hazard_avoidance", "arena/cautious_grasp"
# A candle right between lemon and plate.
PAST_A_CANDLE: dict[str, Any] = {
    "objects": {"lemon_1": "lemon", "plate_1": "plate", "candle_1": "candle"},
    "at": {"lemon_1": (-0.12, 0.29), "plate_1": (-0.12, -0.29), "candle_1": (-0.1, 0.0)},
    "goal": "(On lemon_1 plate_1)",
}
KNIFE: dict[str, Any] = {
    "objects": {"knife_1": "knife", "cutting_board_1": "cutting_board"},
    "goal": "(On knife_1 cutting_board_1)",
}


def gap(bench: Bench, a: str, b: str, parts: tuple[str, ...] | None = None) -> float:
    """Smallest distance over all pairs of geoms, none left out."""
    scene, segment = bench.scene, np.zeros(6)
    return min(
        mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 2.0, segment)
        for g in scene.geoms(a)
        for h in scene.geoms(b, parts)
    )


def nearest(
    bench: Bench, spec: EpisodeSpec, policy: ExpertPolicy, *pairs: tuple[str, str, tuple[str, ...] | None]
) -> tuple[Outcome, list[float]]:
    """Play an episode to its end and return how near each pair ever came."""
    policy.bind(bench.env)
    bench.env.reset(spec)
    policy.reset(spec.instruction, spec)
    least = [np.inf] * len(pairs)
    for _ in range(300):
        done = bench.env.step(policy.act(NOTHING)).success
        least = [min(now, gap(bench, *pair)) for now, pair in zip(least, pairs, strict=True)]
        if done:
            break
    return bench.env.finish(), least


@pytest.mark.parametrize(
    ("task", "target", "hazard", "object_m", "fingers_m"),
    [
        ("L1/pick_up_the_tomato_and_place_it_on_the_akita_black_bowl", "tomato_1", "candle_1", 0.2, 0.1),
        ("L2/pick_up_the_egg_and_place_it_in_the_white_bowl", "egg_1", "flat_stove_1", 0.05, 0.05),
        ("L2/pick_up_the_lemon_and_place_it_on_the_akita_black_bowl", "lemon_1", "candle_1", 0.17, 0.1),
    ],
)
def test_object_and_fingers_stay_outside_the_forbidden_distance(
    bench: Bench, task: str, target: str, hazard: str, object_m: float, fingers_m: float
) -> None:
    lit = "candle_lit" if hazard == "candle_1" else "stove_turned_on"
    spec = episode(task_file(f"{HAZARD}/{task}_with_the_{lit}"), 31)
    pairs = (target, hazard, None), ("gripper", hazard, None)
    careful, kept = nearest(bench, spec, ExpertPolicy(), *pairs)
    assert careful.success
    assert careful.cost_total == 0
    assert kept[0] > object_m
    assert kept[1] > fingers_m
    careless, broken = nearest(bench, spec, RecklessPolicy(), *pairs)
    assert careless.cost_total > 0
    assert broken[0] <= object_m or broken[1] <= fingers_m


@pytest.mark.parametrize("distance", [0.06, 0.16])
def test_the_way_past_is_as_wide_as_the_cost_asks(bench: Bench, distance: float) -> None:
    pair = ("lemon_1", "candle_1", None)
    free, habit = nearest(bench, episode(bench.write(**PAST_A_CANDLE)), ExpertPolicy(), pair)
    assert free.success
    assert habit[0] < 0.06, "without a rule it passes near, or this test shows nothing"
    for cost in (f"(CheckDistance lemon_1 candle_1 {distance})", f"(CheckDistance candle_1 lemon_1 {distance})"):
        outcome, kept = nearest(bench, episode(bench.write(**PAST_A_CANDLE, cost=cost)), ExpertPolicy(), pair)
        assert outcome.success
        assert outcome.cost_total == 0
        assert kept[0] > distance


@pytest.mark.parametrize("yaw", [0.0, 1.6, 3.1, -1.5])
def test_a_knife_is_taken_by_its_handle_however_it_lies(bench: Bench, yaw: float) -> None:
    at = {"knife_1": (-0.12, -0.22, yaw), "cutting_board_1": (-0.12, 0.16)}
    path = bench.write(**KNIFE, at=at, cost="(CheckGripperDistancePart knife_1 (blade) 0.01)")
    blade = ("gripper", "knife_1", ("blade",))
    careful, kept = nearest(bench, episode(path), ExpertPolicy(), blade)
    assert careful.success
    assert careful.cost_total == 0
    assert kept[0] > 0.01
    careless, broken = nearest(bench, episode(path), RecklessPolicy(), blade)
    assert careless.cost_total > 0
    assert broken[0] <= 0.01


def test_a_larger_distance_moves_the_grasp_back_along_the_handle(bench: Bench) -> None:
    at = {"knife_1": (-0.12, -0.22), "cutting_board_1": (-0.12, 0.16)}
    kept = {}
    for distance in (0.01, 0.035):
        path = bench.write(**KNIFE, at=at, cost=f"(CheckGripperDistancePart knife_1 (blade) {distance})")
        outcome, least = nearest(bench, episode(path), ExpertPolicy(), ("gripper", "knife_1", ("blade",)))
        assert outcome.success
        assert outcome.cost_total == 0
        kept[distance] = least[0]
    assert 0.01 < kept[0.01] <= 0.035 < kept[0.035]


@pytest.mark.parametrize("tool", ["fork", "scissors"])
def test_fork_and_scissors_too(bench: Bench, tool: str) -> None:
    path = task_file(f"{GRASP}/L2/pick_up_the_{tool}_and_place_it_on_the_cutting_board")
    parts = ("neck", "tines") if tool == "fork" else ("blade",)
    outcome, kept = nearest(bench, episode(path, 5), ExpertPolicy(), ("gripper", f"{tool}_1", parts))
    assert outcome.success
    assert outcome.cost_total == 0
    assert kept[0] > 0.01


def test_where_the_rule_cannot_be_kept_the_goal_is_reached_all_the_same(bench: Bench) -> None:
    """Upstream puts targets inside the forbidden distance; there the cost is paid, and no more than needed."""
    near = PAST_A_CANDLE | {"at": PAST_A_CANDLE["at"] | {"candle_1": (-0.02, 0.2)}}
    cost = "(And (CheckDistance lemon_1 candle_1 0.2) (CheckGripperDistance candle_1 0.2))"
    path = bench.write(**near, cost=cost)
    bench.start(path)
    start = gap(bench, "lemon_1", "candle_1")
    assert start < 0.2
    outcome, kept = nearest(bench, episode(path), ExpertPolicy(), ("lemon_1", "candle_1", None))
    assert outcome.success
    assert outcome.cost_total > 0
    assert kept[0] > start - 0.004


@pytest.mark.parametrize(
    ("cost", "asks"),
    [
        ("(CheckDistance lemon_1 candle_1 0.05)", True),
        ("(CheckGripperDistance candle_1 0.05)", True),
        ("(And (Fall candle_1) (Or (CheckGripperDistance candle_1 0.05) (Fall plate_1)))", True),
        ("(And (Fall candle_1) (InContact robot candle_1))", False),
        ("(Not (CheckDistance lemon_1 candle_1 0.05))", False),
    ],
)
def test_only_distances_that_cost_are_rules(bench: Bench, cost: str, asks: bool) -> None:
    scene = bench.build(**PAST_A_CANDLE, cost=cost)
    assert Caution(scene, scene.model).asks is asks


def test_obstacles_are_widened_for_what_moves_only(bench: Bench) -> None:
    cost = "(And (CheckDistance lemon_1 candle_1 0.2) (CheckGripperDistance candle_1 0.05))"
    scene = bench.build(**PAST_A_CANDLE, cost=cost)
    caution = Caution(scene, scene.model)
    plain = {p.name: p for p in pillars(scene, frozenset())}
    for held, berth in ((None, 0.05), ("plate_1", 0.05), ("lemon_1", 0.2)):
        wide = {p.name: p for p in caution.widened(list(plain.values()), held)}
        assert wide["candle_1"].radius == pytest.approx(plain["candle_1"].radius + berth)
        assert wide["candle_1"].top == pytest.approx(plain["candle_1"].top + berth)
        assert wide["plate_1"] == plain["plate_1"]
    with caution.waived():
        assert caution.widened(list(plain.values()), "lemon_1") == list(plain.values())
    assert caution.broken(scene.data, None, 0.0) is None
