"""The law of the limiter: no command ever changes faster than its limit, whatever is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.station.arm import (
    DEGREES_PER_TICK,
    JOINTS,
    ArmError,
    Calibration,
    JointCalibration,
    JointVector,
    Limiter,
    Limits,
    Unit,
    ramp,
    ramp_seconds,
    to_ticks,
)

PERIOD_S = 0.02
ARM = Calibration({joint: JointCalibration(i, 0, 0, 700, 3400) for i, joint in enumerate(JOINTS, 1)})
POLICY_OUTPUTS = 10_000


def test_ten_thousand_random_policy_outputs_never_exceed_the_speed() -> None:
    rng = np.random.default_rng(1)
    speeds = dict(zip(JOINTS, (20.0, 45.0, 90.0, 120.0, 180.0, 333.3), strict=True))
    limits = Limits(velocity_deg_s=speeds)
    limiter = Limiter(ARM, limits, PERIOD_S)
    command = dict.fromkeys(JOINTS, 2047)
    moved = 0
    for _ in range(POLICY_OUTPUTS):
        wild = rng.normal(0, 1, 6) * 10.0 ** rng.integers(-1, 7)
        goal = to_ticks(JointVector.of(wild, Unit.TRUE_DEGREES), ARM)
        # Late, early and doubled cycles; a measured position that has nothing to do with the command.
        dt = float(rng.choice([0.0, 0.001, PERIOD_S, 1.4 * PERIOD_S, 5.0]))
        measured = {joint: int(rng.integers(700, 3400)) for joint in JOINTS}
        after = limiter.next(command, goal, measured, dt)
        for joint in JOINTS:
            step_deg = abs(after[joint] - command[joint]) * DEGREES_PER_TICK
            assert step_deg <= speeds[joint] * dt
            assert step_deg <= speeds[joint] * 1.5 * PERIOD_S
            assert 700 <= after[joint] <= 3400
            moved += step_deg > 0
        command = after
    assert moved > POLICY_OUTPUTS


def test_a_goal_within_reach_is_reached_exactly() -> None:
    limiter = Limiter(ARM, Limits(), PERIOD_S)
    command = dict.fromkeys(JOINTS, 2047)
    goal = {joint: 2047 + 100 * i for i, joint in enumerate(JOINTS)}
    for _ in range(100):
        command = limiter.next(command, goal, command, PERIOD_S)
    assert command == goal


def test_the_leash_keeps_the_command_near_a_blocked_joint() -> None:
    limiter = Limiter(ARM, Limits(), PERIOD_S)
    command = blocked = dict.fromkeys(JOINTS, 2047)
    for _ in range(500):
        command = limiter.next(command, dict.fromkeys(JOINTS, 3400), blocked, PERIOD_S)
    ahead = (command["elbow_flex"] - 2047) * DEGREES_PER_TICK
    assert 24.5 < ahead <= 25.0
    assert command["gripper"] > command["elbow_flex"]


def test_the_margin_keeps_away_from_the_stops() -> None:
    limiter = Limiter(ARM, Limits(margin_deg=5.0), PERIOD_S)
    command = dict.fromkeys(JOINTS, 2047)
    for _ in range(500):
        command = limiter.next(command, dict.fromkeys(JOINTS, 0), command, PERIOD_S)
    assert all((command[joint] - 700) * DEGREES_PER_TICK >= 5.0 for joint in JOINTS)


def test_limits_that_cannot_be_kept_are_refused() -> None:
    with pytest.raises(ArmError, match="less than one encoder tick"):
        Limiter(ARM, Limits.uniform(1.0), PERIOD_S)
    with pytest.raises(ArmError, match="above 0"):
        Limits.uniform(float("nan"))
    with pytest.raises(ArmError, match="up to 1000"):
        Limits(torque=dict.fromkeys(JOINTS, 1001))
    with pytest.raises(ArmError, match="leaves nothing"):
        Limiter(ARM, Limits(margin_deg=120.0), PERIOD_S)


def test_a_ramp_starts_and_ends_at_rest_and_keeps_the_speed() -> None:
    limits = Limits()
    start = dict.fromkeys(JOINTS, 2047)
    goal = {joint: 2047 + 200 * (i + 1) for i, joint in enumerate(JOINTS)}
    seconds = ramp_seconds(start, goal, limits)
    times = np.linspace(0, 1, 401)
    path = np.array([[ramp(start, goal, t)[joint] for joint in JOINTS] for t in times]) * DEGREES_PER_TICK
    speed = np.abs(np.diff(path, axis=0)) / (seconds / 400)
    allowed = np.array([limits.velocity_deg_s[joint] for joint in JOINTS])
    # A tick of rounding per step.
    assert (speed <= allowed + DEGREES_PER_TICK / (seconds / 400)).all()
    assert (speed[0] <= 0.3 * allowed).all()
    assert ramp(start, goal, 0.0) == start
    assert ramp(start, goal, 1.0) == ramp(start, goal, 7.0) == goal
