"""The scripted policies see, understand and stack on the twin; the sloppy one misses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from proctor.core import EpisodeSpec, Observation, ProctorError
from proctor.station.arm import JOINTS, Bus, JointVector, Limiter, Limits, So101Arm, Unit, to_ticks
from proctor.station.camera import policy_view
from proctor.station.scene import load_scenes
from proctor.station.trial import ColouredThing, ScriptedPolicy, SloppyPolicy, find_coloured, is_done, understand
from proctor.station.twin import COLOURS, ObjectPose, SceneObject, Twin

STACK = "Stack red block on blue block"
BLOCKS = [SceneObject("block", 0.07, -0.17, 10.0, "red"), SceneObject("block", -0.09, -0.14, -5.0, "blue")]


@pytest.fixture(scope="module")
def still() -> Iterator[Twin]:
    with Twin(seed=2, speed=0) as twin:
        yield twin


def episode(seed: int) -> EpisodeSpec:
    return EpisodeSpec("lab", "stack/ID/1", "", "", 0, seed, STACK, "p")


def perform(twin: Twin, policy: ScriptedPolicy) -> bool:
    """Carry the policy's chunks out with the arm's own limits, without real time, and look at the floor."""
    twin.place(BLOCKS)
    calibration = twin.calibrate()
    with So101Arm(Bus.open(twin.port, timeout_s=10.0), calibration) as arm:
        arm.configure()
        arm.torque_on()
        limiter, command = Limiter(calibration, Limits(), 0.05), arm.ticks()
        policy.reset(STACK, episode(3))
        for step in range(0, 400, 20):
            state = np.array([twin.joints_deg()[joint] for joint in JOINTS])
            picture = policy_view(twin.frame("top")) if step == 0 else np.zeros((480, 640, 3), np.uint8)
            for row in policy.act(Observation({"top": picture}, state, STACK, step)):
                goal = to_ticks(JointVector.of(row, Unit.TRUE_DEGREES), calibration)
                command = limiter.next(command, goal, arm.ticks(), 0.05)
                arm.write_goal(command)
                # Nobody confirms a goal; an answer to a later request says that it has arrived.
                arm.ticks()
                twin.advance(0.05)
    return is_done(STACK, twin.objects())


def test_the_block_is_stacked(still: Twin) -> None:
    assert perform(still, ScriptedPolicy())
    red, blue = still.objects()
    assert red.z - blue.z == pytest.approx(0.025, abs=0.004)


def test_a_policy_that_aims_far_beside_fails(still: Twin) -> None:
    assert not perform(still, SloppyPolicy(error_mm=30.0))


@pytest.mark.parametrize("view", ["whole", "half", "policy"])
def test_things_are_seen_where_they_stand(still: Twin, view: str) -> None:
    still.place([*BLOCKS, SceneObject("plate", 0.0, 0.1, colour="yellow")])
    picture = still.frame("top", 640 if view == "half" else None)
    picture = policy_view(picture) if view == "policy" else picture
    for item in BLOCKS:
        (found,) = find_coloured(picture, COLOURS[item.colour], 0.0125)
        assert np.hypot(found[0] - item.x, found[1] - item.y) < 0.004
    (plate,) = find_coloured(picture, COLOURS["yellow"], 0.005)
    assert np.hypot(plate[0], plate[1] - 0.1) < 0.01


def test_every_stacking_instruction_of_the_paper_is_understood() -> None:
    scenes = [scene for scene in load_scenes() if scene.task.name == "stack"]
    assert len(scenes) == 10
    for scene in scenes:
        what, where = understand(scene.instruction)
        assert {what.kind, where.kind} == {"block"}
        assert what.colour in COLOURS
        assert where.colour in COLOURS
    assert understand("put the green block onto a pink plate")[1] == ColouredThing("pink", "plate")
    with pytest.raises(ProctorError, match="does not understand"):
        understand("Press button four times")


def test_the_judge_wants_it_on_top_and_let_go() -> None:
    def floor(x: float, z: float) -> list[ObjectPose]:
        blue = ObjectPose("b", "block", "blue", 0.0, 0.0, 0.0, 0.0)
        return [ObjectPose("r", "block", "red", x, 0.0, z, 0.0), blue]

    assert is_done(STACK, floor(0.005, 0.025))
    assert not is_done(STACK, floor(0.03, 0.0))
    assert not is_done(STACK, floor(0.0, 0.11))
    assert not is_done("Stack blue block on red block", floor(0.0, 0.025))


def test_what_is_not_there_is_said(still: Twin) -> None:
    still.place(BLOCKS[:1])
    policy = ScriptedPolicy()
    policy.reset(STACK, episode(0))
    picture = still.frame("top", 640)
    with pytest.raises(ProctorError, match="sees no blue block"):
        policy.act(Observation({"top": picture}, np.zeros(6), STACK, 0))
