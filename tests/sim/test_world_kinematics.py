"""Inverse kinematics against forward kinematics, and the rotations against another library."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proctor.sim import CONTROL_DT, HOME_Q, JOINT_SPEED_LIMIT, InverseKinematics, heading, matrix, rotvec, yaw_matrix
from proctor.sim._control import Controller


@pytest.fixture(scope="module")
def kinematics() -> InverseKinematics:
    return InverseKinematics()


def reachable(kinematics: InverseKinematics, count: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Poses that some joint angles reach: where the arm works, over the table, hand roughly down."""
    rng, out = np.random.default_rng(1), []
    while len(out) < count:
        q = HOME_Q + rng.uniform(-0.6, 0.6, 7)
        position, rotation = kinematics.forward(q)
        if position[2] > 0.92 and rotation[2, 2] < -0.3:
            out.append((q, position, rotation))
    return out


def test_forward_of_solve_is_the_pose(kinematics: InverseKinematics) -> None:
    for _, position, rotation in reachable(kinematics, 60):
        q, error = kinematics.solve(position, rotation, HOME_Q, iterations=100)
        found, facing = kinematics.forward(q)
        assert error < 2e-5
        assert found == pytest.approx(position, abs=2e-5)
        assert Rotation.from_matrix(facing @ rotation.T).magnitude() < 2e-4


def test_joint_limits_are_kept(kinematics: InverseKinematics) -> None:
    limits = kinematics._model.jnt_range[:7]
    for _, position, rotation in reachable(kinematics, 20):
        q, _ = kinematics.solve(position + np.array([0.4, 0.3, 0]), rotation, HOME_Q, iterations=60)
        assert np.all(q >= limits[:, 0])
        assert np.all(q <= limits[:, 1])


@pytest.mark.parametrize("target", [(1.5, 0.0, 1.0), (0.3, 0.9, 1.6), (-0.66, 0.0, 2.5), (0.9, -0.9, 0.95)])
def test_out_of_reach_does_not_flail(kinematics: InverseKinematics, target: tuple[float, float, float]) -> None:
    _, rotation = kinematics.forward(HOME_Q)
    errors = [kinematics.solve(np.array(target), rotation, HOME_Q, iterations=n)[1] for n in (0, 4, 20, 100)]
    assert errors == sorted(errors, reverse=True), "more iterations never make it worse"
    q, _ = kinematics.solve(np.array(target), rotation, HOME_Q, iterations=4)
    again, _ = kinematics.solve(np.array(target), rotation, q, iterations=4)
    assert np.abs(again - q).max() < 1.6


def test_a_controller_pushed_beyond_reach_stays_smooth() -> None:
    controller = Controller()
    push = np.array([1.0, 0.6, 0.3, 0, 0, 0, 0])
    for _ in range(60):
        before = controller.q.copy()
        command = controller.command(push, controller.position)
        assert np.all(np.abs(controller.q - before) <= JOINT_SPEED_LIMIT * CONTROL_DT + 1e-12)
        assert np.allclose(command.q + command.dq, controller.q)
        reached, _ = controller.ik.forward(controller.q)
        assert np.linalg.norm(controller.position - reached) < 0.0031, "the command does not run away from the arm"
    outermost = controller.position.copy()
    for _ in range(40):
        controller.command(-push, controller.position)
    assert np.linalg.norm(controller.position - outermost) > 0.3, "and it comes back"


def test_a_blocked_arm_does_not_wind_up() -> None:
    controller = Controller()
    wall = controller.position.copy()
    for _ in range(20):
        controller.command(np.array([0, 0, -1.0, 0, 0, 0, 0]), wall)
    assert np.linalg.norm(controller.position - wall) < 0.0605


def test_rotations_agree_with_another_library() -> None:
    rng = np.random.default_rng(0)
    for vector in [*rng.normal(0, 1.2, (50, 3)), np.zeros(3), np.array([np.pi - 1e-7, 0, 0]), np.array([1e-9, 0, 0])]:
        want = Rotation.from_rotvec(vector)
        assert matrix(vector) == pytest.approx(want.as_matrix(), abs=1e-9)
        back = rotvec(want.as_matrix())
        assert (Rotation.from_rotvec(back) * want.inv()).magnitude() < 1e-6
        assert np.linalg.norm(back) <= np.pi + 1e-12
    for yaw in np.linspace(-3.1, 3.1, 9):
        assert yaw_matrix(yaw) == pytest.approx(Rotation.from_euler("z", yaw).as_matrix())
        assert heading(yaw_matrix(yaw)) == pytest.approx(yaw)
