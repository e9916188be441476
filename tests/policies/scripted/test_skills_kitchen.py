"""Press, pour, wait, and what goes into a juicer and under a coffee machine."""

from __future__ import annotations

import math

import numpy as np
import pytest
from world_bench import Bench

from proctor.policies.scripted import SkillError
from proctor.policies.scripted.skills import Hands, play
from proctor.policies.scripted.skills._pour import tilt_of
from proctor.tasks.cbddl import Call, Span

PRESSED_M = 0.0056
BUTTONS = {
    "objects": {"apple_1": "apple"},
    "fixtures": {f"button_{k}": "button" for k in range(4)},
    "at": {"apple_1": (0.2, 0.4), **{f"button_{k}": (-0.15, 0.17 * k - 0.255) for k in range(4)}},
}
JUICE = {
    "objects": {"lemon_1": "lemon", "lid_1": "lid"},
    "fixtures": {"juicer_1": "juicer"},
    "at": {"lemon_1": (-0.2, 0.2), "lid_1": (0.0, -0.25), "juicer_1": (0.05, 0.0)},
}
COFFEE = {
    "objects": {"mug_1": "mug"},
    "fixtures": {"machine_1": "coffee_machine"},
    "at": {"mug_1": (-0.2, -0.15, 2.9), "machine_1": (0.06, 0.08)},
}


def say(skill: str, *args: str | float) -> Call:
    return Call(skill, args, Span("plan.cbddl", 1, 1))


def steps(bench: Bench, hands: Hands, *calls: Call):
    """Play calls, step the world, and yield after every step."""
    for action in play(hands, calls):
        bench.env.step(action)
        yield
    for _ in range(10):
        bench.env.step(hands.idle())
        yield


@pytest.mark.parametrize("k", [0, 2])
def test_press_pushes_one_button_in_and_no_other(bench: Bench, k: int) -> None:
    scene = bench.build(**BUTTONS)
    travels = []
    for _ in steps(bench, Hands(bench.env), say("press", f"button_{k}/button")):
        travels.append([scene.joint(f"button_{i}", "button") for i in range(4)])
    deepest = np.max(travels, axis=0)
    assert deepest[k] > PRESSED_M
    assert max(np.delete(deepest, k)) < 1e-4
    # 0.1 s are two control steps.
    assert np.sum(np.array(travels)[:, k] > PRESSED_M) >= 2
    assert travels[-1][k] < 1e-4, "it springs back when the hand has left"


def test_wait_lasts_as_long_as_it_says(bench: Bench) -> None:
    bench.build(**BUTTONS)
    hands = Hands(bench.env)
    assert len(list(play(hands, [say("wait", 1.5)]))) == 30
    with pytest.raises(SkillError, match="wait takes 0 to 60 seconds"):
        list(play(hands, [say("wait", -1.0)]))


def test_fruit_lid_and_button_of_a_juicer(bench: Bench) -> None:
    scene = bench.build(**JUICE)
    hands, deepest = Hands(bench.env), 0.0
    for _ in steps(bench, hands, say("pick", "lemon_1"), say("place", "juicer_1"), say("pick", "lid_1"),
                   say("place", "juicer_1/top"), say("press", "juicer_1/button")):  # fmt: skip
        deepest = max(deepest, scene.joint("juicer_1", "button"))
    assert deepest > PRESSED_M
    inside, top = (scene.assets["juicer_1"].site(name) for name in ("inside", "top"))
    assert inside is not None
    assert top is not None
    assert scene.in_site(scene.com("lemon_1"), "juicer_1", inside)
    assert scene.in_site(scene.com("lid_1"), "juicer_1", top)
    assert scene.rotation("lid_1")[2, 2] > 0.999


def test_a_mug_goes_under_the_spout_and_out_again(bench: Bench) -> None:
    scene = bench.build(**COFFEE)
    hands = Hands(bench.env)
    spout = scene.assets["machine_1"].site("spout")
    assert spout is not None
    axis = scene.site_frame("machine_1", spout)[0][:2]
    for _ in steps(bench, hands, say("pick", "mug_1"), say("place", "machine_1")):
        pass
    assert hands.holding is None
    assert np.linalg.norm(scene.origin("mug_1")[:2] - axis) < 0.01
    assert scene.rotation("mug_1")[2, 2] > 0.999
    # By its handle, which is turned to the robot: the hand can come back for it.
    assert scene.rotation("mug_1")[0, 0] < -0.6
    for _ in steps(bench, hands, say("pick", "mug_1"), say("place", "main_table")):
        pass
    assert np.linalg.norm(scene.origin("mug_1")[:2] - axis) > 0.1
    assert bench.holds("On mug_1 main_table")


def test_what_cannot_be_pressed_or_poured_is_said(bench: Bench) -> None:
    bench.build(**JUICE)
    hands = Hands(bench.env)
    with pytest.raises(SkillError, match="lid_1 has no single button"):
        list(play(hands, [say("press", "lid_1")]))
    hands.holding = "lemon_1"
    with pytest.raises(SkillError, match="lemon_1 has no mouth"):
        list(play(hands, [say("pour", "juicer_1")]))


def test_tilt_is_the_angle_of_the_mouth(bench: Bench) -> None:
    from world_bench import about

    bench.build(**COFFEE)
    for degrees in (0.0, 40.0, 120.0):
        bench.put("mug_1", (0.0, 0.0, 1.2), about("x", degrees))
        bench.look()
        assert math.degrees(tilt_of(Hands(bench.env), "mug_1")) == pytest.approx(degrees, abs=1e-6)
