"""Progress, intention, faults: against definitions written out anew, and on both sides of every threshold."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import NOOP, Bench, about
from world_lamps import NAMES, Lamps

from proctor.sim import TABLE_Z
from proctor.sim._score import Progress
from proctor.tasks.cbddl import parse

LEMONS = {
    "objects": {"lemon_1": "lemon", "apple_1": "apple", "lime_1": "lemon"},
    "fixtures": {"giftbox_1": "giftbox"},
    "at": {"lemon_1": (0.1, 0.35), "apple_1": (0.1, -0.35), "lime_1": (-0.35, -0.35), "giftbox_1": (0.3, 0.0)},
    "goal": "(Placed lemon_1 giftbox_1)",
    "blocks": "(:subgoals (hold (Held lemon_1)) (put (Placed lemon_1 giftbox_1) (after hold)))"
    " (:plan (pick lemon_1) (place giftbox_1)) (:intent lemon_1) (:faults (Moved apple_1 0.5))",
}
HEAD = """(define (problem X) (:domain robosuite) (:language x) (:regions) (:fixtures t - table)
  (:objects {objects} - apple) (:obj_of_interest) (:init) (:goal (Up a)) (:subgoals {subgoals}))"""


# -- progress ----------------------------------------------------------------------------------------
def graph(rng: np.random.Generator) -> tuple[str, dict[str, list[str]], dict[str, float]]:
    """A random graph over four sub-goals, as text and as data."""
    before = {name: [other for other in NAMES[:i] if rng.random() < 0.4] for i, name in enumerate(NAMES)}
    weights = {name: float(rng.choice([0.5, 1.0])) for name in NAMES}
    lines = []
    for name in NAMES:
        after = " ".join(f"g{other}" for other in before[name])
        lines.append(f"(g{name} (Up {name}) {f'(after {after})' if after else ''} (weight {weights[name]}))")
    return " ".join(lines), before, weights


def test_sub_goals_latch_in_the_order_of_their_graph(lamps: Lamps) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        text, before, weights = graph(rng)
        task = parse(HEAD.format(objects=" ".join(NAMES), subgoals=text))
        progress = Progress(None, task.subgoals, "corrected")  # type: ignore[arg-type]
        latched: set[str] = set()
        last = 0.0
        for lit in rng.random((8, 4)) < 0.4:
            lamps.on = {name for name, on in zip(NAMES, lit, strict=True) if on}
            progress.update(0, 0.0)
            for name in NAMES:
                if name in lamps.on and latched >= set(before[name]):
                    latched.add(name)
            total = sum(weights.values())
            assert progress.share == pytest.approx(sum(weights[n] for n in latched) / total)
            assert progress.final == pytest.approx(sum(weights[n] for n in lamps.on) / total)
            assert progress.share >= last, "progress never falls"
            last = progress.share


def test_what_is_undone_keeps_its_progress_and_loses_its_end(lamps: Lamps) -> None:
    text = HEAD.format(objects="a b", subgoals="(one (Up a)) (two (Up b) (after one))")
    progress = Progress(None, parse(text).subgoals, "corrected")  # type: ignore[arg-type]
    shares = []
    for word in ("b", "a", "", "b", ""):
        lamps.on = set(word)
        progress.update(0, 0.0)
        shares.append((progress.share, progress.final))
    assert shares == [(0.0, 0.5), (0.5, 0.5), (0.5, 0.0), (1.0, 0.5), (1.0, 0.0)]


# -- intention ---------------------------------------------------------------------------------------
def gap(bench: Bench, name: str) -> float:
    """Brute force: the smallest distance between any finger geom and any geom of a thing."""
    scene, segment = bench.scene, np.zeros(6)
    mujoco.mj_forward(scene.model, scene.data)
    return min(
        mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 2.0, segment)
        for g in scene.gripper_geoms
        for h in scene.geoms(name)
    )


def bring(bench: Bench, name: str, distance: float, side: float = 0.0) -> None:
    """Put a thing under the fingers, ``distance`` from the nearest surface."""
    tool, _ = bench.scene.tcp()

    def at(depth: float) -> float:
        bench.put(name, tool + np.array([0.0, side, -depth]))
        return gap(bench, name)

    far = next(depth for depth in np.arange(0.3, 0.0, -2e-3) if at(depth - 2e-3) < distance)
    near = far - 2e-3
    for _ in range(12):
        middle = (far + near) / 2
        far, near = (middle, near) if at(middle) > distance else (far, middle)
    assert gap(bench, name) == pytest.approx(distance, abs=1e-5)


def looks(bench: Bench, count: int) -> None:
    for _ in range(count):
        bench.look()
        bench.env.monitor.update()


@pytest.mark.parametrize(
    ("mine", "other", "meant"), [(0.019, None, 1.0), (0.021, None, 0.0), (0.019, 0.012, 0.0), (0.012, 0.019, 1.0)]
)
def test_the_hand_means_what_it_is_nearest_to(bench: Bench, mine: float, other: float | None, meant: float) -> None:
    bench.build(**LEMONS)
    bring(bench, "lemon_1", mine, side=0.04)
    if other is not None:
        bring(bench, "apple_1", other, side=-0.05)
    looks(bench, 1)
    assert bench.env.monitor.scores().intention == meant


@pytest.mark.parametrize(
    ("name", "distance", "steps", "first"),
    [("lemon_1", 0.049, 6, 1.0), ("lemon_1", 0.049, 5, 0.0), ("lemon_1", 0.051, 20, 0.0), ("apple_1", 0.02, 6, 0.0)],
)
def test_the_first_approach_takes_three_tenths_of_a_second(
    bench: Bench, name: str, distance: float, steps: int, first: float
) -> None:
    bench.build(**LEMONS)
    bring(bench, name, distance)
    looks(bench, steps)
    assert bench.env.monitor.scores().intention_first == first
    approached = [event for event in bench.env.monitor.events if event.kind == "approach"]
    assert [event.name for event in approached] == ([name] if steps >= 6 and distance <= 0.05 else [])
    assert all(event.value == pytest.approx(1 / 3) for event in approached), "one target among three things"


@pytest.mark.parametrize(("distance", "meant"), [(0.149, 1.0), (0.151, 0.0)])
def test_as_published_the_tool_comes_within_fifteen_centimetres_of_the_origin(
    bench: Bench, distance: float, meant: float
) -> None:
    bench.build(**LEMONS)
    tool, _ = bench.scene.tcp()
    bench.put("lemon_1", tool + distance * np.array([0.6, 0.0, -0.8]))
    looks(bench, 1)
    assert bench.env.monitor.scores().intention_paper == meant


# -- faults ------------------------------------------------------------------------------------------
def kinds(bench: Bench) -> list[str]:
    return [f"{fault.kind} {fault.name}" for fault in bench.env.monitor.scores().faults]


@pytest.mark.parametrize(("depth", "fault"), [(0.049, []), (0.051, ["below_table apple_1"])])
def test_below_the_table_by_five_centimetres_is_remembered(bench: Bench, depth: float, fault: list[str]) -> None:
    scene = bench.build(**LEMONS)
    start = scene.origin("apple_1")
    over = scene.com("apple_1")[2] - start[2]
    bench.put("apple_1", (0.3, -0.2, TABLE_Z - depth - over))
    looks(bench, 1)
    bench.put("apple_1", start)
    looks(bench, 1)
    assert kinds(bench) == fault


def test_a_stranger_in_the_goals_receptacle_is_a_fault_while_it_is_there(bench: Bench) -> None:
    scene = bench.build(**LEMONS)
    site = scene.assets["giftbox_1"].site("inside")
    assert site is not None
    middle, turned = scene.site_frame("giftbox_1", site)
    spot = middle - np.array([0.0, 0.0, site.half[2] - 1e-3])
    bench.put("lemon_1", spot, turned)
    looks(bench, 1)
    assert kinds(bench) == [], "what belongs there"
    bench.put("lime_1", spot + np.array([0.0, 0.06, 0.0]), turned)
    looks(bench, 1)
    assert kinds(bench) == ["intruder lime_1 giftbox_1"]
    bench.stand("lime_1", -0.3, -0.3)
    looks(bench, 1)
    assert kinds(bench) == []


def test_the_tasks_own_faults_count_and_bar_success(bench: Bench) -> None:
    task = LEMONS | {"goal": "(Upright apple_1)"}
    for aside, want in ((0.499, True), (0.501, False)):
        scene = bench.build(**task)
        start = scene.references["apple_1"]
        bench.put("apple_1", start.origin + np.array([0.0, aside, 0.0]), start.rotation)
        looks(bench, 12)
        assert (kinds(bench) == []) is want
        assert bench.env.monitor.success is want
    bench.start(bench.write(**task), compat="paper")
    bench.put("apple_1", bench.scene.origin("apple_1") + np.array([0.0, 0.6, 0.0]))
    looks(bench, 1)
    assert bench.env.monitor.success, "as published there are no faults, and an instant is enough"


@pytest.mark.parametrize(("lean_steps", "fault"), [(11, []), (13, ["spill oil_1"])])
def test_thirty_percent_beside_is_a_spill(bench: Bench, lean_steps: int, fault: list[str]) -> None:
    bench.build(
        objects={"oil_1": "condiment"},
        fixtures={"pan_1": "pan"},
        at={"oil_1": (-0.3, 0.3), "pan_1": (0.0, -0.2)},
        goal="(Poured oil_1 pan_1 0.5)",
        blocks="(:plan (pick oil_1) (pour pan_1))",
    )
    bench.put("oil_1", (-0.3, 0.3, 1.3), about("y", 90))
    for _ in range(lean_steps):
        bench.look()
        bench.scene.flow.update()
    looks(bench, 1)
    assert kinds(bench) == fault


def test_a_wrong_press_ends_the_episode(bench: Bench) -> None:
    scene = bench.build(
        objects={"cube_1": "cube"},
        fixtures={"button_1": "button", "button_2": "button"},
        at={"cube_1": (-0.3, 0.0), "button_1": (-0.1, 0.2), "button_2": (-0.1, -0.2)},
        goal="(PressedOnly button_1)",
        blocks="(:plan (press button_1))",
    )
    for name, ended in (("button_1/button", False), ("button_2/button", True)):
        scene.buttons._first[scene.buttons.names.index(name)] = 3
        looks(bench, 1)
        assert bench.env.monitor._score is not None
        assert bench.env.monitor._score.ended is ended
    assert kinds(bench) == ["wrong_press button_2/button"]


def test_success_is_all_the_progress_there_is(bench: Bench) -> None:
    bench.build(**LEMONS | {"goal": "(Upright apple_1)"})
    for _ in range(12):
        bench.env.step(NOOP)
    outcome = bench.env.finish()
    assert outcome.success
    assert (outcome.progress, outcome.progress_final) == (1.0, 0.0)
