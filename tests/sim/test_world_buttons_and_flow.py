"""Buttons and what runs out of vessels: true and false around travel, time, lean, height and place."""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from world_bench import NOOP, Bench, about, atom

from proctor.sim import TABLE_Z
from proctor.sim._content import FlowState, mouths, rate
from proctor.sim.predicates import compile_atom

BUTTONS = {
    "objects": {"cube_1": "cube"},
    "fixtures": {"button_1": "button", "button_2": "button"},
    "at": {"cube_1": (-0.3, 0.0), "button_1": (-0.1, 0.2), "button_2": (-0.1, -0.2)},
}
POUR = {
    "objects": {"oil_1": "condiment", "oil_2": "condiment"},
    "fixtures": {"pan_1": "pan"},
    "at": {"oil_1": (-0.3, 0.25), "oil_2": (-0.3, -0.25), "pan_1": (-0.05, 0.0)},
    "goal": "(Poured oil_1 pan_1 0.5)",
}


def asked(bench: Bench, text: str, compat: str = "corrected") -> Callable[[], bool]:
    return compile_atom(atom(text), bench.scene, compat).holds


def steps(bench: Bench, count: int) -> None:
    """Let ``count`` control steps pass in which nothing moves."""
    for _ in range(count):
        bench.look()
        bench.scene.buttons.update(0, 0.0)
        bench.scene.flow.update()


# -- buttons -----------------------------------------------------------------------------------------
def press(bench: Bench, name: str, share: float, touched: bool = True) -> None:
    """Push a button in by a share of its travel; the robot's part is played by the watch's own condition."""
    scene = bench.scene
    index = scene.buttons.names.index(f"{name}/button")
    button = scene.buttons._buttons[index]
    joint = scene.model.joint(f"{name}/button")
    sign = 1.0 if abs(joint.range[1] - button.rest) > abs(joint.range[0] - button.rest) else -1.0
    scene.data.qpos[button.qpos] = button.rest + sign * share * button.travel
    object.__setattr__(button, "touched", lambda: touched)


@pytest.mark.parametrize(
    ("share", "touched", "pressed"), [(0.69, True, False), (0.71, True, True), (1.0, False, False)]
)
def test_pressed_from_seventy_percent_of_the_travel_by_the_robot(
    bench: Bench, share: float, touched: bool, pressed: bool
) -> None:
    bench.build(**BUTTONS)
    holds = asked(bench, "Pressed button_1")
    press(bench, "button_1", share, touched)
    steps(bench, 1)
    assert not holds(), "a tenth of a second is two control steps"
    steps(bench, 1)
    assert holds() is pressed
    press(bench, "button_1", 0.0, touched=False)
    steps(bench, 3)
    assert holds() is pressed, "a press is remembered"


def test_pressed_only_is_lost_to_any_other_button_before_or_with_it(bench: Bench) -> None:
    for order, only in ((("button_1", "button_2"), True), (("button_2", "button_1"), False), (("both",), False)):
        bench.build(**BUTTONS)
        holds = asked(bench, "PressedOnly button_1")
        for number, name in enumerate(order):
            for each in ("button_1", "button_2") if name == "both" else (name,):
                press(bench, each, 1.0)
            for _ in range(3):
                bench.look()
                bench.scene.buttons.update(10 * number, 0.0)
        assert holds() is only


def test_the_hand_presses_a_button_and_a_falling_thing_does_not(bench: Bench) -> None:
    """In simulation: a cube set down on the cap from 1 cm touches it, the robot does not."""
    scene = bench.build(**BUTTONS | {"goal": "(Pressed button_1)"})
    cap = scene.data.body("button_1/button").xpos
    bench.put("cube_1", (cap[0], cap[1], cap[2] + 0.03))
    for _ in range(20):
        bench.env.step(NOOP)
    assert scene.buttons.first_of() == {}
    touching = [set(map(scene.owner, pair)) for pair in scene.data.contact.geom.tolist()]
    assert {"cube_1", "button_1"} in touching


# -- flow --------------------------------------------------------------------------------------------
def test_the_rate_is_nothing_at_seventy_and_half_a_content_per_second_from_eighty_five_degrees() -> None:
    assert [rate(lean) for lean in (0.0, 69.9, 70.0)] == [0.0] * 3
    assert [rate(lean) for lean in (85.0, 120.0, 180.0)] == [0.5] * 3
    assert rate(77.5) == pytest.approx(0.25)


def tilt(bench: Bench, name: str, degrees: float, above_rim: float = 0.1, beside: float = 0.0) -> None:
    """Hold a vessel with its spout over the middle of the pan, ``above_rim`` over its rim, leaning along +x."""
    scene = bench.scene
    mouth = mouths(scene, "pan_1")[0]
    spout = scene.assets[name].spout
    assert spout is not None
    turned = about("y", degrees)
    goal = mouth.middle() + np.array([0.0, beside, above_rim])
    bench.put(name, goal - turned @ np.asarray(spout.position), turned)
    mujoco.mj_forward(scene.model, scene.data)
    assert math.isclose(scene.flow.lean_deg(name), degrees, abs_tol=1e-6)


