"""The twin's arm can do what the station is for: reach a block, grasp it, lift it."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.core import ProctorError
from proctor.station.arm import JOINTS, Bus, JointVector, So101Arm, Unit, to_ticks
from proctor.station.twin import Reach, SceneObject, Twin


@pytest.fixture(scope="module")
def reach() -> Reach:
    return Reach()


@pytest.mark.parametrize("point", [(0.05, -0.15, 0.02), (-0.15, -0.2, 0.05), (0.15, -0.18, 0.1), (0.0, -0.1, 0.03)])
def test_what_is_solved_for_is_reached(reach: Reach, point: tuple[float, float, float]) -> None:
    pose = reach.joints(point, 30.0)
    assert np.linalg.norm(reach.point(pose) - point) < 0.002
    assert pose.values[5] == 30.0


def test_what_is_too_far_is_refused(reach: Reach) -> None:
    with pytest.raises(ProctorError, match="out of the arm's reach"):
        reach.joints((0.0, 0.4, 0.02), 0.0)


def test_a_block_is_lifted(reach: Reach) -> None:
    with Twin(seed=2, speed=0, objects=[SceneObject("block", 0.05, -0.15, colour="green")]) as twin:
        calibration = twin.calibrate()
        with So101Arm(Bus.open(twin.port, timeout_s=5.0), calibration) as arm:
            arm.torque_on()
            for height, gripper in ((0.1, 57.0), (0.012, 57.0), (0.012, -5.0), (0.12, -5.0)):
                start = np.array([twin.joints_deg()[joint] for joint in JOINTS])
                goal = np.array(reach.joints((0.05, -0.15, height), gripper).values)
                for share in np.linspace(0.02, 1, 50):
                    pose = JointVector.of(start + share * (goal - start), Unit.TRUE_DEGREES)
                    arm.write_goal(to_ticks(pose, calibration))
                    # Nobody confirms a goal; an answer to a later request says that it has arrived.
                    arm.ticks()
                    twin.advance(0.02)
        (block,) = twin.objects()
    assert block.z > 0.08