@pytest.mark.parametrize(
    ("degrees", "above_rim", "beside", "into"),
    [
        (86.0, 0.10, 0.00, "pan"),
        (69.0, 0.10, 0.00, ""),
        (71.0, 0.10, 0.00, "pan"),
        (86.0, 0.24, 0.00, "pan"),
        (86.0, 0.26, 0.00, "table"),
        (86.0, 0.10, 0.30, "table"),
    ],
)
def test_content_goes_into_what_is_under_the_spout(
    bench: Bench, degrees: float, above_rim: float, beside: float, into: str
) -> None:
    scene = bench.build(**POUR)
    tilt(bench, "oil_1", degrees, above_rim, beside)
    steps(bench, 10)
    lost = 10 * 0.05 * rate(degrees)
    assert scene.flow.now.level["oil_1"] == pytest.approx(1.0 - lost)
    assert scene.flow.received("oil_1", "pan_1") == pytest.approx(lost if into == "pan" else 0.0)
    assert scene.flow.now.spilled["oil_1"] == pytest.approx(lost if into == "table" else 0.0)
    assert scene.flow.now.level["oil_2"] == 1.0


def test_nothing_is_made_or_lost(bench: Bench) -> None:
    """What has left the bottle is in the pan or beside it, however it is swung about."""
    scene = bench.build(**POUR)
    rng = np.random.default_rng(3)
    for _ in range(60):
        tilt(bench, "oil_1", rng.uniform(0, 120), rng.uniform(0.0, 0.4), rng.uniform(-0.3, 0.3))
        steps(bench, 1)
        now: FlowState = scene.flow.now
        total = now.level["oil_1"] + scene.flow.received("oil_1", "pan_1") + now.spilled["oil_1"]
        assert total == pytest.approx(1.0, abs=1e-12)
    assert now.level["oil_1"] < 1.0


def test_poured_is_half_of_it_after_a_second_and_never_more_than_all(bench: Bench) -> None:
    bench.build(**POUR)
    half, other = asked(bench, "Poured oil_1 pan_1 0.5"), asked(bench, "Poured oil_2 pan_1 0.5")
    paper = asked(bench, "Poured oil_1 pan_1 0.5", "paper")
    tilt(bench, "oil_1", 86.0)
    steps(bench, 19)
    assert not half()
    steps(bench, 1)
    assert half()
    assert not other()
    assert not paper(), "as published it must lean by more than 90 degrees"
    tilt(bench, "oil_1", 91.0)
    steps(bench, 60)
    assert bench.scene.flow.received("oil_1", "pan_1") == pytest.approx(1.0)
    assert paper()


@pytest.mark.parametrize(("beside", "filled"), [(0.019, True), (0.021, False)])
def test_a_machine_fills_what_stands_under_its_spout(bench: Bench, beside: float, filled: bool) -> None:
    scene = bench.build(
        objects={"mug_1": "mug"},
        fixtures={"coffee_machine_1": "coffee_machine"},
        at={"mug_1": (-0.3, 0.3), "coffee_machine_1": (0.1, -0.1)},
        goal="(Filled mug_1 coffee)",
    )
    holds = asked(bench, "Filled mug_1 coffee")
    site = scene.assets["coffee_machine_1"].site("spout")
    assert site is not None
    axis, _ = scene.site_frame("coffee_machine_1", site)
    bench.put("mug_1", (axis[0], axis[1] + beside, TABLE_Z))
    press(bench, "coffee_machine_1", 1.0)
    # Two steps make a press; the second is the first of the two seconds.
    steps(bench, 1 + 19)
    assert scene.flow.now.filled["mug_1"] == pytest.approx(19 / 40 if filled else 0.0)
    assert not holds()
    steps(bench, 1)
    assert holds() is filled
    steps(bench, 60)
    assert scene.flow.now.filled["mug_1"] == pytest.approx(1.0 if filled else 0.0)


def test_a_bench_episode_continues_bit_for_bit_from_a_snapshot(bench: Bench) -> None:
    """Buttons, flow, progress, intention and faults among what is remembered."""
    task = POUR | {
        "goal": "(And (Poured oil_1 pan_1 0.5) (Pressed button_1))",
        "fixtures": {"pan_1": "pan", "button_1": "button"},
        "at": POUR["at"] | {"button_1": (0.1, 0.3)},  # type: ignore[operator]
        "blocks": "(:subgoals (pour (Poured oil_1 pan_1 0.5)) (end (Pressed button_1) (after pour)))"
        " (:plan (pick oil_1) (pour pan_1)) (:intent oil_1 pan_1) (:faults (Moved oil_2 0.3))",
    }
    scene = bench.build(**task)
    for _ in range(3):
        tilt(bench, "oil_1", 86.0)
        bench.env.step(NOOP)
    assert 0.0 < scene.flow.received("oil_1", "pan_1") < 0.2
    saved = bench.env.snapshot()
    ends = []
    for _ in range(2):
        for step in range(12):
            if step < 6:
                tilt(bench, "oil_1", 80.0)
            if step == 3:
                press(bench, "button_1", 1.0)
            bench.env.step(np.array([0.3, 0.1, -0.2, 0, 0, 0, -1.0]))
        outcome = bench.env.finish()
        ends.append((outcome, scene.flow.state(), scene.buttons.state(), bench.env.monitor.state()))
        bench.env.restore(saved)
        assert bench.env.snapshot().watches[5:8] == saved.watches[5:8]
    assert ends[0] == ends[1]
